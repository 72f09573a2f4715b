/**
 * Tells clients in which sessions of the home something runs or waits for a person, and that something changed in one.
 * What this engine does it is told; what other processes do is looked for, again and again, since no file system
 * watches ten thousand folders, and only while a client wants to know.
 */
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import type { RunningSessions } from '../../engine/transport/running-sessions.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { serially } from '../../lib/coalesce.ts'
import type { ActivityFrame } from './api.ts'

type WorkChange = Extract<ActivityFrame, { event: 'changed' }>['data']
type Listener = (change: WorkChange) => void

export interface RunningWork {
  /** Resolves after a first look: all that changes from then on is told, this server's own changes too. */
  watch(listener: Listener): Promise<Disposable>
  /** A list that was given to a client is a look too: what it was shown and is gone by the next look must be told. */
  note(sessions: readonly SessionSummary[]): void
}

/** What changes often is told a few times a second. */
const TELL_MS = 200
/** A look at a large home takes longer, and then comes less often. */
const LOOK_MS = 1000
const SHARE = 20

export function createRunningWork(
  engine: Pick<Engine, 'list' | 'running' | 'subscribe'>,
): RunningWork {
  const listeners = new Set<Listener>()
  const changes = new Map<string, Pick<WorkChange, 'id' | 'kind'>>()
  let known: Known | undefined
  let running: RunningSessions = new Map()
  let own: Disposable | undefined
  let telling: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined

  function changed(id: SessionId, kind: WorkChange['kind']): void {
    changes.set(`${kind} ${id}`, { id, kind })
    telling ??= setTimeout(() => void tell(), TELL_MS)
  }

  const tell = serially(async () => {
    const before = running
    // What cannot be read now is as it was until it is looked at again.
    running = await engine.running().catch(() => before)
    for (const id of new Set([...before.keys(), ...running.keys()]))
      if (before.get(id) !== running.get(id)) changed(id, 'status')
    clearTimeout(telling)
    telling = undefined
    for (const each of changes.values())
      for (const listener of listeners)
        listener({ ...each, status: running.get(each.id) ?? 'idle' })
    changes.clear()
  })

  const look = serially(async () => {
    const start = performance.now()
    // A home that cannot be read now is looked at again; a request for the list is told why.
    const sessions = await engine.list().catch(() => undefined)
    if (sessions !== undefined) note(sessions)
    await tell()
    clearTimeout(looking)
    const ms = Math.max(LOOK_MS, (performance.now() - start) * SHARE)
    if (listeners.size > 0) looking = setTimeout(() => void look(), ms)
  })

  function note(sessions: readonly SessionSummary[]): void {
    if (listeners.size === 0) return
    const before = known
    known = new Map(sessions.map((session) => [session.id, session]))
    if (before !== undefined) for (const [id, kind] of differences(before, known)) changed(id, kind)
  }

  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size > 0) return
    own?.[Symbol.dispose]()
    own = undefined
    known = undefined
    clearTimeout(telling)
    clearTimeout(looking)
    telling = undefined
  }

  return {
    note,
    async watch(given) {
      const listener: Listener = (each) => given(each)
      listeners.add(listener)
      own ??= engine.subscribe(({ id, kind }) => kind !== 'closed' && changed(id, kind))
      await look()
      return { [Symbol.dispose]: () => leave(listener) }
    },
  }
}

type Known = ReadonlyMap<SessionId, SessionSummary>

function* differences(
  before: Known,
  now: Known,
): Generator<readonly [SessionId, WorkChange['kind']], void, undefined> {
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
