/** The servers: `web`, `acp`, and those that a flag of `reprise` itself asks for, as programs start them. */
import { defined } from '../../../lib/defined.ts'
import {
  usage,
  type Cli,
  type Given,
  type Loaded,
  type RpcOptions,
  type Run,
  type Serving,
} from '../command.ts'
import type { copilotOptions } from '../copilot-options.ts'
import { findSession } from '../../../commands/find-session.ts'
import type { acpOptions, servingOptions, webOptions, workerOptions } from '../server-options.ts'

const serveWeb: Run = (cli, given) =>
  cli.host.serveWeb({
    ...given.all<typeof webOptions>(),
    ...shared(cli, given),
    findSession: (engine, word) => findSession(cli, engine, word),
  })

const serveAcp: Run = (cli, given) =>
  cli.host.serveAcp({
    ...given.all<typeof acpOptions>(),
    ...shared(cli, given),
    ...defined({ connect: namedFar(given) }),
  })

const serveByFlag: Run = (cli, given) => {
  if (given.flag('uiServer')) return serveWeb(cli, given)
  if (given.flag('stdio') && (given.has('port') || given.has('host')))
    throw usage('--stdio serves one client by standard input; it has neither port nor host.')
  if (given.flag('acp')) return serveAcp(cli, given)
  return cli.host.serveRpc({ ...rpcOptions(given), ...shared(cli, given) })
}

const serveWorker: Run = (cli, given) =>
  cli.host.serveWorker({
    ...given.all<typeof workerOptions>(),
    ...shared(cli, given),
    print: (line) => cli.out.line(line),
  })

export const worker: Loaded = { run: serveWorker, isServer: true }
export const web: Loaded = { run: serveWeb, isServer: true }
export const acp: Loaded = { run: serveAcp, isServer: true }
export const byFlag: Loaded = { run: serveByFlag, isServer: true }

const shared = ({ home, cwd, signal }: Cli, given: Given): Serving => ({
  home,
  cwd,
  signal,
  launch: given.all<typeof copilotOptions>(),
})

/** A server has nobody to choose in a list. */
function namedFar(given: Given): string | undefined {
  const connect = given.optional('connect')
  if (connect !== true) return connect
  throw usage(
    '--connect needs a session here: a server has nobody to choose one. Give its id or name.',
  )
}

function rpcOptions(given: Given): RpcOptions {
  const resume = given.optional('resume')
  if (resume === true) {
    throw usage(
      '--resume needs a session here: a server has nobody to choose one. Give its id, or let the client resume it.',
    )
  }
  return {
    ...given.all<typeof servingOptions>(),
    ...(given.flag('allowAll') && { allowAll: true as const }),
    ...defined({
      agent: given.text('agent'),
      model: given.text('model'),
      logLevel: given.text('logLevel'),
      resume,
      connect: namedFar(given),
    }),
  }
}
