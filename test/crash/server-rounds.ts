/**
 * Servers with several clients, killed at a random moment in the turns of two sessions. What any client was shown is in
 * the logs, the next server serves it, and the sessions go on.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as later } from 'node:timers/promises'
import type { SessionId } from '../../src/format/ids.ts'
import type * as web from '../../src/surfaces/web/api.ts'
import { rawClient, type RawClient } from '../rpc/in-process.ts'
import { PROGRAM } from '../support/program.ts'
import { api, connect } from '../web/web.ts'
import type { Random } from './kill-rounds.ts'
import { requireSurvival } from './survivors.ts'

export type ServerKind = 'server' | 'web'

/** By session, in the order in which it was shown. */
type Shown = ReadonlyMap<SessionId, string[]>

type Round = {
  readonly port: number
  readonly home: string
  /** Sessions of earlier rounds; as many as are missing are made. */
  readonly ids: readonly SessionId[]
  readonly isOver: AbortSignal
}

const SESSIONS = 2
const PROMPT = 'run for i in 1 2 3 4 5 6; do echo step $i of the turn; done'

/** One life of a server. Gives what its clients were shown. `earlier` is what those of former lives were. */
export async function killServerOnce(
  kind: ServerKind,
  home: string,
  earlier: Shown,
  random: Random,
): Promise<Shown> {
  mkdirSync(home, { recursive: true })
  const { port, kill } = await startServer(kind, home)
  const over = new AbortController()
  const round = { port, home, ids: [...earlier.keys()], isOver: over.signal }
  const working = await clients[kind](round)
  await working.begun
  await later(random() * 400)
  over.abort()
  await kill()
  const shown = await working.shown()
  const all = new Map<SessionId, string[]>()
  for (const id of new Set([...earlier.keys(), ...shown.keys()])) {
    const ids = [...(earlier.get(id) ?? []), ...(shown.get(id) ?? [])]
    await requireSurvival(home, id, ids)
    all.set(id, ids)
  }
  return all
}

type Working = {
  /** Every session has been shown something of this life. */
  readonly begun: Promise<unknown>
  /** When the connections have ended. */
  shown(): Promise<Shown>
}

const clients: Readonly<Record<ServerKind, (round: Round) => Promise<Working>>> = {
  async server({ port, home, ids, isOver }) {
    const token = readFileSync(join(home, `.reprise/server-${port}.token`), 'utf8').trim()
    const joined = async (): Promise<RawClient> => {
      const client = rawClient(connectTo(port, '127.0.0.1'))
      await client.call('connect', { token })
      return client
    }
    const [talker, watcher] = [await joined(), await joined()]
    const sessions: SessionId[] = []
    for (let nth = 0; nth < SESSIONS; nth += 1) {
      const known = ids[nth]
      const { sessionId } = await talker.call<{ sessionId: string }>(
        known === undefined ? 'session.create' : 'session.resume',
        known === undefined ? {} : { sessionId: known },
      )
      await talker.call('session.permissions.setMode', { sessionId, mode: 'allow-all' })
      // A session is on disk with its first message.
      await talker.call('session.send', { sessionId, prompt: 'status', wait: true })
      await watcher.call('session.resume', { sessionId })
      sessions.push(sessionId as SessionId)
    }
    const talking = sessions.map(async (sessionId) => {
      while (!isOver.aborted)
        await talker.call('session.send', { sessionId, prompt: PROMPT, wait: true })
    })
    // The end of the connection ends them.
    const silent = Promise.allSettled(talking)
    return {
      begun: Promise.all(sessions.map((id) => watcher.event(id, 'user.message'))),
      async shown() {
        await Promise.all([talker.ended, watcher.ended, silent])
        return new Map(
          sessions.map((id) => [
            id,
            // The log has the order; each client was shown a part of it.
            longest(
              [talker, watcher].map((each) =>
                each.events(id).flatMap((event) => (event.ephemeral ? [] : [event.id])),
              ),
            ),
          ]),
        )
      },
    }
  },
  async web({ port, home, ids, isOver }) {
    const token = readFileSync(join(home, '.reprise/web-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const sessions: SessionId[] = []
    for (let nth = 0; nth < SESSIONS; nth += 1) {
      const known = ids[nth]
      const made = known ?? (await api<web.CreatedAnswer>(port, '/api/sessions', {}, headers)).body
      sessions.push((typeof made === 'string' ? made : made.sessionId) as SessionId)
    }
    const watching = sessions.flatMap((id) => [0, 1].map(() => watch(port, id, headers)))
    const talking = sessions.map(async (id) => {
      while (!isOver.aborted)
        await api(port, `/api/sessions/${id}/send`, { prompt: 'status', wait: true }, headers)
    })
    const silent = Promise.allSettled(talking)
    return {
      begun: Promise.all(watching.map(({ begun }) => begun)),
      async shown() {
        await silent
        const all = await Promise.all(watching.map(({ shown }) => shown))
        return new Map(
          sessions.map((id, nth) => [id, longest(all.slice(nth * 2, nth * 2 + 2))] as const),
        )
      },
    }
  },
}

/** What one client of the page is shown of one session from now on, until the connection ends. */
function watch(
  port: number,
  id: SessionId,
  headers: { readonly authorization: string },
): { readonly begun: Promise<void>; readonly shown: Promise<string[]> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const shown = (async () => {
    const { frames } = await connect(port, `/api/sessions/${id}/stream`, headers)
    const ids: string[] = []
    let isLive = false
    for await (const { event, data } of frames) {
      isLive ||= event === 'ready'
      // History of former lives is not shown anew.
      if (event !== 'event' || !isLive) continue
      ids.push((data as { readonly id: string }).id)
      resolve()
    }
    return ids
  })()
  return { begun, shown }
}

const longest = (all: readonly string[][]): string[] =>
  all.toSorted((one, other) => other.length - one.length)[0] ?? []

async function startServer(
  kind: ServerKind,
  home: string,
): Promise<{ readonly port: number; kill(): Promise<void> }> {
  const args = kind === 'web' ? ['web', '--no-open', '--port', '0'] : ['--server']
  const child = spawn(PROGRAM, [...args, '--home', home], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, REPRISE_AGENT: 'offline', HOME: home, NODE_NO_WARNINGS: '1' },
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const port = Number(/(?:listening on port |127\.0\.0\.1:)(\d+)/i.exec(line)?.[1])
    if (!(port > 0)) continue
    return {
      port,
      async kill() {
        assert.equal(child.exitCode, null, 'the server ended by itself')
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error('The server did not start.')
}
