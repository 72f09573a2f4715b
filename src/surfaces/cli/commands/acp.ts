/** `acp` is served before the command line is read; this is reached only when its arguments are mixed up. */
import type { Run } from '../command.ts'
import { usage } from '../command.ts'

export const run: Run = () =>
  Promise.reject(usage('"acp" has to be the first word: reprise acp [options].'))
