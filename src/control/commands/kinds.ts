/** What can be wanted of a session from afar, under the names that the Copilot CLI has for it. */
export const KINDS = [
  'user_message',
  'steer',
  'queue',
  'abort',
  'permission_response',
  'ask_user_response',
  'plan_approval_response',
  'elicitation_response',
  'mode_switch',
  'start_session',
  /** Any other operation of a session: rewind, redo, fork, compact, settings, its queue. Its content names it. */
  'operation',
] as const
export type Kind = (typeof KINDS)[number]

export const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text)

/** Answers name the question that they are for; of two answers the first one counts. */
export const isAnswer = (kind: Kind): boolean => kind.endsWith('_response')
