/**
 * Does in open sessions what people want from afar: waits at Mission Control for commands, does each once, and says what
 * became of it after the events that show it have arrived there. Tells meanwhile how the session is, and passes on what
 * it says as it says it; that is not kept there, and what cannot be told now is not told later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import { errorText } from '../lib/error-text.ts'
import { applyCommand, CommandRefused, sourceOf } from './apply-command.ts'
import type { Allowance } from './apply-command.ts'
import type { Heartbeat, RemoteCommand, Server, Settlement } from './server.ts'

export type SteeringParts = {
  readonly engine: Pick<Engine, 'open' | 'isOpen'>
  readonly server: Server
  readonly allowance: Allowance
  /** Takes secrets out of what streams. */
  cleanNotices(): (notice: Notice) => readonly Notice[]
  /** Brings the copy up to the log. */
  sync(id: SessionId): Promise<unknown>
  isSteerable(id: SessionId): Promise<boolean>
}

export type Steering = ReturnType<typeof createSteering>

const LOOK_MS = 1000
const MOST_LOOKS = 20
const HEARTBEAT_MS = 10_000
const WAIT_SECONDS = 20
const NOTICES_MS = 100
const MOST_NOTICES = 200
/** So far back it is looked whether a command was done before. */
const LOOKED_BACK = 200

export function createSteering(parts: SteeringParts) {
  const { engine, server } = parts
  const watched = new Set<SessionId>()
  const stopped = new AbortController()
  const done = new Set<string>()
  const isWatched = (id: SessionId): boolean => !stopped.signal.aborted && engine.isOpen(id)

  /** Again and again while the session is open here; what goes wrong is tried again. */
  async function repeatedly(
    id: SessionId,
    work: (session: Session) => Promise<unknown>,
  ): Promise<void> {
    while (isWatched(id)) {
      const begun = Date.now()
      try {
        await work(await engine.open(id))
      } catch {
        // The exporter tells of a server that cannot be reached.
      }
      const rest = LOOK_MS - (Date.now() - begun)
      const wait = { ref: false, signal: stopped.signal }
      if (rest > 0) await sleep(rest, undefined, wait).catch(() => {}) // stopping ends the wait
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

  async function commands(session: Session): Promise<void> {
    if (!(await parts.isSteerable(session.id))) return
    const wish = { wait: WAIT_SECONDS, signal: stopped.signal }
    for (const command of await server.claimCommands(session.id, wish))
      await carryOut(session, command)
  }

  async function carryOut(session: Session, command: RemoteCommand): Promise<void> {
    if (done.has(command.id)) return
    done.add(command.id)
    await server.settle(session.id, command.id, await outcomeOf(session, command))
  }

  async function outcomeOf(session: Session, command: RemoteCommand): Promise<Settlement> {
    const before = await doneBefore(session, command.id)
    if (before !== undefined) return { state: 'applied', event: before }
    const actor = { who: command.person, surface: 'mission-control', machine: server.url }
    try {
      const event = await applyCommand({ session, command, actor, allowance: parts.allowance })
      await parts.sync(session.id)
      return { state: 'applied', event }
    } catch (cause) {
      if (!(cause instanceof CommandRefused || cause instanceof EngineError)) throw cause
      return { state: 'refused', reason: errorText(cause).slice(0, 2000) }
    }
  }

  /** Passes on what streams, in handfuls. */
  async function live(id: SessionId): Promise<void> {
    const clean = parts.cleanNotices()
    let waiting: Notice[] = []
    let isSending = false
    const send = async (): Promise<void> => {
      if (isSending) return
      isSending = true
      await sleep(NOTICES_MS, undefined, { ref: false })
      const handful = waiting.slice(0, MOST_NOTICES)
      waiting = []
      await server.notices(id, handful).catch(() => {}) // best effort: the event brings the whole
      isSending = false
    }
    const session = await engine.open(id)
    for await (const item of session.follow({ fromNow: true, signal: stopped.signal })) {
      if (item.kind !== 'notice') continue
      waiting.push(...clean(item.notice))
      if (waiting.length > 0) void send()
    }
  }

  async function attend(id: SessionId): Promise<void> {
    // A handle is asked for before the session is opened through it.
    for (let looks = 0; looks < MOST_LOOKS && !isWatched(id); looks++)
      await sleep(LOOK_MS / 4, undefined, { ref: false })
    if (!isWatched(id)) return
    void live(id).catch(() => {}) // what streams is told as well as it can be
    await Promise.all([repeatedly(id, presence()), repeatedly(id, commands)])
  }

  return {
    /** For as long as it is open in this process. */
    watch(id: SessionId): void {
      if (stopped.signal.aborted || watched.has(id)) return
      watched.add(id)
      void attend(id).finally(() => watched.delete(id))
    },
    stop: (): void => stopped.abort(),
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
