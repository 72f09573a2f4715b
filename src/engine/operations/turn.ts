/** What runs in a session, and what people do about that. */
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { queueChangeSchema } from '../../format/inbox.ts'
import { planActionOf, planWords } from '../../state/plan-approval.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { PermissionDecision } from '../agent.ts'
import { stateOf } from '../live/live-session.ts'
import { PATIENCE_MS } from '../transport/ask-next-door.ts'
import { onTurn } from '../transport/at-turn.ts'
import { pendingIn, type Pending } from '../transport/pending.ts'
import { revoke, standing } from '../permission/permission-status.ts'
import { answer } from '../turn/answer.ts'
import { cancel, type CancelOptions } from '../turn/cancel.ts'
import { continueWork } from '../turn/continue.ts'
import { answerQuestion } from '../turn/questions.ts'
import { changeQueue, queueOf } from '../turn/queue.ts'
import { setMode, setModel } from '../live/session-settings.ts'
import { send, type SendOptions, type Sent } from '../turn/send.ts'
import type { Message } from '../turn/message.ts'
import { sendInOrder } from '../turn/send-queue.ts'
import { onFresh, onOpen, withOpen, type Call } from './operation.ts'
import { inTurn, steerable } from './rights.ts'
import { message, mode, nothing, text, whenBusy } from './schemas.ts'

const requestId = text.min(1).max(200)

type Answer = Omit<PermissionDecision, 'by'> & Partial<Pick<PermissionDecision, 'by'>>

