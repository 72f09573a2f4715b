/** What a session is told at its start and at each resume: model, limits and where the project is. */
import type { Payload } from '../format/event.ts'
import type { Accumulator } from './accumulator.ts'
import type { ProjectContext } from './session-state.ts'

export function applySettings(
  state: Accumulator,
  data: Payload<'session.start'> | Payload<'session.resume'>,
): void {
  if (data.selectedModel !== undefined) state.model = data.selectedModel
  if (data.reasoningEffort !== undefined) state.reasoningEffort = data.reasoningEffort
  if (data.reasoningSummary !== undefined) state.reasoningSummary = data.reasoningSummary
  if (data.verbosity !== undefined) state.verbosity = data.verbosity
  if (data.context !== undefined) state.project = projectOf(data.context)
  if (data.remoteSteerable !== undefined) state.remoteSteerable = data.remoteSteerable
  if (data.sessionLimits !== undefined) applyLimits(state, data.sessionLimits)
}

export function applyLimits(
  state: Accumulator,
  limits: Payload<'session.session_limits_changed'>['sessionLimits'],
): void {
  const credits = limits?.maxAiCredits
  if (credits === undefined || !Number.isFinite(credits)) delete state.limits
  else state.limits = { maxAiCredits: credits }
}

/** A whole replacement: outside a repository there is no branch, whatever was known before. */
export function projectOf(context: Payload<'session.context_changed'>): ProjectContext {
  return Object.fromEntries(
    projectFields.flatMap((field) =>
      context[field] === undefined ? [] : [[field, context[field]]],
    ),
  )
}

const projectFields = [
  'cwd',
  'gitRoot',
  'repository',
  'hostType',
  'repositoryHost',
  'branch',
  'headCommit',
  'baseCommit',
] as const satisfies (keyof ProjectContext)[]

type Remark = NonNullable<Payload<'session.info'>['reprise']>

/** Which agent answers from here on, what it calls the session, and what is switched off or on, where the event says it. */
export function applyRemark(state: Accumulator, said: Remark | undefined): void {
  if (said?.agent !== undefined) state.answeredBy = said.agent
  if (said?.title !== undefined) state.title = said.title
  if (said?.switched !== undefined) {
    const { kind, name, isOn } = said.switched
    state.switches = { ...state.switches, [`${kind}:${name}`]: isOn }
  }
}
