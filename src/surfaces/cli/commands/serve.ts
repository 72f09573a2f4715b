/** `reprise --server`, `--headless`, `--ui-server` and `--acp`: the servers, as programs start them. */
import { defined } from '../../../lib/defined.ts'
import type { Given, RpcOptions, Run } from '../command.ts'
import { usage } from '../command.ts'
import { noteUnused, serverIn } from '../root-flags.ts'
import { acpOptions, servingOptions, webOptions } from '../server-options.ts'
import { serving } from '../serving.ts'

export const isServer = true

export const run: Run = (cli, given) => {
  noteUnused(cli, given)
  const shared = serving(cli, given)
  const kind = serverIn(given)
  if (kind === 'web') return cli.host.serveWeb({ ...shared, ...given.of(webOptions) })
  if (given.flag('stdio') && (given.has('port') || given.has('host')))
    throw usage('--stdio serves one client by standard input; it has neither port nor host.')
  if (kind === 'acp') return cli.host.serveAcp({ ...shared, ...given.of(acpOptions) })
  return cli.host.serveRpc({ ...shared, ...rpcOptions(given) })
}

function rpcOptions(given: Given): RpcOptions {
  const resume = given.optional('resume')
  if (resume === true) {
    throw usage(
      '--resume needs a session here: a server has nobody to choose one. Give its id, or let the client resume it.',
    )
  }
  return {
    ...given.of(servingOptions),
    ...(given.flag('allowAll') && { allowAll: true as const }),
    ...defined({
      agent: given.text('agent'),
      model: given.text('model'),
      logLevel: given.text('logLevel'),
      resume,
    }),
  }
}
