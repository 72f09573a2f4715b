/**
 * Permissions: a request goes out as an event, and its answer comes in as a command like any other. Both are recorded,
 * with who decided and by what. An answer holds for this process only: nothing in a log ever grants anything again.
 */
import type { Draft, Payload } from '../../format/event.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import { reduceDraft } from '../../log/blobs.ts'
import type {
  AskedPermission,
  PermissionDecision,
  PermissionRequest,
  PermissionSituation,
} from '../agent.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { modeOf, type LeftRequest, type LiveSession } from '../live/live-session.ts'
import { addGrant, grantOfCommand, offerFor, type Offer } from '../permission/grants.ts'
import { ownFileIn } from '../permission/protected-paths.ts'
import { outsideSubjects } from '../permission/outside.ts'
import type { Subjects } from '../permission/rule-words.ts'
import { shownRequest } from '../permission/shown-request.ts'
import { subjectsOf } from '../permission/subjects.ts'
import { draftOf, isInSameWords, type Putting } from './permission-draft.ts'
import { parseRule } from '../permission/rule.ts'
import { allowanceOf } from './permission-rules.ts'

/** For what is done as soon as it is allowed: the log that says so is first where it has to be. */
export async function permitWhenRecorded(
  engine: EngineContext,
  session: LiveSession,
  given: PermissionRequest,
  signal: AbortSignal,
  asked?: AskedPermission,
): Promise<PermissionDecision> {
  const decision = await askPermission(engine, session, given, signal, asked)
  if (decision.kind === 'deny' || engine.beforeEffect === undefined) return decision
  await engine.beforeEffect(session.id, signal)
  if (signal.aborted) throw cancelled()
  return decision
}

export async function askPermission(
  engine: EngineContext,
  session: LiveSession,
  given: PermissionRequest,
  signal: AbortSignal,
  asked: AskedPermission = {},
): Promise<PermissionDecision> {
  const { by } = asked
  const ofAgent = defined({ agentId: by?.agentId })
  const isOver = () => signal.aborted || by?.signal.aborted === true
  if (isOver()) throw cancelled()
  const whole = await subjectsOf(given, session.project.cwd)
  const ownFile = await ownFileIn(whole, ownFiles(engine, session))
  const denial = await engine.denied?.(given, whole)
  const doubt = denial !== undefined && 'doubt' in denial ? denial.doubt.text : undefined
  const request = shownRequest(given, whole, { ownFile, doubt })
  const leavesSandbox = given.kind === 'shell' && given.requestSandboxBypass === true
  const subjects = leavesSandbox ? outsideSubjects(whole) : whole
  const endsPlan = asked.endsPlan === true
  const mustAsk = ownFile !== undefined || doubt !== undefined || endsPlan
  const offer = mustAsk ? undefined : offerFor(request, subjects)
  const left = await takeLeft(engine, session, request, { offer, asked })
  const requestId = left?.request.requestId ?? engine.newId()
  const ruled = await decideAtOnce(engine, session, request, {
    subjects,
    mustAsk,
    endsPlan,
    leavesSandbox,
  })
  // What was answered before it was asked again holds, unless a rule forbids it.
  const isForbidden = ruled !== 'ask' && ruled.kind === 'deny' && ruled.by === 'policy'
  const quick = isForbidden ? ruled : (left?.decision ?? ruled)
  // The turn may have ended while rules were compared: nobody is asked about it any more.
  if (isOver()) throw cancelled()
  const asking = { ...draftOf(requestId, request, { offer, asked }, modeOf(session)), ...ofAgent }
  const answering = (decision: PermissionDecision) => ({
    ...completed(engine, requestId, decision, request, offer),
    ...ofAgent,
  })
  const unlessOver = {
    beforeAppend: (drafts: readonly Draft[]) => (signal.aborted ? [] : drafts),
  }
  // What nobody has to be asked is asked and answered in one step: no front end calls a person for it.
  if (quick !== 'ask' && left === undefined) {
    grant(engine, session, quick, offer)
    await commit(engine, session, [asking, answering(quick)], unlessOver)
    if (isOver()) throw cancelled()
    return quick
  }
  const { promise, resolve } = deferred<PermissionDecision>()
  if (quick === 'ask') session.asks.pending.set(requestId, { request, decide: resolve })
  else resolve(quick)
  if (left === undefined) await commit(engine, session, [asking], unlessOver)
  const stops = by === undefined ? signal : AbortSignal.any([signal, by.signal])
  const decision = await orAborted(promise, stops)
  session.asks.pending.delete(requestId)
  if (decision === 'aborted') {
    // Of a turn that ends it is settled with the rest; the turn of a sub-agent that was stopped goes on.
    if (!signal.aborted) await commit(engine, session, [answering(NOBODY)])
    throw cancelled()
  }
  grant(engine, session, decision, offer)
  await commit(engine, session, [answering(decision)])
  return decision
}

