/** `acp`, `web` and `export` are answered before the command line is read; here are only those in the wrong place. */
import type { Run } from '../command.ts'
import { usage } from '../command.ts'

export const run: Run = () =>
  Promise.reject(usage('acp, web and export have to be the first word: reprise web [options].'))
