/** `reprise acp`: wires the ACP server to a home, its configuration and an agent, on stdio or on a port. */
import { parseArgs } from 'node:util'
import { deferred } from '../lib/deferred.ts'
import { findHome } from './home.ts'
import { defined } from '../lib/defined.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { openStoreAt } from './open-store.ts'
import type { Store } from '../store/store.ts'
import { createAsks } from '../surfaces/acp/asks.ts'
import { createAcpServer } from '../surfaces/acp/serve.ts'
import { createSwitchboard } from '../surfaces/acp/switchboard.ts'

export type AcpHost = {
  /** Without the word `acp`. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly signal?: AbortSignal
}

export async function serveAcp(host: AcpHost): Promise<number> {
  const { values } = parseArgs({
    args: [...host.argv],
    options: {
      home: { type: 'string' },
      agent: { type: 'string' },
      model: { type: 'string' },
      port: { type: 'string' },
      'allow-all': { type: 'boolean', default: false },
    },
  })
  const home = findHome(values.home, host.env).path
  const asks = createAsks({ allowAll: values['allow-all'] })
  const switchboard = createSwitchboard()
  const engine = openConfiguredEngine({
    home,
    policy: asks.policy,
    switchboard,
    answersQuestions: true,
    clientName: 'reprise-acp',
    ...defined({ agent: values.agent, model: values.model }),
  })
  const onTrouble = (message: string) => void host.stderr.write(`${message}\n`)
  let store: Promise<Store> | undefined
  const token =
    values.port === undefined ? undefined : (host.env['REPRISE_TOKEN'] ?? crypto.randomUUID())
  const server = createAcpServer({
    engine,
    asks,
    switchboard,
    version: host.version,
    store: () => (store ??= openStoreAt({ home, onTrouble })),
    ...(values.model !== undefined && { models: [values.model] }),
    ...defined({ token }),
  })
  try {
    if (token === undefined) await server.serve({ input: host.stdin, output: host.stdout })
    else await untilStopped(host, server, Number(values.port), token)
    return 0
  } finally {
    await engine.stop()
    await (await store?.catch(() => undefined))?.close()
  }
}

async function untilStopped(
  host: AcpHost,
  server: ReturnType<typeof createAcpServer>,
  port: number,
  token: string,
): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError('--port wants a number from 0 to 65535.')
  await using listening = await server.listen(port)
  if (host.env['REPRISE_TOKEN'] === undefined) host.stderr.write(`token ${token}\n`)
  host.stdout.write(`ACP server listening on port ${listening.port}\n`)
  const { promise, resolve } = deferred<void>()
  host.signal?.addEventListener('abort', () => resolve(), { once: true })
  process.once('SIGTERM', resolve)
  process.once('SIGINT', resolve)
  await promise
}
