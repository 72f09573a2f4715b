/** What waits for a person in a session, wherever its turn runs. */
import type { Event } from '../../format/event.ts'
import type { ShownQuestion } from '../../format/inbox.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { defined } from '../../lib/defined.ts'
import { readLog } from '../../log/read.ts'
import { leftQuestions, type LeftWork } from '../../state/pending-work.ts'
import { runningIn } from '../../state/running.ts'
import type { EngineContext } from '../engine-context.ts'
import { isRunning, stateOf, type LiveSession } from '../live/live-session.ts'
import { readLeftWork } from '../live/read-pending-work.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import { logPath } from '../../format/paths.ts'
import { holderElsewhere } from './ask-next-door.ts'
import { shownQuestions } from './shown-questions.ts'

export type Pending = {
  /**
   * Who takes an answer: this process, another one, or a program that takes none from here. `left`: the process that
   * asked is gone, and an answer has its turn gone on with here. Absent: nobody.
   */
  readonly at?: 'here' | 'next-door' | 'foreign' | 'left'
  /** Every `permission.requested` that the log has open, oldest first. */
  readonly requests: readonly Event[]
  readonly questions: readonly Omit<ShownQuestion, 'version'>[]
}

const NOTHING: Pending = { requests: [], questions: [] }

export async function pendingIn(engine: EngineContext, session: LiveSession): Promise<Pending> {
  const state = stateOf(session)
  if (runningIn(state) === undefined) return NOTHING
  const requests: Event[] = []
  for (const { start } of state.openRequests) {
    const event = await requestAt(engine, session, start)
    if (event !== undefined) requests.push(event)
  }
  if (isRunning(session)) {
    const questions = [...session.asks.questions.values()].map(({ asked }) => asked)
    return { at: 'here', requests, questions }
  }
  if ((await holderElsewhere(engine, session)) === undefined) {
    const { at, left } = await takerOf(engine, session)
    return { requests, questions: left ? leftQuestions(left) : [], ...defined({ at }) }
  }
  const shown = await shownQuestions(engine.fs, session.dir)
  return {
    at: 'next-door',
    requests,
    questions: shown.map(({ version: _version, ...question }) => question),
  }
}

/** The turn of a process that is gone can be gone on with where its agent can. */
async function takerOf(
  engine: EngineContext,
  session: LiveSession,
): Promise<{ readonly at?: 'left' | 'foreign'; readonly left?: LeftWork }> {
  if ((await foreignHolders(engine.fs, session.dir)).length > 0) return { at: 'foreign' }
  if ((await answeringIfAny(engine, session))?.continues !== true) return {}
  const left = await readLeftWork(engine, session)
  return left === undefined ? {} : { at: 'left', left }
}

/** The process that asked is gone, and its agent is one that cannot go on. One that is not to be had may yet be. */
export async function isForNobody(engine: EngineContext, session: LiveSession): Promise<boolean> {
  const agent = await answeringIfAny(engine, session)
  if (agent === undefined || agent.continues === true) return false
  return (await foreignHolders(engine.fs, session.dir)).length === 0
}

async function requestAt(
  { fs }: EngineContext,
  { dir }: LiveSession,
  start: number,
): Promise<Event | undefined> {
  for await (const { records } of readLog(fs, logPath(dir), { from: start })) {
    const event = records[0]?.event
    if (event === undefined) continue
    return 'stranger' in event || event.type !== 'permission.requested' ? undefined : event
  }
  return undefined
}
