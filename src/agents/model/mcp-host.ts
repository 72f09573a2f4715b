/** The MCP servers of an agent: which there are, which are on, how each is, and the connections to them. */
import { isDeepStrictEqual } from 'node:util'
import type { Notice } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Connection, McpServer, ServerRequests, ServerStatus, ToolServers } from './config.ts'
import { connect } from './mcp-connection.ts'
import type { Credentials } from './mcp-fetch.ts'
import { probe } from './mcp-probe.ts'

interface ServerHost extends Omit<ToolServers, 'tools' | 'goOn'> {
  /** Connects when nobody has. */
  connectionTo(name: string): Promise<Connection>
  /** The next call connects anew. */
  forget(name: string, connection: Promise<Connection>): void
  /** What was not told, because nobody listens. */
  untold(): readonly Notice[]
}

type Entry = {
  server: McpServer
  state: 'on' | 'disabled' | 'stopped'
  opened?: Connection
  readonly credentials: Credentials
  failure?: { readonly message: string; readonly atMs: number; readonly isSilence: boolean }
}

const entryFor = (server: McpServer): Entry => ({
  server,
  state: 'on',
  credentials: { by: server.by },
})

/** Of that name from now on. What it is signed in with belongs to the place, not to the name. */
function replaced(entry: Entry | undefined, server: McpServer): Entry {
  if (entry === undefined) return entryFor(server)
  if (!isSamePlace(entry.server, server)) return { ...entryFor(server), state: entry.state }
  entry.credentials.by = server.by
  return isSame(entry.server, server) ? Object.assign(entry, { server }) : { ...entry, server }
}

const isSame = (one: McpServer | undefined, other: McpServer): boolean =>
  one !== undefined && isDeepStrictEqual({ ...one, by: undefined }, { ...other, by: undefined })

function isSamePlace(one: McpServer, other: McpServer): boolean {
  if (!('url' in one) || !('url' in other)) return isSame(one, other)
  const [here, there] = [new URL(one.url), new URL(other.url)]
  return here.origin === there.origin && here.pathname === there.pathname
}

const NOT_REMOTE = 'is not reached over HTTP: there is nothing to sign in with.'

/** Longer than a program takes that is fetched first. */
const CONNECT_TIMEOUT_MS = 30_000
/** A turn does not wait again so soon for one that let it wait for nothing. */
const WAITS_AGAIN_MS = 5 * 60_000

