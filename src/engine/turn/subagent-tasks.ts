/**
 * Sub-agents of a session, for people and programs: which there are, setting one to work, talking to it, stopping it.
 * What is known of them is folded from the log, so that it holds after a resume, a rewind and in a fork.
 */
import { logPath } from '../../format/paths.ts'
import { readLog } from '../../log/read.ts'
import { defined } from '../../lib/defined.ts'
import { deferred } from '../../lib/deferred.ts'
import type { ByteRange } from '../../state/positioned-event.ts'
import type { Task } from '../../state/subagents.ts'
import type { TaskRequest, TaskStart, TaskStep } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { stateWithUnwritten } from '../live/pending-events.ts'
import { answering, answeringIfAny } from './resolve-agent.ts'
import { occupy } from './acquire-session.ts'
import { taskTurn } from './turn.ts'

export type ShownTask = Task & {
  /** The last thing that it was asked, and the last thing that it said. */
  readonly asked?: string
  readonly answered?: string
}

export const listTasks = (
  engine: EngineContext,
  session: LiveSession,
): Promise<readonly ShownTask[]> =>
  Promise.all(stateOf(session).tasks.map((task) => shown(engine, session, task)))

async function shown(engine: EngineContext, session: LiveSession, task: Task): Promise<ShownTask> {
  const [asked, answered] = await Promise.all(
    [task.prompt, task.said].map((place) => textAt(engine, session, place)),
  )
  return { ...task, ...defined({ asked, answered }) }
}

async function textAt(
  engine: EngineContext,
  session: LiveSession,
  place: ByteRange | undefined,
): Promise<string | undefined> {
  if (place === undefined) return undefined
  const range = { from: place.start, to: place.end }
  for await (const { records } of readLog(engine.fs, logPath(session.dir), range)) {
    const { content } = (records[0]?.event.data ?? {}) as { readonly content?: unknown }
    return typeof content === 'string' ? content : undefined
  }
  return undefined
}

/** Returns when it is recorded that it works. The agent of the session hears what came of it. */
export async function startTask(
  engine: EngineContext,
  session: LiveSession,
  request: Omit<TaskStart, 'id'>,
): Promise<string> {
  const { subagents } = await answering(engine, session)
  const task = { ...request, id: engine.newId() }
  if (subagents === undefined)
    throw new EngineError(
      'invalid',
      'The agent of this session has no sub-agents. Nothing was started.',
    )
  await subagents.check({ cwd: session.project.cwd, state: stateWithUnwritten(session) }, task)
  if (await subagents.start(session.id, task)) return task.id
  await beginTurn(
    engine,
    session,
    task,
    (type, agentId) => type === 'subagent.started' && agentId === task.id,
  )
  return task.id
}

/** False when there is no such sub-agent. One that rests goes on. */
export async function messageTask(
  engine: EngineContext,
  session: LiveSession,
  id: string,
  message: string,
): Promise<boolean> {
  const { subagents } = await answering(engine, session)
  const task = stateOf(session).tasks.find((each) => each.id === id)
  if (subagents === undefined || task === undefined) return false
  if (subagents.message(session.id, id, message)) return true
  if (session.work.running !== undefined) return false
  await beginTurn(
    engine,
    session,
    { id, message },
    (type, agentId) => type === 'user.message' && agentId === id,
  )
  return true
}

/** False when it is not at work here. */
export async function cancelTask(
  engine: EngineContext,
  session: LiveSession,
  id: string,
): Promise<boolean> {
  const agent = await answeringIfAny(engine, session)
  return agent?.subagents?.cancel(session.id, id) ?? false
}

/** False when nobody waits for it here. */
export async function promoteTask(
  engine: EngineContext,
  session: LiveSession,
  id: string,
): Promise<boolean> {
  const agent = await answeringIfAny(engine, session)
  return agent?.subagents?.promote(session.id, id) ?? false
}

export async function taskProgress(
  engine: EngineContext,
  session: LiveSession,
  id: string,
): Promise<readonly TaskStep[]> {
  const agent = await answeringIfAny(engine, session)
  return agent?.subagents?.progress(session.id, id) ?? []
}

/** Resolves when none is at work, and the agent has heard what came of them. */
export async function tasksEnded(session: LiveSession): Promise<void> {
  while (session.work.running !== undefined) await session.work.ended
}

/** Returns when what it begins with is recorded; the turn goes on by itself, and the log tells how it ended. */
async function beginTurn(
  engine: EngineContext,
  session: LiveSession,
  task: TaskRequest,
  isBegun: (type: string, agentId: string | undefined) => boolean,
): Promise<void> {
  const { promise: begun, resolve } = deferred<void>()
  const listening = session.feed.subscribe((item) => {
    if (item.kind === 'event' && isBegun(item.event.type, item.event.agentId)) resolve()
  })
  const ended = occupy(engine, session, {}, 'begin-turn', (running) =>
    taskTurn(engine, session, running, task),
  ).finally(() => listening[Symbol.dispose]())
  await Promise.race([begun, ended])
  ended.catch(() => {}) // the log and the feed tell
}