function grant(
  { actor, clock }: EngineContext,
  { asks }: LiveSession,
  decision: PermissionDecision,
  offer: Offer | undefined,
): void {
  if (decision.kind !== 'allow-for-session' || offer === undefined) return
  addGrant(asks.grants, offer, { givenBy: actor.who, givenAt: clock() })
}

const NOBODY: PermissionDecision = { kind: 'deny', by: 'nobody' }

function completed(
  { actor }: EngineContext,
  requestId: string,
  decision: PermissionDecision,
  request: PermissionRequest,
  offer: Offer | undefined,
) {
  const isLasting = decision.kind === 'allow-for-session' && offer !== undefined
  return {
    type: 'permission.completed' as const,
    data: {
      requestId,
      toolCallId: request.toolCallId,
      result: resultOf(decision, request, isLasting),
      decisionSource: sources[decision.by],
      reprise: {
        ...deciderOf(decision),
        ...(decision.by === 'person' && actor.who !== '' && { actor }),
        ...(isLasting && { granted: offer.says }),
        ...defined({ option: decision.option }),
      },
    },
  }
}

/** What was allowed before is asked after the rules that deny, and before a person. */
async function decideAtOnce(
  engine: EngineContext,
  session: LiveSession,
  request: PermissionRequest,
  {
    subjects,
    mustAsk,
    endsPlan = false,
    leavesSandbox = false,
  }: Pick<PermissionSituation, 'endsPlan' | 'leavesSandbox'> & {
    readonly subjects: Subjects
    readonly mustAsk: boolean
  },
): Promise<PermissionDecision | 'ask'> {
  const mode = modeOf(session)
  const granted =
    mustAsk || mode === 'plan' ? undefined : await grantFor(session, request, subjects)
  const denial = granted === undefined ? undefined : await engine.denied?.(request, subjects)
  if (denial !== undefined && 'kind' in denial) return denial
  if (granted !== undefined && denial === undefined)
    return { kind: 'allow', by: 'policy', because: { grant: granted } }
  return engine.policy(request, {
    mode,
    cwd: session.project.cwd,
    workspacePath: engine.fs.nativePath(session.dir),
    subjects,
    mustAsk: mustAsk || leavesSandbox,
    endsPlan,
    // What belongs to Reprise itself is asked for, whatever rules let out.
    leavesSandbox: leavesSandbox && !mustAsk,
  })
}

async function grantFor(
  { asks: { grants } }: LiveSession,
  request: PermissionRequest,
  subjects: Subjects,
): Promise<string | undefined> {
  const same = grantOfCommand(grants, request, subjects)
  if (same !== undefined) return same.says
  const rules = grants.list.flatMap(({ covers, says }) =>
    'rule' in covers ? [{ ...covers.rule, text: says }] : [],
  )
  return (await allowanceOf(rules, subjects))?.text
}

export const ownFiles = (engine: EngineContext, session: LiveSession) => ({
  home: engine.fs.diskPath('session-state')?.replace(/[/\\]session-state$/, ''),
  hookFiles: engine.hookFiles ?? [],
  workspacePath: engine.fs.nativePath(session.dir),
})