export function serverHost(
  given: Readonly<Record<string, McpServer>>,
  timeoutMs = CONNECT_TIMEOUT_MS,
): ServerHost {
  const entries = new Map<string, Entry>()
  const connections = new Map<string, Promise<Connection>>()
  let told: ((notice: Notice) => void) | undefined
  let untold: Notice[] = []
  let requests: ServerRequests = {}
  for (const [name, server] of Object.entries(given)) entries.set(name, entryFor(server))

  const tell = (notice: Notice) => {
    if (told === undefined) untold.push(notice)
    else told(notice)
  }
  const tellStatus = (serverName: string, status: string, error?: string) =>
    tell({
      type: 'session.mcp_server_status_changed',
      data: { serverName, status, ...defined({ error }) },
    })

  function entryOf(name: string): Entry {
    const entry = entries.get(name)
    if (entry === undefined) throw new Error(`There is no tool server ${name}.`)
    return entry
  }

  function connectionTo(name: string): Promise<Connection> {
    const known = connections.get(name)
    if (known !== undefined) return known
    const entry = entryOf(name)
    tellStatus(name, 'pending')
    const sinceMs = Date.now()
    const opened: Promise<Connection> = connect(
      name,
      entry.server,
      () => forget(name, opened),
      entry.credentials,
      () => requests,
      timeoutMs,
    )
    connections.set(name, opened)
    opened.then(
      (connection) => {
        entry.opened = connection
        delete entry.failure
        tellStatus(name, 'connected')
      },
      (error: unknown) => {
        const atMs = Date.now()
        entry.failure = { message: errorText(error), atMs, isSilence: atMs - sinceMs >= timeoutMs }
        connections.delete(name)
        tellStatus(name, statusOf(entry, name), entry.failure.message)
        forget(name, opened)
      },
    )
    return opened
  }

  function forget(name: string, connection: Promise<Connection>): void {
    if (connections.get(name) === connection) {
      connections.delete(name)
      delete entries.get(name)?.opened
    }
    // One that never opened was told to its caller; one that will not close has ended already.
    void connection.then((opened) => opened.close()).catch(() => {})
  }

  function disconnect(name: string): void {
    const connection = connections.get(name)
    if (connection !== undefined) forget(name, connection)
  }

  async function start(name: string, server?: McpServer): Promise<void> {
    const entry = entries.get(name)
    if (server !== undefined && entry !== undefined && !isSame(entry.server, server))
      disconnect(name)
    if (server !== undefined) entries.set(name, replaced(entry, server))
    entryOf(name).state = 'on'
    await connectionTo(name)
  }

  const statusOf = (
    { state, opened, failure, credentials }: Entry,
    name: string,
  ): ServerStatus['status'] => {
    if (state !== 'on') return state
    if (opened !== undefined) return 'connected'
    if (failure === undefined || connections.has(name)) return 'pending'
    return credentials.isRefused === true ? 'needs-auth' : 'failed'
  }

  const connectAll = async () => {
    const on = [...entries].filter(([, { state }]) => state === 'on')
    await Promise.allSettled(on.map(([name]) => connectionTo(name)))
  }

  return {
    connectionTo,
    forget,
    untold() {
      const taken = untold
      untold = []
      return taken
    },
    list: () =>
      [...entries].map(([name, entry]) => {
        const status = statusOf(entry, name)
        const { server, failure, opened } = entry
        return {
          name,
          status,
          server,
          ...((status === 'failed' || status === 'needs-auth') &&
            defined({ error: failure?.message, failedAtMs: failure?.atMs })),
          isSilent: failure?.isSilence === true && Date.now() - failure.atMs < WAITS_AGAIN_MS,
          ...defined({ instructions: opened?.instructions }),
        }
      }),
    configure(servers) {
      for (const [name, { server }] of entries) {
        const next = servers[name]
        if (isSame(next, server)) continue
        disconnect(name)
        if (next !== undefined) continue
        entries.delete(name)
        tell({ type: 'session.mcp_server_removed', data: { serverName: name } })
      }
      for (const [name, server] of Object.entries(servers))
        entries.set(name, replaced(entries.get(name), server))
    },
    connectAll,
    async connection(name) {
      const { state } = entryOf(name)
      if (state !== 'on') throw new Error(`The tool server ${name} is ${state}.`)
      return connectionTo(name)
    },
    start,
    async stop(name) {
      entryOf(name).state = 'stopped'
      disconnect(name)
      tell({ type: 'session.mcp_server_removed', data: { serverName: name } })
      tellStatus(name, 'stopped')
    },
    async enable(name, isOn) {
      const entry = entries.get(name)
      if (entry === undefined) return false
      if (isOn) {
        entry.state = 'on'
        // One that does not come up is told of, and is on.
        await connectionTo(name).catch(() => {})
        return true
      }
      entry.state = 'disabled'
      disconnect(name)
      tell({ type: 'session.mcp_server_removed', data: { serverName: name } })
      tellStatus(name, 'disabled')
      return true
    },
    async reload() {
      for (const name of entries.keys()) disconnect(name)
      for (const entry of entries.values()) delete entry.failure
      await connectAll()
    },
    listen(listener) {
      told = listener
    },
    serve(given) {
      requests = given
    },
    async login(name, wish) {
      const { server, credentials } = entryOf(name)
      if (!('url' in server)) throw new Error(`The tool server ${name} ${NOT_REMOTE}`)
      const { login } = await import('./mcp-login.ts')
      const { authorizationUrl, token } = await login(server.url, wish)
      const signedIn = token.then(async (given) => {
        credentials.token = given
        disconnect(name)
        await start(name)
      })
      if (authorizationUrl === undefined) await signedIn
      // Nobody waits for a person who signs in: the status tells.
      else signedIn.catch((error: unknown) => tellStatus(name, 'needs-auth', errorText(error)))
      return defined({ authorizationUrl })
    },
    async probe(name) {
      const { server, credentials } = entryOf(name)
      if (!('url' in server))
        return { status: 'failed', error: `The tool server ${name} ${NOT_REMOTE}` }
      return probe(server, credentials)
    },
    async close() {
      const open = [...connections.values()]
      connections.clear()
      await Promise.allSettled(open.map(async (connection) => (await connection).close()))
    },
  }
}
