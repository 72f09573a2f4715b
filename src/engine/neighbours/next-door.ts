/**
 * A session whose work goes on in another process: what is asked of it is asked of that process. `over` means that
 * the work ended before it could be asked: nothing was done, and the caller looks anew where the session is.
 */
import type { InboxRequest, QueueChange } from '../../format/inbox.ts'
import { defined } from '../../lib/defined.ts'
import { runningIn } from '../../state/running.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { CancelOptions } from '../turn/cancel.ts'
import type { Message } from '../turn/message.ts'
import type { QueueView } from '../turn/queue.ts'
import type { Sent } from '../turn/send.ts'
import { turnElsewhere } from '../turn/turn-elsewhere.ts'
import { askNextDoor, holderElsewhere, recorded } from './ask-next-door.ts'
import { isServed } from './serve-inbox.ts'

type Over = 'over'

/** The turn or tool that another living process runs; undefined when none does, or this process may write. */
export async function workNextDoor(
  engine: EngineContext,
  session: LiveSession,
): Promise<string | undefined> {
  if (!(await isNextDoor(session))) return undefined
  const running = runningIn(stateOf(session))
  return running !== undefined && (await holderElsewhere(engine, session)) ? running : undefined
}

/** Whether another living process takes requests about the session, because something runs or waits there. */
export const servedNextDoor = async (
  engine: EngineContext,
  session: LiveSession,
): Promise<boolean> =>
  (await isNextDoor(session)) &&
  (await isServed(engine.fs, session.dir)) &&
  (await holderElsewhere(engine, session)) !== undefined

async function isNextDoor(session: LiveSession): Promise<boolean> {
  const { work, writing, written } = session
  if (work.running !== undefined || writing.writer !== undefined || !written.hasLog) return false
  await session.watcher.refresh()
  return true
}

export async function sendNextDoor(
  engine: EngineContext,
  session: LiveSession,
  running: string,
  { messageId = engine.newId(), attachments, actor = engine.actor, ...rest }: Message,
  whenBusy: 'enqueue' | 'steer',
): Promise<Sent | Over> {
  const message = { ...rest, messageId, ...(attachments?.length && { attachments }) }
  const request = { version: 1, kind: 'send', running, whenBusy, message, actor } as const
  const ending = turnElsewhere({
    messageId,
    lookMs: 1000,
    listen: (hear) => session.feed.subscribe(hear),
    async isGone() {
      await session.watcher.refresh()
      return (await holderElsewhere(engine, session)) === undefined
    },
  })
  try {
    const reply = await askNextDoor(engine, session, request, isOver(running))
    if (reply.status === 'over') return 'over'
    if (reply.how === 'steered') {
      const ended = Promise.resolve({ status: 'steered', turnId: running } as const)
      return { messageId, how: 'steered', ended }
    }
    const isWaiting = async () => {
      const queue = await queueNextDoor(engine, session)
      return queue !== 'over' && queue.entries.some(({ id }) => id === messageId)
    }
    return { messageId, how: 'queued', ended: ending.wait(isWaiting) }
  } finally {
    ending[Symbol.dispose]()
  }
}

/** Returns when the work has ended, or was told to and takes its time. */
export async function cancelNextDoor(
  engine: EngineContext,
  session: LiveSession,
  running: string,
  { queue }: CancelOptions,
): Promise<boolean> {
  const request = { version: 1, kind: 'cancel', running, ...defined({ queue }) } as const
  const { status } = await askNextDoor(engine, session, request, isOver(running))
  if (status === 'over') return false
  await recorded(engine, session, isOver(running))
  return true
}

/** Returns when the answer is in the log. */
export async function answerNextDoor(
  engine: EngineContext,
  session: LiveSession,
  requestId: string,
  {
    kind: decision,
    feedback,
    option,
  }: Pick<InboxAnswer, 'feedback' | 'option'> & { kind: InboxAnswer['decision'] },
): Promise<void | Over> {
  const said = defined({ feedback, option })
  const request = { version: 1, kind: 'answer', requestId, decision, ...said } as const
  const isDecided = ({ openRequests }: SessionState) =>
    !openRequests.some((each) => each.requestId === requestId)
  const { status } = await askNextDoor(engine, session, request, isDecided)
  if (status === 'over') return 'over'
  if (await recorded(engine, session, isDecided)) return undefined
  throw new EngineError(
    'in_use',
    `The answer was taken by the process that is at work in session ${session.id}, and is not in the log yet. ` +
      `Look at the session before you answer again.`,
    { details: { sessionId: session.id } },
  )
}

type InboxAnswer = Extract<InboxRequest, { kind: 'answer' }>

export async function answerQuestionNextDoor(
  engine: EngineContext,
  session: LiveSession,
  running: string,
  requestId: string,
  answer: string | undefined,
): Promise<void | Over> {
  const said = defined({ answer })
  const request = { version: 1, kind: 'answer-question', requestId, ...said } as const
  const { status } = await askNextDoor(engine, session, request, isOver(running))
  return status === 'over' ? 'over' : undefined
}

export async function queueNextDoor(
  engine: EngineContext,
  session: LiveSession,
): Promise<QueueView | Over> {
  const request = { version: 1, kind: 'queue' } as const
  const reply = await askNextDoor(engine, session, request, isUnserved(engine, session))
  return reply.status === 'over' ? 'over' : (reply.queue ?? { entries: [], isHeld: false })
}

export async function changeQueueNextDoor(
  engine: EngineContext,
  session: LiveSession,
  change: QueueChange,
): Promise<number | Over> {
  const request = { version: 1, kind: 'queue', change } as const
  const reply = await askNextDoor(engine, session, request, isUnserved(engine, session))
  return reply.status === 'over' ? 'over' : (reply.changed ?? 0)
}

/** The model and the mode of a turn that runs may be changed; they hold from the next one on. */
export async function setNextDoor(
  engine: EngineContext,
  session: LiveSession,
  running: string,
  setting: Pick<Extract<InboxRequest, { kind: 'set' }>, 'model' | 'mode'>,
): Promise<void | Over> {
  const request = { version: 1, kind: 'set', ...setting } as const
  const { status } = await askNextDoor(engine, session, request, isOver(running))
  return status === 'over' ? 'over' : undefined
}

const isOver =
  (running: string) =>
  (state: SessionState): boolean =>
    runningIn(state) !== running

/** A queue outlives turns. A process whose queue has run empty takes no requests, not even one that came meanwhile. */
const isUnserved =
  ({ fs }: EngineContext, { dir }: LiveSession) =>
  async (): Promise<boolean> =>
    !(await isServed(fs, dir))
