/**
 * Permissions: a request goes out as an event, and its answer comes in as a command like any other. Both
 * are recorded. An answer holds for this process only: nothing in a log ever grants anything again.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Draft, Payload } from '../../format/event.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import { reduceDraft } from '../../log/blobs.ts'
import type { PermissionDecision, PermissionRequest } from '../agent.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from '../live/live-session.ts'
import type { LeftRequest, LiveSession } from '../live/live-session.ts'

export async function askPermission(
  engine: EngineContext,
  session: LiveSession,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionDecision> {
  if (signal.aborted) throw cancelled()
  const left = await takeLeft(engine, session, request)
  const requestId = left?.request.requestId ?? engine.newId()
  const granted = session.asks.grants.has(request.kind)
  const ruled: PermissionDecision | 'ask' = granted
    ? { kind: 'allow', by: 'policy' }
    : engine.policy(request, {
        mode: stateOf(session).mode,
        cwd: session.project.cwd,
        workspacePath: engine.fs.nativePath(session.dir),
      })
  // What was answered before it was asked again holds, unless a rule forbids it.
  const isForbidden = ruled !== 'ask' && ruled.kind === 'deny' && ruled.by === 'policy'
  const quick = isForbidden ? ruled : (left?.decision ?? ruled)
  const { promise, resolve } = deferred<PermissionDecision>()
  if (quick === 'ask') session.asks.pending.set(requestId, { request, decide: resolve })
  else resolve(quick)
  if (left === undefined) await commit(engine, session, [draftOf(requestId, request)])
  const decision = await orAborted(promise, signal)
  session.asks.pending.delete(requestId)
  if (decision === 'aborted') throw cancelled()
  if (decision.kind === 'allow-for-session') session.asks.grants.add(request.kind)
  await commit(engine, session, [
    {
      type: 'permission.completed',
      data: {
        requestId,
        toolCallId: request.toolCallId,
        result: resultOf(decision, request),
        decisionSource: sources[decision.by],
      },
    },
  ])
  return decision
}

// The end of the turn settles the request; whoever asked must not go on.
const cancelled = () =>
  new EngineError('cancelled', 'The turn was cancelled before the question was answered.')

const draftOf = (requestId: string, permissionRequest: PermissionRequest): Draft => ({
  type: 'permission.requested',
  data: { requestId, permissionRequest },
})

/** What an earlier process asked in the same words stands for this request: it is in the log, and people have seen it. */
async function takeLeft(
  engine: EngineContext,
  { asks, dir }: LiveSession,
  request: PermissionRequest,
): Promise<LeftRequest | undefined> {
  for (const [requestId, left] of asks.left) {
    if (left.request.permissionRequest.toolCallId !== request.toolCallId) continue
    const draft = draftOf(requestId, request)
    const clean = engine.redact === undefined ? draft : await engine.redact(draft)
    const { data } = await reduceDraft(engine.fs, dir, clean)
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(data)), left.request)) continue
    asks.left.delete(requestId)
    return left
  }
  return undefined
}

/** The first answer wins; a later one is refused and changes nothing. */
export function answer(
  session: LiveSession,
  requestId: string,
  decision: PermissionDecision,
): void {
  const pending = session.asks.pending.get(requestId)
  const left = session.asks.left.get(requestId)
  if (left !== undefined && left.decision === undefined) {
    left.decision = decision
    return
  }
  if (pending === undefined) {
    throw new EngineError(
      'not_found',
      `No request ${requestId} waits for an answer in session ${session.id}: it was answered or withdrawn. Nothing was changed.`,
      { details: { requestId } },
    )
  }
  session.asks.pending.delete(requestId)
  pending.decide(decision)
}

/** A turn that ends takes its questions back; the events that say so come from settling. */
export function withdrawRequests(session: LiveSession): void {
  session.asks.pending.clear()
}

const sources = {
  person: 'human_response',
  policy: 'host_policy',
  nobody: 'unattended_fallback',
} as const satisfies Record<PermissionDecision['by'], string>

function resultOf(
  decision: PermissionDecision,
  { kind }: PermissionRequest,
): Payload<'permission.completed'>['result'] {
  if (decision.kind === 'allow') return { kind: 'approved' }
  if (decision.kind === 'allow-for-session')
    return { kind: 'approved-for-session', approval: { kind } }
  if (decision.by === 'nobody')
    return { kind: 'denied-no-approval-rule-and-could-not-request-from-user' }
  if (decision.by === 'policy') return { kind: 'denied-by-rules', rules: [] }
  return {
    kind: 'denied-interactively-by-user',
    ...defined({ feedback: decision.feedback }),
  }
}
