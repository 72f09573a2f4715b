/** Puts the questions of an agent to the client that follows the session: what it may do, and what it wants to know. */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Payload } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import { isFields } from '../../lib/fields.ts'
import type { Peer } from '../../lib/json-rpc/peer.ts'
import { askedForOnce, decisionIn, permissionParams, type Asks } from './asks.ts'
import type { Dialect } from './dialect.ts'
import type { AcpProjection } from './projection.ts'

export type Asking = {
  readonly engine: Engine
  readonly peer: Peer
  readonly asks: Asks
  readonly id: SessionId
  readonly projection: AcpProjection
  readonly dialect: Dialect
  readonly canFillForms: boolean
  readonly tell: (update: unknown) => void
  /** What the client is asked now, by the id of the request. */
  readonly open: Map<string, AbortController>
}

export async function askPermission(
  asking: Asking,
  data: Payload<'permission.requested'>,
): Promise<void> {
  const { asks, id, projection, dialect, tell } = asking
  const { requestId, permissionRequest } = data
  const isMine = asks.waits(permissionRequest.toolCallId)
  if (!isMine && !(await waitsElsewhere(asking, requestId))) return
  const call = projection.calls.get(permissionRequest.toolCallId ?? '')
  const params = dialect.permission(permissionParams(id, data, call, projection.cwd))
  dialect.asking(true).forEach(tell)
  const { answer, isWithdrawn } = await put(asking, requestId, 'session/request_permission', params)
  // What is asked elsewhere waits for those who are there.
  if (isWithdrawn || (answer === undefined && !isMine)) return
  // A client that is gone or cannot ask grants nothing.
  const decision =
    answer === undefined
      ? ({ kind: 'deny', by: 'nobody' } as const)
      : decisionIn(answer, data.reprise)
  asks.settled(permissionRequest.toolCallId)
  try {
    await (await asking.engine.open(id)).answer(requestId, decision)
  } catch (error) {
    // Its machine may let nobody allow more than once from afar. It may be settled, too, and that is all there is to know.
    const isRefused = error instanceof EngineError && error.code === 'invalid'
    const again = isRefused && decision.kind !== 'deny' ? askedForOnce(data) : undefined
    if (again !== undefined) await askPermission(asking, again)
  }
}

/** Another process or machine asks: a client that follows here may answer as well, and the first answer counts. */
async function waitsElsewhere({ engine, id }: Asking, requestId: string): Promise<boolean> {
  const session = await engine.open(id)
  // What cannot be looked at is asked where it was asked first.
  const pending = await session.pending().catch(() => undefined)
  if (pending === undefined) return false
  return (
    (pending.at === 'next-door' || session.machine !== undefined) &&
    pending.requests.some(
      (event) => event.type === 'permission.requested' && event.data.requestId === requestId,
    )
  )
}

export function withdrawPermission(
  { asks, projection, dialect, tell, open }: Asking,
  { requestId, toolCallId }: Payload<'permission.completed'>,
): void {
  asks.settled(toolCallId)
  open.get(requestId)?.abort()
  open.delete(requestId)
  if (!projection.isReplay) dialect.asking(false).forEach(tell)
}

export async function askQuestion(
  asking: Asking,
  data: NoticePayload<'user_input.requested'>,
): Promise<void> {
  const { id, canFillForms } = asking
  const { requestId, toolCallId, choices = [] } = data
  const answer = { type: 'string', title: 'Answer', ...(choices.length > 0 && { enum: choices }) }
  const params = {
    sessionId: id,
    mode: 'form',
    message: data.question,
    requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
    ...defined({ toolCallId }),
  }
  const given = canFillForms
    ? await put(asking, requestId, 'elicitation/create', params)
    : { answer: undefined, isWithdrawn: false }
  asking.open.delete(requestId)
  // Without an answer the agent goes on without one.
  if (!given.isWithdrawn)
    answered(async () =>
      (await asking.engine.open(id)).answerQuestion(requestId, textIn(given.answer)),
    )
}

/** No answer comes from a client that is gone or cannot ask. */
async function put(
  { peer, open }: Asking,
  requestId: string,
  method: string,
  params: object,
): Promise<{ readonly answer: unknown; readonly isWithdrawn: boolean }> {
  const controller = new AbortController()
  open.set(requestId, controller)
  const { signal } = controller
  const answer = await peer.request(method, params, signal).catch(() => undefined) // as said above
  return { answer, isWithdrawn: signal.aborted }
}

/** Another client may have been quicker. */
function answered(answer: () => Promise<void>): void {
  // It was answered or taken back meanwhile, and that is all there is to know.
  answer().catch(() => {})
}

function textIn(answer: unknown): string | undefined {
  if (!isFields(answer) || answer['action'] !== 'accept' || !isFields(answer['content']))
    return undefined
  const text = answer['content']['answer']
  return typeof text === 'string' ? text : undefined
}
