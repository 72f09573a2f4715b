/** What a client says of a session and nobody here can do: refused where that is safer, else named in one warning. */
import { EngineError } from '../../engine/errors.ts'
import { tell } from './follow-session.ts'
import type { HostedSession } from './hosted-session.ts'
import type { SessionConfig } from './session-config.ts'

/** As the Copilot CLI has it. */
const LEAST_CREDITS = 30

export function refuseWrong({ gitHubToken, provider, sessionLimits }: SessionConfig): void {
  if (gitHubToken !== undefined && provider !== undefined)
    throw new EngineError(
      'invalid',
      'Cannot specify both gitHubToken and provider: it would not be clear who pays. Nothing was opened.',
    )
  const { maxAiCredits = LEAST_CREDITS } = sessionLimits ?? {}
  if (maxAiCredits !== null && maxAiCredits < LEAST_CREDITS)
    throw new EngineError(
      'invalid',
      `Minimum session limit is ${LEAST_CREDITS} AI credits. Nothing was opened.`,
    )
}

/** One warning for all of it. */
export function warnOfRest(session: HostedSession, said: SessionConfig): void {
  const left = [
    ...(said.sessionLimits == null
      ? []
      : ['sessionLimits (no credits are counted here: nothing stops at the limit)']),
    ...(said.gitHubToken === undefined ? [] : ["gitHubToken (GitHub's own service is not used)"]),
  ]
  if (left.length === 0) return
  const message = `Not honoured here: ${left.join('; ')}.`
  tell(session, { type: 'session.warning', data: { warningType: 'not_honoured', message } })
}
