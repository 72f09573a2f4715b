/** `web`: the page, until it is stopped. */
import type { Run } from '../command.ts'
import { serving } from '../serving.ts'
import { webOptions } from '../server-options.ts'

export const isServer = true

export const run: Run = (cli, given) =>
  cli.host.serveWeb({ ...serving(cli, given), ...given.of(webOptions) })
