/** `acp`: sessions for an editor, until it leaves or the server is stopped. */
import type { Run } from '../command.ts'
import { serving } from '../serving.ts'
import { acpOptions } from '../server-options.ts'

export const isServer = true

export const run: Run = (cli, given) =>
  cli.host.serveAcp({ ...serving(cli, given), ...given.of(acpOptions) })