export const turnOperations = {
  /** Returns when the message is durable, waits in the queue, or has joined the running turn. */
  send: {
    ...onTurn(
      {
        summary: 'Send a message; while a turn runs it is refused, waits, or joins the turn.',
        takes: z.strictObject({ message, whenBusy }),
        args: ['message'],
        ...inTurn,
        // How the turn ends is told by the events; a promise does not travel.
        toJson: ({ messageId, how }: Sent) => ({ messageId, how }),
      },
      {},
      // A process that asked hears of the end by the events.
      (engine, session, { message: said, ...options }: Sending) =>
        send(engine, session, said, { ...options, detached: true }),
    ),
    run: (call: Call, { message: said, ...options }: Sending): Promise<Sent> =>
      withOpen(call, (session) => sendInOrder(call.engine, session, said, options)),
  },
  cancel: onTurn(
    {
      summary: 'Stop the running turn.',
      takes: z.strictObject({ queue: z.enum(['hold', 'clear', 'go-on']).optional() }),
      ...inTurn,
    },
    {
      isHere: ({ work }) => work.running !== undefined,
      // However long its open calls take to be settled: the turn was told to stop, and does.
      ends: ({ work }) =>
        Promise.race([work.ended, setTimeout(PATIENCE_MS, undefined, { ref: false })]),
    },
    (_engine, session, options: CancelOptions) => cancel(session, options),
  ),
  pending: onFresh(
    {
      summary: 'List what waits for a person.',
      takes: nothing,
      may: ['owner', 'watch', 'steer'],
      where: 'machine',
      orCopy: true,
    },
    (engine, session): Promise<Pending> => pendingIn(engine, session),
  ),
  continueWork: onFresh(
    {
      summary: 'Go on with a turn that a process left waiting when it ended.',
      takes: nothing,
      ...steerable,
      formerly: 'continue',
    },
    (engine, session) => continueWork(engine, session),
  ),
  /** Returns when the answer is in the log. The first answer wins. */
  answer: onTurn(
    {
      summary: 'Answer a request for permission.',
      takes: z.strictObject({
        requestId,
        kind: z.enum(['allow', 'allow-for-session', 'deny']),
        feedback: text.max(100_000).optional(),
        option: text.max(200).optional(),
      }),
      args: ['requestId'],
      ...inTurn,
      widens: ({ pending }, { requestId: id, kind, option }: Answering) =>
        kind === 'allow-for-session' || allowsMore(pending, id, option),
    },
    {
      isHere: ({ asks }, { requestId: id }: Answering) => asks.pending.has(id),
      shows:
        ({ requestId: id }: Answering) =>
        ({ openRequests }: SessionState) =>
          !openRequests.some((each) => each.requestId === id),
    },
    async (engine, session, { requestId: id, ...said }: Answering) => {
      const decision = { by: 'person', ...said } as const
      const isLeft =
        !session.asks.pending.has(id) &&
        stateOf(session).openRequests.some((each) => each.requestId === id)
      // The process that asked is gone: the answer has its turn gone on with, if anything can.
      if (isLeft && (await continueWork(engine, session, { requestId: id, decision }))) return
      answer(session, id, decision)
    },
  ),
  answerQuestion: onTurn(
    {
      summary: 'Answer a question of the agent; without an answer the question is declined.',
      takes: z.strictObject({ requestId, answer: text.max(1_000_000).optional() }),
      args: ['requestId', 'answer'],
      ...inTurn,
      widens: async ({ pending }, { requestId: id, answer: said }: Said) =>
        said !== undefined &&
        planActionOf(said) === 'autopilot' &&
        asksForPlan((await pending()).questions, id),
    },
    { isHere: ({ asks }, { requestId: id }) => asks.questions.has(id) },
    async (engine, session, { requestId: id, answer: said }: Said) => {
      const isLeft =
        !session.asks.questions.has(id) &&
        session.work.running === undefined &&
        stateOf(session).pendingTools.some((each) => each.toolCallId === id)
      if (isLeft && (await continueWork(engine, session, { toolCallId: id, said }))) return
      answerQuestion(session, id, said)
    },
  ),
  permissions: onOpen(
    {
      summary: 'Tell the mode, the rules and what was allowed in this process.',
      takes: nothing,
      ...steerable,
    },
    (engine, session) => standing(engine, session),
  ),
  revoke: onOpen(
    {
      summary: 'Take back what was allowed.',
      takes: z.strictObject({ number: z.union([z.int(), z.literal('all')]) }),
      args: ['number'],
      ...steerable,
    },
    (_engine, session, { number }) => revoke(session, number),
  ),
  queue: onTurn(
    { summary: 'List the messages that wait.', takes: nothing, ...inTurn },
    { isAboutQueue: true },
    async (_engine, session) => queueOf(session),
  ),
  /** How many messages it changed. */
  changeQueue: onTurn(
    {
      summary: 'Change what waits: edit, move, remove, clear, send now, hold or release.',
      takes: z.strictObject({ change: queueChangeSchema }),
      args: ['change'],
      ...inTurn,
      formerly: 'queue-change',
    },
    { isAboutQueue: true },
    (engine, session, { change }) => changeQueue(engine, session, change),
  ),
  setModel: onTurn(
    {
      summary: 'Choose the model that answers from the next message on.',
      takes: z.strictObject({
        model: text.min(1).max(500),
        reasoningEffort: text.max(100).optional(),
      }),
      ...inTurn,
      formerly: 'model',
    },
    {},
    setModel,
  ),
  setMode: onTurn(
    {
      summary: 'Choose the mode: interactive, plan or autopilot.',
      takes: z.strictObject({ mode }),
      args: ['mode'],
      ...inTurn,
      widens: (_session, { mode: wanted }) => wanted === 'autopilot',
    },
    {},
    (engine, session, { mode: wanted }) => setMode(engine, session, wanted),
  ),
}

type Answering = Answer & { readonly requestId: string }
type Sending = SendOptions & { readonly message: Message }
type Said = { readonly requestId: string; readonly answer?: string | undefined }

/** An answer of the agent's own that allows more than this once. */
async function allowsMore(
  pending: () => Promise<Pending>,
  requestId: string,
  option: string | undefined,
): Promise<boolean> {
  if (option === undefined) return false
  const asked = (await pending()).requests
    .flatMap((event) => (event.type === 'permission.requested' ? [event.data] : []))
    .find((each) => each.requestId === requestId)
  const kind = asked?.reprise?.options?.find(({ id }) => id === option)?.kind
  return kind !== undefined && kind !== 'allow_once' && !kind.startsWith('reject')
}

/** A question that is not known to be another one is taken for the one about a plan. */
function asksForPlan(questions: Pending['questions'], requestId: string): boolean {
  const asked = questions.find((each) => each.requestId === requestId)
  return asked === undefined || asked.choices?.includes(planWords('autopilot')) === true
}
