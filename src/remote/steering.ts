/**
 * Does in open sessions what people want from afar: asks Mission Control for commands, does each once, and says what
 * became of it after the events that show it have arrived there. Tells meanwhile how the session is.
 */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { SessionId } from '../format/ids.ts'
import { errorText } from '../lib/error-text.ts'
import { applyCommand, CommandRefused } from './apply-command.ts'
import type { Allowance } from './apply-command.ts'
import type { Heartbeat, RemoteCommand, Server } from './server.ts'

export type SteeringParts = {
  readonly engine: Pick<Engine, 'open' | 'isOpen'>
  readonly server: Server
  readonly allowance: Allowance
  /** Brings the copy up to the log. */
  sync(id: SessionId): Promise<unknown>
  isSteerable(id: SessionId): Promise<boolean>
  readonly lookMs?: number
}

export type Steering = ReturnType<typeof createSteering>

const LOOK_MS = 1000
const HEARTBEAT_MS = 10_000

export function createSteering(parts: SteeringParts) {
  const { engine, lookMs = LOOK_MS } = parts
  const watched = new Map<SessionId, { timer: NodeJS.Timeout; told: string; toldAt: number }>()
  let isStopped = false

  const watch = (id: SessionId): void => {
    if (isStopped || watched.has(id)) return
    const entry = { timer: again(id), told: '', toldAt: 0 }
    watched.set(id, entry)
  }

  const again = (id: SessionId) => setTimeout(() => void look(id), lookMs).unref()

  async function look(id: SessionId): Promise<void> {
    const entry = watched.get(id)
    if (entry === undefined) return
    try {
      if (!engine.isOpen(id)) {
        watched.delete(id)
        return
      }
      const isSteerable = await parts.isSteerable(id)
      const session = await engine.open(id)
      const beat = { ...(await heartbeatOf(session)), steerable: isSteerable }
      const told = JSON.stringify(beat)
      if (told !== entry.told || Date.now() - entry.toldAt >= HEARTBEAT_MS) {
        await parts.server.heartbeat(id, beat)
        Object.assign(entry, { told, toldAt: Date.now() })
      }
      if (isSteerable)
        for (const command of await parts.server.claimCommands(id)) await carryOut(session, command)
    } catch {
      // The exporter tells of a server that cannot be reached; the next look tries again.
    }
    if (!isStopped && watched.has(id)) entry.timer = again(id)
  }

  async function carryOut(session: Session, command: RemoteCommand): Promise<void> {
    const settle = (settlement: Parameters<Server['settle']>[2]) =>
      parts.server.settle(session.id, command.id, settlement)
    const actor = { who: command.person, surface: 'mission-control', machine: parts.server.url }
    let event: string
    try {
      event = await applyCommand({ session, command, actor, allowance: parts.allowance })
    } catch (cause) {
      if (!(cause instanceof CommandRefused || cause instanceof EngineError)) throw cause
      return settle({ state: 'refused', reason: errorText(cause).slice(0, 2000) })
    }
    await parts.sync(session.id)
    await settle({ state: 'applied', event })
  }

  return {
    watch,
    stop(): void {
      isStopped = true
      for (const { timer } of watched.values()) clearTimeout(timer)
      watched.clear()
    },
  }
}

async function heartbeatOf(session: Session): Promise<Heartbeat> {
  const isRunning = session.now?.isRunning === true
  if (!isRunning) return { state: 'idle' }
  const { requests, questions } = await session.pending()
  return { state: requests.length + questions.length > 0 ? 'input-needed' : 'working' }
}
