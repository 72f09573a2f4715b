/**
 * Where the work of a session goes on decides who is asked: this process does it at once, another one is asked through
 * its inbox. A session may move between the two at any moment, so each question looks anew.
 */
import { setTimeout } from 'node:timers/promises'
import type { QueueChange } from '../format/inbox.ts'
import type { UserCall } from './agent.ts'
import type { EngineContext } from './engine-context.ts'
import { stateOf } from './live/live-session.ts'
import type { LiveSession } from './live/live-session.ts'
import { setMode, setModel } from './live/session-settings.ts'
import type { ModelChoice } from './live/session-settings.ts'
import { PATIENCE_MS } from './neighbours/ask-next-door.ts'
import * as nextDoor from './neighbours/next-door.ts'
import type { Answer } from './session.ts'
import { answer as answerHere } from './turn/answer.ts'
import { lookAgain } from './turn/claim-queue.ts'
import { continueWork } from './turn/continue.ts'
import { cancel as cancelHere } from './turn/cancel.ts'
import type { CancelOptions } from './turn/cancel.ts'
import type { Message, Mode } from './turn/message.ts'
import { answerQuestion as answerQuestionHere } from './turn/questions.ts'
import { changeQueue as changeQueueHere, queueOf } from './turn/queue.ts'
import type { QueueView } from './turn/queue.ts'
import { runTool as runToolHere } from './turn/run-tool.ts'
import type { RanTool, RunToolOptions } from './turn/run-tool.ts'
import { send as sendHere } from './turn/send.ts'
import type { SendOptions, Sent } from './turn/send.ts'
import { takeInOrder } from './turn/take-in-order.ts'

/** A turn that runs next door is joined, or its process sends the message when it has ended. */
export function send(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: SendOptions = {},
): Promise<Sent> {
  const { whenBusy = 'refuse' } = options
  return takeInOrder(session, async (taken) => {
    for (;;) {
      const mayJoin = whenBusy !== 'refuse' && message.prompt.trim() !== ''
      const running = mayJoin ? await nextDoor.workNextDoor(engine, session) : undefined
      if (running === undefined || whenBusy === 'refuse') {
        const sent = sendHere(engine, session, message, options)
        taken()
        return sent
      }
      const sent = await nextDoor.sendNextDoor(engine, session, running, message, whenBusy)
      if (sent !== 'over') return sent
    }
  })
}

/** Among the messages in the order of the calls. */
export function runTool(
  engine: EngineContext,
  session: LiveSession,
  call: UserCall,
  options: RunToolOptions = {},
): Promise<RanTool> {
  return takeInOrder(session, (taken) => {
    const ran = runToolHere(engine, session, call, options)
    taken()
    return ran
  })
}

/** Returns when the work has ended, or was told to and takes its time. */
export async function cancel(
  engine: EngineContext,
  session: LiveSession,
  options: CancelOptions = {},
): Promise<boolean> {
  if (cancelHere(session, options)) {
    // However long what it has open takes to be settled: it was told to stop, and does.
    await Promise.race([session.work.ended, setTimeout(PATIENCE_MS, undefined, { ref: false })])
    return true
  }
  const running = await nextDoor.workNextDoor(engine, session)
  return running !== undefined && nextDoor.cancelNextDoor(engine, session, running, options)
}

export async function answer(
  engine: EngineContext,
  session: LiveSession,
  requestId: string,
  decision: Answer,
): Promise<void> {
  const given = { by: 'person', ...decision } as const
  const here = () => answerHere(session, requestId, given)
  if (session.asks.pending.has(requestId)) return here()
  const running = await nextDoor.workNextDoor(engine, session)
  const isOpen = stateOf(session).openRequests.some((each) => each.requestId === requestId)
  // The process that asked is gone: the answer has its turn gone on with, if anything can.
  if (running === undefined && isOpen)
    if (await continueWork(engine, session, { requestId, decision: given })) return
  if (running === undefined || !isOpen) return here()
  if ((await nextDoor.answerNextDoor(engine, session, requestId, decision)) === 'over') here()
}

export async function answerQuestion(
  engine: EngineContext,
  session: LiveSession,
  requestId: string,
  given: string | undefined,
): Promise<void> {
  const here = () => answerQuestionHere(session, requestId, given)
  if (session.asks.questions.has(requestId)) return here()
  const running = await nextDoor.workNextDoor(engine, session)
  if (running === undefined) {
    // The process that asked is gone: the answer has its turn gone on with, if anything can.
    const isLeft = stateOf(session).pendingTools.some((each) => each.toolCallId === requestId)
    if (isLeft && (await continueWork(engine, session, { toolCallId: requestId, said: given })))
      return
    return here()
  }
  const said = await nextDoor.answerQuestionNextDoor(engine, session, running, requestId, given)
  if (said === 'over') here()
}

export async function queue(engine: EngineContext, session: LiveSession): Promise<QueueView> {
  await lookAgain(engine, session)
  if (session.queue.messages.length === 0 && (await nextDoor.servedNextDoor(engine, session))) {
    const there = await nextDoor.queueNextDoor(engine, session)
    if (there !== 'over') return there
  }
  return queueOf(session)
}

export async function changeQueue(
  engine: EngineContext,
  session: LiveSession,
  change: QueueChange,
): Promise<number> {
  await lookAgain(engine, session)
  if (session.queue.messages.length === 0 && (await nextDoor.servedNextDoor(engine, session))) {
    const changed = await nextDoor.changeQueueNextDoor(engine, session, change)
    if (changed !== 'over') return changed
  }
  return changeQueueHere(engine, session, change)
}

export async function set(
  engine: EngineContext,
  session: LiveSession,
  setting: { readonly model?: ModelChoice; readonly mode?: Mode },
): Promise<void> {
  const running = await nextDoor.workNextDoor(engine, session)
  if (running !== undefined) {
    const said = await nextDoor.setNextDoor(engine, session, running, setting)
    if (said !== 'over') return
  }
  if (setting.model !== undefined) await setModel(engine, session, setting.model)
  if (setting.mode !== undefined) await setMode(engine, session, setting.mode)
}
