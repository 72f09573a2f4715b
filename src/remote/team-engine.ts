/**
 * An engine without a home: every session is one of another machine that a person may see, read from its copy in
 * Mission Control, and what is done in it is done by its machine. For the page that Mission Control serves.
 */
import { createEngine, type Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { Work } from '../engine/transport/running-sessions.ts'
import type { FarSummary } from '../engine/remote-control.ts'
import { asSessionId, isSessionId, type SessionId } from '../format/ids.ts'
import { openMemory } from '../fs/memory.ts'
import { asEngineErrors } from './engine-errors.ts'
import { summaryOf } from './far-list.ts'
import { createConnections } from './client/connections.ts'
import { RemoteError } from './remote-error.ts'
import type { Server } from './control-client.ts'

/** A list is asked for by every view that is open, and is as good for all of them. */
const FRESH_MS = 1000
const PAGE = 1000
const PATIENCE_MS = 15_000

const WORK: Readonly<Record<string, Work>> = { working: 'running', 'input-needed': 'waiting' }

type TeamEngineOptions = {
  /** For a guest: there is no session but this one. */
  readonly guestOf?: string | undefined
}

export function openTeamEngine(server: Server, { guestOf }: TeamEngineOptions = {}): Engine {
  const connections = createConnections(server)
  const base = createEngine({ fs: openMemory(), cwd: '/' })
  let known: { readonly at: number; readonly sessions: Promise<readonly FarSummary[]> } | undefined

  function list(): Promise<readonly FarSummary[]> {
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.sessions
    const sessions = asEngineErrors(async () =>
      guestOf === undefined ? listAll(server) : [summaryOf(await server.session(guestOf))],
    )
    known = { at: performance.now(), sessions }
    sessions.catch(() => (known = undefined)) // who asked is told; the next one asks again
    return sessions
  }

  /** Asked every time: what was read before is not shown to who may not see it any more. */
  async function openAllowed(id: SessionId): Promise<Session> {
    try {
      await server.session(id)
    } catch (cause) {
      if (cause instanceof RemoteError && cause.trouble === 'gone') await connections.leave(id)
      throw cause
    }
    return connections.connect(id)
  }

  return {
    ...base,
    list,
    open: (id) => asEngineErrors(() => openAllowed(id)),
    isOpen: (id) => connections.connected(id) !== undefined,
    project: async (cwd) => ({ cwd }),
    async running() {
      const found = new Map<SessionId, Work>()
      for (const { id, remote } of await list()) {
        const work = remote.isStale ? undefined : WORK[remote.state]
        if (work !== undefined) found.set(id, work)
      }
      return found
    },
    async create() {
      throw new EngineError(
        'invalid',
        'A session begins on a machine, where its files are. Nothing was started. On a machine that has joined: reprise, then /remote on.',
      )
    },
    remove: (ids, { now: forGood = false } = {}) =>
      asEngineErrors(async () => {
        for (const id of ids) await server.remove(id, { forGood })
        known = undefined
        return ids.map((id) => ({ id, outcome: forGood ? 'deleted' : 'trashed', bytes: 0 }))
      }),
    trash: () =>
      asEngineErrors(async () =>
        (await server.trash()).flatMap(({ id, title, deletedAt }) =>
          isSessionId(id)
            ? [{ id: asSessionId(id), title, deletedAt: new Date(deletedAt), path: '' }]
            : [],
        ),
      ),
    restore: (word) =>
      asEngineErrors(async () => {
        await server.restore(word)
        known = undefined
        return asSessionId(word)
      }),
    async stop() {
      await connections.close()
      await base.stop()
    },
  }
}

async function listAll(server: Server): Promise<readonly FarSummary[]> {
  const found: FarSummary[] = []
  for (;;) {
    const wish = { limit: PAGE, offset: found.length }
    const { sessions, total } = await server.near(wish, PATIENCE_MS)
    found.push(...sessions.map(summaryOf))
    if (sessions.length < PAGE || found.length >= total) return found
  }
}
