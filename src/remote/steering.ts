/**
 * Does in open sessions what people want from afar: waits at Mission Control for commands, does each once, and says what
 * became of it after the events that show it have arrived there. Tells meanwhile how the session is, and passes on what
 * streams.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { applyCommand, CommandRefused, sourceOf, type Allowance } from './apply-command.ts'
import type { RedactValue } from './lines.ts'
import { passOnNotices } from './live-notices.ts'
import type { Heartbeat, RemoteCommand, Server, Settlement } from './control-client.ts'

type SteeringParts = {
  readonly engine: Pick<Engine, 'open' | 'isOpen'>
  readonly server: Server
  readonly allowance: Allowance
  readonly redact: RedactValue
  /** Takes secrets out of what streams. */
  cleanNotices(): (notice: Notice) => readonly Notice[]
  /** Brings the copy up to the log. */
  sync(id: SessionId): Promise<unknown>
  isSteerable(id: SessionId): Promise<boolean>
}

const isUrgent = ({ kind }: RemoteCommand): boolean =>
  kind === 'abort' || kind.endsWith('_response')

const LOOK_MS = 1000
const MOST_LOOKS = 20
const HEARTBEAT_MS = 10_000
const WAIT_SECONDS = 20
/** So far back it is looked whether a command was done before. */
const LOOKED_BACK = 200

/** A session that is open here. */
type Attended = {
  readonly over: AbortController
  /** Commands that were begun. */
  readonly done: Set<string>
  readonly underWay: Set<Promise<void>>
  /** The one that came last, of those that wait for each other. */
  last: Promise<void> | undefined
}

const nothingDone = (): Omit<Attended, 'over'> => ({
  done: new Set(),
  underWay: new Set(),
  last: undefined,
})

export function createSteering(parts: SteeringParts) {
  const { engine, server } = parts
  const attended = new Map<SessionId, Attended>()
  const clean = (value: unknown): unknown => parts.redact(value).value
  let isStopped = false
  const isWatched = (id: SessionId, { over }: Attended): boolean =>
    !over.signal.aborted && engine.isOpen(id)

  /** Again and again while the session is open here; what goes wrong is tried again. */
  async function repeatedly(
    id: SessionId,
    here: Attended,
    work: (session: Session) => Promise<unknown>,
  ): Promise<void> {
    while (isWatched(id, here)) {
      const begun = Date.now()
      try {
        await work(await engine.open(id))
      } catch {
        // The exporter tells of a server that cannot be reached.
      }
      const rest = LOOK_MS - (Date.now() - begun)
      const wait = { ref: false, signal: here.over.signal }
      if (rest > 0) await sleep(rest, undefined, wait).catch(() => {}) // its end ends the wait
    }
  }

  function presence(): (session: Session) => Promise<void> {
    let told = ''
    let toldAt = 0
    return async (session) => {
      const beat = { ...(await stateOf(session)), steerable: await parts.isSteerable(session.id) }
      const text = JSON.stringify(beat)
      if (text === told && Date.now() - toldAt < HEARTBEAT_MS) return
      await server.heartbeat(session.id, beat)
      told = text
      toldAt = Date.now()
    }
  }

  /** What is told again is under way: the next is asked for when something of it is done, or soon. */
  async function commands(session: Session, here: Attended): Promise<void> {
    const wish = { wait: WAIT_SECONDS, signal: here.over.signal }
    while (isWatched(session.id, here) && (await parts.isSteerable(session.id))) {
      const claimed = await server.claimCommands(session.id, wish)
      const fresh = claimed.filter(({ id }) => !here.done.has(id))
      for (const command of fresh) carryOut(session, here, command)
      if (claimed.length > 0 && fresh.length === 0) await somethingDone(here)
    }
  }

  /** In the order in which they came; what people say to what waits for them does not wait for the rest. */
  function carryOut(session: Session, here: Attended, command: RemoteCommand): void {
    const { done, underWay } = here
    done.add(command.id)
    const work = async () =>
      server.settle(session.id, command.id, await outcomeOf(session, command))
    const before = isUrgent(command) ? undefined : here.last
    const carried = Promise.resolve(before)
      .then(work)
      .catch(() => {}) // the claim runs out, and the sender is told that nobody knows
    if (!isUrgent(command)) here.last = carried
    underWay.add(carried)
    void carried.finally(() => underWay.delete(carried))
  }

  async function somethingDone({ underWay, over: { signal } }: Attended): Promise<void> {
    const soon = sleep(LOOK_MS / 4, undefined, { ref: false, signal })
    const all = [...underWay, soon.catch(() => {})] // its end ends the wait
    await Promise.race(all)
  }

  async function outcomeOf(session: Session, command: RemoteCommand): Promise<Settlement> {
    const before = await doneBefore(session, command.id)
    if (before !== undefined) return { state: 'applied', event: before, result: 'null' }
    const { person: who, name, origin } = command
    const by = { who, ...defined({ name: name ?? undefined }) }
    const actor = { ...by, surface: 'mission-control', machine: origin ?? server.url }
    try {
      const { allowance } = parts
      const { event, result = null } = await applyCommand({ session, command, actor, allowance })
      await parts.sync(session.id)
      return { state: 'applied', event, result: JSON.stringify(clean(result)) }
    } catch (cause) {
      if (!(cause instanceof CommandRefused || cause instanceof EngineError)) throw cause
      const result = JSON.stringify({ code: cause.code })
      return { state: 'refused', reason: errorText(cause).slice(0, 2000), result }
    }
  }

  async function attend(id: SessionId, here: Attended): Promise<void> {
    const { signal } = here.over
    // A handle is asked for before the session is opened through it.
    for (let looks = 0; looks < MOST_LOOKS && !isWatched(id, here) && !signal.aborted; looks++)
      await sleep(LOOK_MS / 4, undefined, { ref: false })
    if (!isWatched(id, here)) return
    const pieces = { server, clean: parts.cleanNotices(), sync: parts.sync }
    void passOnNotices(pieces, await engine.open(id), signal).catch(() => {}) // told as well as it can be
    const work = (session: Session) => commands(session, here)
    await Promise.all([repeatedly(id, here, presence()), repeatedly(id, here, work)])
  }

  return {
    /** For as long as it is open in this process. */
    watch(id: SessionId): void {
      const before = attended.get(id)
      if (isStopped || before?.over.signal.aborted === false) return
      const here: Attended = { ...(before ?? nothingDone()), over: new AbortController() }
      attended.set(id, here)
      void attend(id, here).finally(async () => {
        here.over.abort()
        // What is under way is not begun again by the next life of the session.
        await Promise.all(here.underWay)
        if (attended.get(id) === here) attended.delete(id)
      })
    },
    closed: (id: SessionId): void => attended.get(id)?.over.abort(),
    stop(): void {
      isStopped = true
      for (const { over } of attended.values()) over.abort()
    },
  }
}

/** The event that a process before this one wrote for the command. */
async function doneBefore(session: Session, commandId: string): Promise<string | undefined> {
  const { events } = await session.events({ direction: 'backward', limit: LOOKED_BACK })
  return events.find(({ data }) => (data as { source?: unknown }).source === sourceOf(commandId))
    ?.id
}

async function stateOf(session: Session): Promise<Heartbeat> {
  if (session.now?.isRunning !== true) return { state: 'idle' }
  const { requests, questions } = await session.pending()
  return { state: requests.length + questions.length > 0 ? 'input-needed' : 'working' }
}
