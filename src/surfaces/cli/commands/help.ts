/** `help`: of the program, a group, or a command. */
import type { Run } from '../command.ts'
import { helpFor } from '../help.ts'
import { subjectOf } from '../parse.ts'

export const run: Run = async ({ out, program }, given) =>
  out.block(await helpFor(program, subjectOf(program, given.words(0)), out.columns))
