/**
 * Tells of changes that other processes make in any session of the home, and what goes on in those they have open. No file system watches ten thousand folders,
 * so the list is looked at again and again, and only while somebody wants to know.
 */
import type { SessionSummary } from '../../engine/home/catalogue-row.ts'
import type { RunningSessions } from '../../engine/neighbours/running-sessions.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { SessionStatus } from './api.ts'

export type OutsideKind = 'records' | 'reset' | 'deleted' | 'forked' | 'renamed' | 'status'
type Listener = (id: SessionId, kind: OutsideKind) => void

export interface Outside {
  /** Tells of what changed since the last look; of the server's own changes too. */
  watch(listener: Listener): Disposable
  /** A list that was given to a client is a look too: what it was shown and is gone by the next look must be told. */
  note(sessions: readonly SessionSummary[]): void
  /** What goes on now, by a look that is taken for it. */
  work(): Promise<RunningSessions>
  /** What went on at the last look. */
  status(id: SessionId): SessionStatus
  /** Resolves when there was a first look: what changes from then on is told. */
  looked(): Promise<void>
  close(): void
}

/** A look at a large home takes longer, and then comes less often. */
const EVERY_MS = 1000
const SHARE = 20

export function createOutside(engine: Pick<Engine, 'list' | 'running'>): Outside {
  const listeners = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined
  let known: ReadonlyMap<SessionId, SessionSummary> | undefined
  let looking: Promise<void> | undefined
  let working: RunningSessions = new Map()

  async function look(): Promise<void> {
    const start = performance.now()
    // A home that cannot be read now is looked at again; whoever asks for the list is told why.
    const sessions = await engine.list().catch(() => undefined)
    await work()
    looking = undefined
    if (listeners.size === 0) return
    if (sessions !== undefined) note(sessions)
    plan(Math.max(EVERY_MS, (performance.now() - start) * SHARE))
  }
  async function work(): Promise<RunningSessions> {
    const before = working
    working = await engine.running().catch(() => before)
    for (const id of new Set([...before.keys(), ...working.keys()]))
      if (before.get(id) !== working.get(id))
        for (const listener of listeners) listener(id, 'status')
    return working
  }
  function note(sessions: readonly SessionSummary[]): void {
    if (listeners.size === 0) return
    const before = known
    known = new Map(sessions.map((session) => [session.id, session]))
    if (before === undefined) return
    for (const [id, kind] of differences(before, known))
      for (const listener of listeners) listener(id, kind)
  }
  function begin(): void {
    looking ??= look()
  }
  function plan(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(begin, ms)
  }
  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    known = undefined
  }

  return {
    watch(listener) {
      const own: Listener = (id, kind) => listener(id, kind)
      listeners.add(own)
      if (listeners.size === 1) begin()
      return { [Symbol.dispose]: () => leave(own) }
    },
    note,
    work,
    status: (id) => working.get(id) ?? 'idle',
    looked: async () => {
      if (known === undefined) await looking
    },
    close() {
      for (const listener of listeners) leave(listener)
    },
  }
}

type Known = ReadonlyMap<SessionId, SessionSummary>

export function* differences(
  before: Known,
  now: Known,
): Generator<readonly [SessionId, OutsideKind], void, undefined> {
  for (const id of before.keys()) if (!now.has(id)) yield [id, 'deleted']
  for (const [id, session] of now) {
    const old = before.get(id)
    if (old === undefined) yield [id, session.forkedFrom === undefined ? 'records' : 'forked']
    else if (session.bytes < old.bytes) yield [id, 'reset']
    else if (session.bytes !== old.bytes || session.modifiedAt !== old.modifiedAt)
      yield [id, 'records']
    else if (session.name !== old.name) yield [id, 'renamed']
  }
}
