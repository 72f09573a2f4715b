/** What a client says of a session and nobody here can do: refused where that is safer, else named in one warning. */
import { EngineError } from '../../engine/errors.ts'
import { tell } from './follow-session.ts'
import type { HostedSession } from './hosted-session.ts'
import type { SessionConfig } from './session-config.ts'

export function refuseWrong(said: SessionConfig): void {
  const { gitHubToken, provider, sessionLimits } = said
  if (gitHubToken !== undefined && provider !== undefined)
    throw new EngineError(
      'invalid',
      'Cannot specify both gitHubToken and provider: it would not be clear who pays. Nothing was changed.',
    )
  if (provider !== undefined && (said.providers !== undefined || said.models !== undefined))
    throw new EngineError(
      'invalid',
      'Cannot specify both provider and providers or models: it would not be clear which answers. Nothing was changed.',
    )
  if (typeof sessionLimits?.maxAiCredits === 'number')
    throw new EngineError(
      'invalid',
      'sessionLimits.maxAiCredits: AI credits are not counted here, so nothing would stop at the limit. Nothing was changed. Leave it out.',
    )
  if (said.enableManagedSettings === true || said.managedSettings != null)
    throw new EngineError(
      'invalid',
      'managedSettings: restrictions of an organisation are not enforced here. Nothing was changed. Leave them out, and deny by rules of session.permissions.configure.',
    )
}

/** One warning. */
export function warnOfRest(session: HostedSession, said: SessionConfig): void {
  if (said.gitHubToken === undefined) return
  const message = "Not honoured here: gitHubToken (GitHub's own service is not used)."
  tell(session, { type: 'session.warning', data: { warningType: 'not_honoured', message } })
}