/** Whether a rule denies to read this place; nobody is asked and nothing is recorded. */
export async function mayRead(
  { denied }: EngineContext,
  session: LiveSession,
  place: string,
): Promise<boolean> {
  if (denied === undefined) return true
  const request = { kind: 'read', toolCallId: '', intention: '', path: place } as const
  const given = { ...request, resolvedPath: place }
  return (await denied(given, await subjectsOf(given, session.project.cwd))) === undefined
}

/** Whether a person need not be asked before this place is read: rules, grants and the mode decide. */
export async function mayReadUnasked(
  engine: EngineContext,
  session: LiveSession,
  place: string,
): Promise<boolean> {
  const request = { kind: 'read', toolCallId: '', intention: '', path: place } as const
  const given = { ...request, resolvedPath: place }
  const subjects = await subjectsOf(given, session.project.cwd)
  const decision = await decideAtOnce(engine, session, given, { subjects, mustAsk: false })
  return decision !== 'ask' && decision.kind !== 'deny'
}

/** Whether rules or grants let the programs of a command out of the sandbox; nobody is asked and nothing is recorded. */
export async function mayLeaveSandbox(
  engine: EngineContext,
  session: LiveSession,
  request: PermissionRequest,
): Promise<boolean> {
  const rules = (engine.rules?.allow ?? []).map(parseRule)
  if (rules.every(({ kind }) => kind !== 'outside') && session.asks.grants.list.length === 0)
    return false
  const whole = await subjectsOf(request, session.project.cwd)
  if ((await engine.denied?.(request, whole)) !== undefined) return false
  const subjects = outsideSubjects(whole)
  return (
    (await grantFor(session, request, subjects)) !== undefined ||
    (await allowanceOf(rules, subjects)) !== undefined
  )
}

// The end of the turn settles the request; the agent that asked must not go on.
const cancelled = () =>
  new EngineError('cancelled', 'The turn was cancelled before the question was answered.')

/** What an earlier process asked in the same words stands for this request: it is in the log, and people have seen it. */
async function takeLeft(
  engine: EngineContext,
  session: LiveSession,
  request: PermissionRequest,
  putting: Putting,
): Promise<LeftRequest | undefined> {
  const { asks, dir } = session
  for (const [requestId, left] of asks.left) {
    if (left.request.permissionRequest.toolCallId !== request.toolCallId) continue
    const draft = draftOf(requestId, request, putting, modeOf(session))
    const clean = engine.redact === undefined ? draft : await engine.redact(draft)
    const { data } = await reduceDraft(engine.fs, dir, clean)
    if (!isInSameWords(data as Payload<'permission.requested'>, left.request)) continue
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

function deciderOf({ by, because }: PermissionDecision): {
  readonly decidedBy: 'person' | 'rule' | 'mode' | 'grant' | 'program' | 'nobody'
  readonly reason?: string
} {
  if (because === undefined) return { decidedBy: by === 'policy' ? 'program' : by }
  if ('rule' in because) return { decidedBy: 'rule', reason: because.rule }
  if ('mode' in because) return { decidedBy: 'mode', reason: because.mode }
  return { decidedBy: 'grant', reason: because.grant }
}

function resultOf(
  decision: PermissionDecision,
  { kind }: PermissionRequest,
  isLasting: boolean,
): Payload<'permission.completed'>['result'] {
  if (decision.kind !== 'deny')
    return isLasting ? { kind: 'approved-for-session', approval: { kind } } : { kind: 'approved' }
  if (decision.by === 'nobody')
    return { kind: 'denied-no-approval-rule-and-could-not-request-from-user' }
  if (decision.by === 'policy') return { kind: 'denied-by-rules', rules: ruleIn(decision) }
  return {
    kind: 'denied-interactively-by-user',
    ...defined({ feedback: decision.feedback }),
  }
}

function ruleIn({ because }: PermissionDecision): { kind: string; argument: string | null }[] {
  const [, kind, argument = null] =
    because !== undefined && 'rule' in because
      ? (/^([a-z-]+)(?:\((.*)\))?$/s.exec(because.rule) ?? [])
      : []
  return kind === undefined ? [] : [{ kind, argument }]
}
