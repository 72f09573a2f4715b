/** `reprise web`: wires the web server to a home, its configuration, its store and an agent. */
import { parseArgs } from 'node:util'
import { EngineError } from '../engine/errors.ts'
import { deferred } from '../lib/deferred.ts'
import { findSession } from './find-session.ts'
import type { SessionId } from '../format/ids.ts'
import { findHome } from './home.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import { defined } from '../lib/defined.ts'
import { openLink } from '../lib/open-link.ts'
import { readSmallText } from '../lib/small-text.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { openRedactor } from './open-redactor.ts'
import { openBoardAt, openStoreAt } from './open-store.ts'
import { readPageFile, readPageStyle } from './page-folder.ts'
import type { Board } from '../store/board.ts'
import type { Store } from '../store/store.ts'
import { startWeb } from '../surfaces/web/server.ts'
import type { WebServer } from '../surfaces/web/server.ts'
import { endGuests, guestKeyOf, tokenOf } from './web-keys.ts'

export type WebHost = {
  /** Without the word `web`. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly signal?: AbortSignal
}

/** A page that was open before a restart finds the server again under the same port. */
const USUAL_PORT = 7373

export async function serveWeb(host: WebHost): Promise<number> {
  const values = optionsOf(host.argv)
  const home = findHome(values.home, host.env).path
  const engine = openConfiguredEngine({
    home,
    answersQuestions: true,
    clientName: 'reprise-web',
    ...defined({ agent: values.agent, model: values.model }),
  })
  const onTrouble = (message: string) => void host.stderr.write(`${message}\n`)
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  const redactor = await openRedactor(engine.fs)
  const start = async (port: number): Promise<WebServer> =>
    startWeb({
      engine,
      version: host.version,
      home,
      cwd: process.cwd(),
      port,
      token: await tokenOf(engine.fs),
      guestKey: guestKeyOf(engine.fs),
      redact: async (value) => (await redactor.redactJson(value)).value,
      readAsset: readPageFile,
      readStyle: readPageStyle,
      store: {
        store: () => (store ??= openStoreAt({ home, onTrouble })),
        board: () => (board ??= openBoardAt(home)),
        cacheFolder: cacheFolder(host.env),
      },
      onFault: (error) => onTrouble(error instanceof Error ? (error.stack ?? '') : String(error)),
      allowRemote: values['allow-remote'],
      names: values.name,
      ...defined({ host: values.host }),
      ...(await tlsOf(values['tls-cert'], values['tls-key'])),
    })
  try {
    const shown = values.guest === undefined ? undefined : await findSession(engine, values.guest)
    if (values['end-guests']) await endGuests(engine.fs)
    await using server = await startSomewhere(start, values.port)
    const link = server.link()
    host.stdout.write(`${link}\n`)
    if (shown !== undefined) host.stdout.write(await guestLine(server, shown))
    if (!values['no-open'] && host.stdout.isTTY) openLink(link)
    await untilStopped(host)
    return 0
  } finally {
    await engine.stop()
    await (await store?.catch(() => undefined))?.close()
    ;(await board?.catch(() => undefined))?.close()
  }
}

const GUEST_HOURS = 24

async function guestLine(server: WebServer, id: SessionId): Promise<string> {
  const { link, expiresAt } = await server.guestLink(id, GUEST_HOURS)
  return `Guest link (one session, read-only, until ${expiresAt}): ${link}\n`
}

function optionsOf(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      home: { type: 'string' },
      agent: { type: 'string' },
      model: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string' },
      name: { type: 'string', multiple: true, default: [] },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      'allow-remote': { type: 'boolean', default: false },
      guest: { type: 'string' },
      'end-guests': { type: 'boolean', default: false },
      'no-open': { type: 'boolean', default: false },
    },
  }).values
}

/** Without a wish, the usual port, or any other when that is taken. */
async function startSomewhere(
  start: (port: number) => Promise<WebServer>,
  wish: string | undefined,
): Promise<WebServer> {
  if (wish !== undefined) return start(portOf(wish))
  try {
    return await start(USUAL_PORT)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'in_use') return start(0)
    throw error
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new EngineError('invalid', '--port wants a number from 0 to 65535. Nothing was started.')
}

async function tlsOf(certFile: string | undefined, keyFile: string | undefined) {
  if (certFile === undefined && keyFile === undefined) return {}
  const [cert, key] = await Promise.all(
    [certFile, keyFile].map((path) => readSmallText(path ?? '')),
  )
  if (cert !== undefined && key !== undefined) return { tls: { cert, key } }
  throw new EngineError(
    'invalid',
    'TLS needs --tls-cert and --tls-key, two files that can be read. Nothing was started.',
  )
}

async function untilStopped({ signal }: WebHost): Promise<void> {
  const { promise, resolve } = deferred<void>()
  signal?.addEventListener('abort', () => resolve(), { once: true })
  process.once('SIGTERM', resolve)
  process.once('SIGINT', resolve)
  await promise
}
