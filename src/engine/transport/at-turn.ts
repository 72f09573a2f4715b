/**
 * Operations that belong to the process which runs the turn: done here when that is this process, asked of the other
 * one through its inbox when it is not. A session may move between the two at any moment, so each call looks anew.
 */
import { runningIn } from '../../state/running.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import {
  toWire,
  withOpen,
  type AtTurn,
  type Operation,
  type Row,
  type Run,
} from '../operations/operation.ts'
import { lookAgain } from '../turn/claim-queue.ts'
import type { Message } from '../turn/message.ts'
import type { QueueView } from '../turn/queue.ts'
import type { Sent } from '../turn/send.ts'
import { turnElsewhere } from '../turn/remote-turn.ts'
import { askNextDoor, holderElsewhere, recorded } from './ask-next-door.ts'
import { isServed } from './serve-inbox.ts'

export const onTurn = <W extends P, R, const A extends readonly (keyof P)[] = [], P = W>(
  row: Row<P, A, W>,
  at: AtTurn<P>,
  here: Run<P, R>,
): Operation<P, R, A> => ({
  ...row,
  atTurn: { ...at, here },
  run: (call, params) =>
    withOpen(call, async (session) => {
      const { engine, name } = call
      const asked = at.isAboutQueue
        ? await askQueue(engine, session, name, toWire(row, params as object))
        : await askTurn(
            engine,
            session,
            { name, params, json: () => toWire(row, params as object) },
            at,
          )
      if (asked !== 'here') return asked.result as R
      const result = await here(engine, session, params)
      await at.ends?.(session)
      return result
    }),
})

type Asked = 'here' | { readonly result: unknown }

type Asking<P> = { readonly name: string; readonly params: P; json(): object }

/** `here`: no other process runs the turn, or its turn ended before the request was taken. */
async function askTurn<P>(
  engine: EngineContext,
  session: LiveSession,
  { name, params, json }: Asking<P>,
  { isHere, shows, ends }: AtTurn<P>,
): Promise<Asked> {
  if (isHere?.(session, params) === true) return 'here'
  const running = await workNextDoor(engine, session)
  const isShown = shows?.(params)
  // An answer to what is not open there is refused here, with the reason.
  if (running === undefined || isShown?.(stateOf(session)) === true) return 'here'
  const isOver = isShown ?? isOverIn(running)
  const request = {
    version: 1,
    kind: 'operation',
    operation: name,
    params: json(),
    running,
  } as const
  const reply = await askNextDoor(engine, session, request, isOver)
  if (reply.status === 'over') return 'here'
  if (ends !== undefined) await recorded(engine, session, isOverIn(running))
  if (isShown !== undefined && !(await recorded(engine, session, isShown)))
    throw unrecorded(session)
  return { result: reply.result }
}

async function askQueue(
  engine: EngineContext,
  session: LiveSession,
  operation: string,
  params: unknown,
): Promise<Asked> {
  await lookAgain(engine, session)
  if (session.queue.messages.length > 0 || !(await servedNextDoor(engine, session))) return 'here'
  const request = { version: 1, kind: 'operation', operation, params } as const
  const reply = await askNextDoor(engine, session, request, isUnserved(engine, session))
  return reply.status === 'over' ? 'here' : { result: reply.result }
}

/** A message for the turn that another process runs: it joins that turn, or waits there for its end. */
export async function sendNextDoor(
  engine: EngineContext,
  session: LiveSession,
  running: string,
  { messageId = engine.newId(), attachments, actor = engine.actor, ...rest }: Message,
  whenBusy: 'enqueue' | 'steer',
): Promise<Sent | 'over'> {
  const message = { ...rest, messageId, ...(attachments?.length && { attachments }), actor }
  const params = { message, whenBusy }
  const request = { version: 1, kind: 'operation', operation: 'send', params, running } as const
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
    const reply = await askNextDoor(engine, session, request, isOverIn(running))
    if (reply.status === 'over') return 'over'
    const { how } = reply.result as Pick<Sent, 'how'>
    if (how === 'steered') {
      const ended = Promise.resolve({ status: 'steered', turnId: running } as const)
      return { messageId, how, ended }
    }
    const isWaiting = async () => {
      const asked = await askQueue(engine, session, 'queue', {})
      return (
        asked !== 'here' && (asked.result as QueueView).entries.some(({ id }) => id === messageId)
      )
    }
    return { messageId, how: 'queued', ended: ending.wait(isWaiting) }
  } finally {
    ending[Symbol.dispose]()
  }
}

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
const servedNextDoor = async (engine: EngineContext, session: LiveSession): Promise<boolean> =>
  (await isNextDoor(session)) &&
  (await isServed(engine.fs, session.dir)) &&
  (await holderElsewhere(engine, session)) !== undefined

async function isNextDoor(session: LiveSession): Promise<boolean> {
  const { work, writing, written } = session
  if (work.running !== undefined || writing.writer !== undefined || !written.hasLog) return false
  await session.watcher.refresh()
  return true
}

const isOverIn =
  (running: string) =>
  (state: SessionState): boolean =>
    runningIn(state) !== running

/** A queue outlives turns. A process whose queue has run empty takes no requests, not even one that came meanwhile. */
const isUnserved =
  ({ fs }: EngineContext, { dir }: LiveSession) =>
  async (): Promise<boolean> =>
    !(await isServed(fs, dir))

const unrecorded = (session: LiveSession): EngineError =>
  new EngineError(
    'in_use',
    `The answer was taken by the process that is at work in session ${session.id}, and is not in the log yet. ` +
      `Look at the session before you answer again.`,
    { details: { sessionId: session.id } },
  )
