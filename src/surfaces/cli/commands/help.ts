/** `help`: of the program, a group, or a command. */
import type { Run } from '../command.ts'
import { helpFor } from '../help.ts'
import { subjectOf } from '../parse.ts'

export const run: Run = async ({ out }, given) =>
  out.block(helpFor(subjectOf(given.words(0)), out.columns))
