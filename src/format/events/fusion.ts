/** Turns that several models answer together: the plan, its phases and its outcome. */
import { z } from 'zod'
import {
  anything,
  flag,
  integer,
  maybeAnything,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'

const pattern = openEnum('single', 'cascade', 'critique')
const scope = openEnum('root', 'review')
const phaseKind = openEnum('primary', 'judge', 'repair', 'draft', 'critic', 'revision', 'follow_up')
const followUp = openEnum('reuse_primary', 'reroute')

/** Which phase of such a turn a message or a tool call came from. */
export const fusion = optional(
  z.object({
    fusionId: text,
    syntheticModel: text,
    policy: text,
    pattern: text,
    phaseId: maybeText,
    phaseKind: maybeText,
    role: maybeText,
    conversationScope: maybeText,
    commitId: maybeText,
    sourcePhaseId: maybeText,
    sourceModel: maybeText,
  }),
)

const used = {
  requestCount: integer,
  inputTokens: integer,
  outputTokens: integer,
  cachedTokens: integer,
  cacheWriteTokens: maybeInteger,
  totalNanoAiu: number,
}
const usage = z.object(used)

const phase = {
  fusionId: text,
  phaseId: text,
  phaseKind,
  role: text,
  conversationScope: scope,
  model: text,
  status: openEnum('succeeded', 'failed', 'cancelled'),
  durationMs: number,
  usage,
}

export const fusionEvents = {
  'session.fusion_route_failed': payload('No plan for several models could be made.', {
    attemptId: text,
    syntheticModel: text,
    policy: text,
    reason: text,
    errorMessage: maybeText,
    fallbackModel: text,
    routingLatencyMs: maybeNumber,
  }),
  'session.fusion_resolved': payload('The plan by which several models answer this turn.', {
    fusionId: text,
    turnId: text,
    contractVersion: integer,
    syntheticModel: text,
    policy: text,
    routeSource: maybeText,
    planVersion: maybeText,
    policyVersion: maybeText,
    modelUniverseVersion: maybeText,
    ruleId: maybeText,
    ruleIndex: maybeInteger,
    ruleName: maybeText,
    scores: optional(
      z.object({ codeGen: number, debugging: number, reasoning: number, toolUse: number }),
    ),
    pattern,
    phasePlan: optional(
      z.array(z.object({ kind: phaseKind, role: text, scope, conditional: flag })),
    ),
    primaryModel: text,
    secondaryModel: text.nullable(),
    fallbackModel: text,
    followUpModel: text,
    followUp: optional(z.object({ userTurn: followUp, compactionTurn: followUp })),
    routingLatencyMs: maybeNumber,
  }),
  'session.fusion_handoff': payload('One phase handed its work to the next model.', {
    fusionId: text,
    sourcePhaseId: text,
    targetPhaseId: text,
    targetModel: text,
    message: anything,
  }),
  'session.fusion_commit_started': payload('The answer of one phase is being made the answer.', {
    fusionId: text,
    commitId: text,
    sourcePhaseId: text,
    sourceModel: text,
    kind: openEnum('text', 'terminal_tool'),
    toolCallId: text.nullable(),
  }),
  'session.fusion_completed': payload('The models are done, with what they used in all.', {
    fusionId: text,
    commitId: text,
    turnId: text,
    syntheticModel: text,
    pattern,
    outcome: text,
    finalSourcePhaseId: text.nullable(),
    finalSourceModel: text.nullable(),
    followUpModel: text,
    degradedReason: text.nullable(),
    phaseCount: integer,
    ...used,
    durationMs: number,
  }),
  'assistant.fusion_phase_completed': payload('One phase gave its part of the answer.', {
    ...phase,
    content: text,
    verdict: text.nullable(),
    projectionMessage: maybeAnything,
    projectionMode: optional(openEnum('append', 'staged', 'none')),
    stagedTerminal: maybeAnything,
  }),
  'assistant.fusion_phase_failed': payload('One phase gave no answer.', {
    ...phase,
    reason: text,
    errorMessage: maybeText,
    degradedToPhaseId: maybeText,
  }),
} as const
