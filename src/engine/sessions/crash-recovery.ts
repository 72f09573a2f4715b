/**
 * Sessions that were open when their process died: in a crash, a power cut, a reboot. What waits in them is on disk, and
 * is there when they are opened. One that was left in order, or that a process has had since, is none.
 */
import type { SessionId } from '../../format/ids.ts'
import { readLease } from '../../log/lease.ts'
import { runningIn } from '../../state/running.ts'
import type { EngineContext } from '../engine-context.ts'
import { load } from '../live/folded-log.ts'
import { sessionDir } from '../session-dir.ts'
import { leftQueue } from '../turn/queue-file.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import { readOneSummary } from '../catalogue/read-summaries.ts'
import { diedWith, noteOver, noteTold } from '../catalogue/dirty-markers.ts'

export type LeftOpen = {
  readonly session: SessionSummary
  /** Which program had it open, as it was told to others. */
  readonly by: string
  /** A turn was at work. */
  readonly wasRunning: boolean
  /** It asked for something that nobody has answered. */
  readonly asks: boolean
  /** Messages that wait to be sent. */
  readonly waiting: readonly string[]
  /** People were told of it before. */
  readonly isTold: boolean
}

/** Newest first. */
export async function leftOpen(engine: EngineContext): Promise<readonly LeftOpen[]> {
  const { fs } = engine
  const found: LeftOpen[] = []
  for (const [id, { isTold, paths }] of await diedWith(fs)) {
    const left = await lookAt(engine, id, isTold)
    if (left === undefined) await noteOver(fs, paths)
    else found.push(left)
  }
  return found.sort((one, other) => (one.session.modifiedAt < other.session.modifiedAt ? 1 : -1))
}

async function lookAt(
  engine: EngineContext,
  id: SessionId,
  isTold: boolean,
): Promise<LeftOpen | undefined> {
  const { fs } = engine
  const dir = sessionDir(id)
  const holder = await readLease(fs, dir)
  if (holder === undefined || holder.alive || engine.live.has(id)) return undefined
  const session = await readOneSummary(fs, id)
  if (session === undefined) return undefined
  const state = (await load(fs, dir)).folder.state()
  const waiting = (await leftQueue(engine, dir)).map(({ prompt }) => prompt)
  const isAsked = state.pendingTools.some(({ toolName }) => ASKING.has(toolName))
  return {
    session,
    by: holder.label,
    wasRunning: runningIn(state) !== undefined,
    asks: state.openRequests.length > 0 || isAsked,
    waiting,
    isTold,
  }
}

/** Tools whose result a person gives. */
const ASKING: ReadonlySet<string> = new Set(['ask_user', 'exit_plan_mode'])

/** They stay listed until each is opened; nobody is asked about them again. */
export async function toldLeftOpen({ fs }: EngineContext): Promise<void> {
  for (const { paths } of (await diedWith(fs)).values()) await noteTold(fs, paths)
}
