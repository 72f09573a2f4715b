/** What was chosen for a session: model, mode, limits, permissions, schedule, objective. */
import { z } from 'zod'
import {
  integer,
  maybeFlag,
  maybeInteger,
  maybeNumber,
  maybeText,
  maybeTexts,
  number,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'
import {
  SessionLimits,
  autoTier,
  contextTier,
  reasoningSummary,
  verbosity,
} from './session-lifecycle.ts'

export const sessionMode = openEnum('interactive', 'plan', 'autopilot')
const permissionMode = optional(openEnum('manual', 'assisted', 'allow-all'))

export const settingsEvents = {
  'session.model_change': payload('Another model, or other settings of it, from here on.', {
    previousModel: maybeText,
    newModel: text,
    previousReasoningEffort: maybeText,
    reasoningEffort: optional(text.nullable()),
    previousReasoningSummary: reasoningSummary,
    reasoningSummary,
    previousVerbosity: verbosity,
    verbosity,
    contextTier,
    cause: maybeText,
    source: optional(
      openEnum(
        'model_command',
        'settings_command',
        'config_command',
        'model_picker',
        'managed_settings',
        'repo_settings',
        'startup',
        'agent',
        'plan_mode',
        'automatic',
        'sdk',
      ),
    ),
    previousAutoTier: optional(autoTier),
    autoTier: optional(autoTier.nullable()),
  }),
  'session.auto_mode_resolved': payload('A router chose the model, and why.', {
    chosenModel: text,
    reasoningBucket: verbosity,
    categoryScores: optional(z.record(z.string(), number)),
    predictedLabel: maybeText,
    confidence: maybeNumber,
    candidateModels: maybeTexts,
    routingMethod: maybeText,
    availableModels: maybeTexts,
    fallback: maybeFlag,
    fallbackReason: maybeText,
    stickyOverride: maybeFlag,
    routerLatencyMs: maybeNumber,
    endToEndLatencyMs: maybeNumber,
    chosenShortfall: maybeNumber,
    hasImage: maybeFlag,
  }),
  'session.mode_changed': payload('The agent works in another mode from here on.', {
    previousMode: sessionMode,
    newMode: sessionMode,
  }),
  'session.mode_notice_delivered': payload('The model was told which mode it is in.', {
    mode: sessionMode,
    content: maybeText,
  }),
  'session.session_limits_changed': payload('The spending limits of the session changed.', {
    sessionLimits: SessionLimits.nullable(),
  }),
  'session.permissions_changed': payload('How permissions are asked for changed.', {
    previousMode: permissionMode,
    mode: permissionMode,
    assistedApprovalModel: maybeText,
    previousAllowAllPermissions: maybeFlag,
    allowAllPermissions: maybeFlag,
    previousAllowAllPermissionMode: maybeText,
    allowAllPermissionMode: maybeText,
  }),
  'session.autopilot_objective_changed': payload('The objective of unattended work changed.', {
    operation: openEnum('create', 'update', 'delete'),
    id: maybeInteger,
    status: optional(openEnum('active', 'paused', 'cap_reached', 'completed')),
  }),
  'session.schedule_created': payload('A prompt was set to be sent later, or again and again.', {
    id: integer,
    intervalMs: maybeInteger,
    cron: maybeText,
    tz: maybeText,
    at: maybeInteger,
    prompt: text,
    recurring: maybeFlag,
    selfPaced: maybeFlag,
    displayPrompt: maybeText,
    origin: optional(openEnum('user', 'model')),
  }),
  'session.schedule_cancelled': payload('A scheduled prompt was taken back.', { id: integer }),
  'session.schedule_rearmed': payload('A scheduled prompt has its next time.', {
    id: integer,
    nextRunAt: integer,
  }),
} as const
