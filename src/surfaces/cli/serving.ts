/** What every server is given of a command line. */
import type { Cli, Given, Serving } from './command.ts'
import { copilotOptions } from './copilot-options.ts'

export const serving = ({ home, cwd, signal }: Cli, given: Given): Serving => ({
  home,
  cwd,
  signal,
  launch: given.of(copilotOptions),
})
