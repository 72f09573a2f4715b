/** Agents that the agent set to work. Their own events carry their `agentId`. */
import {
  flag,
  maybeFlag,
  maybeInteger,
  maybeText,
  openEnum,
  optional,
  payload,
  text,
  texts,
} from '../define.ts'

const modelSelectionSource = optional(
  openEnum(
    'explicit_override',
    'configured_required',
    'configured_preference',
    'complementary_default',
    'session_inheritance',
    'agent_definition_default',
    'runtime_policy',
  ),
)

const agent = { toolCallId: text, agentName: text, agentDisplayName: text, model: maybeText }

const outcome = {
  ...agent,
  firstDispatchedModel: maybeText,
  configuredModelPreference: maybeText,
  explicitModelOverride: maybeText,
  explicitModelMatchesPreference: maybeFlag,
  modelOverrideReason: maybeText,
  modelSelectionSource,
  configuredModelMatchesActual: maybeFlag,
  totalToolCalls: maybeInteger,
  totalTokens: maybeInteger,
  durationMs: maybeInteger,
}

export const subagentEvents = {
  'subagent.started': payload('A subagent begins its work.', {
    ...agent,
    agentDescription: text,
    taskModelSource: optional(
      openEnum('task_argument', 'subagent_configuration', 'custom_agent_definition', 'unset'),
    ),
    modelSelectionSource,
    factoryRunId: maybeText,
    parentId: maybeText,
    resumable: maybeFlag,
    agentType: maybeText,
    executionMode: maybeText,
  }),
  'subagent.configured': payload('The settings that a subagent works with.', {
    model: text,
    reasoningEffort: maybeText,
    contextTier: maybeText,
    multiTurn: flag,
  }),
  'subagent.completed': payload('A subagent is done.', { ...outcome, cancelled: maybeFlag }),
  'subagent.failed': payload('A subagent gave up.', { ...outcome, error: text }),
  'subagent.selected': payload('A custom agent speaks from here on.', {
    agentName: text,
    agentDisplayName: text,
    tools: texts.nullable(),
  }),
  'subagent.deselected': payload('The usual agent speaks again.', {}),
} as const
