/**
 * Who a session is at GitHub, as its client says: held as long as it is open, told without what is secret, and used for
 * nothing here. Nobody is signed in by this server, so of accounts there are none.
 */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { method, sessionMethod, type Methods } from '../method.ts'
import type { GitHubAuth } from '../client-state.ts'
import type { Server } from '../server.ts'

const authInfo = z.looseObject({
  type: z.string().min(1),
  host: z.string().optional(),
  login: z.string().optional(),
  token: z.string().optional(),
})

export const gitHubAuthMethods: Methods = {
  'session.gitHubAuth.setCredentials': sessionMethod(
    'Says who the session is at GitHub; nobody without credentials. They are not kept.',
    { credentials: authInfo.optional() },
    (session, { credentials }, { server }) => {
      take(server, session, credentials)
      return { success: true, ...(credentials !== undefined && { copilotUserResolved: false }) }
    },
  ),
  'session.gitHubAuth.switchToAuth': sessionMethod(
    'The session is somebody else at GitHub from now on.',
    { authInfo },
    (session, { authInfo: given }, { server }) => take(server, session, given),
  ),
  'session.gitHubAuth.getStatus': sessionMethod(
    'Whether a client said who the session is at GitHub.',
    ({ gitHubAuth }) => {
      if (gitHubAuth === undefined)
        return { isAuthenticated: false, statusMessage: 'Not authenticated' }
      const { type: authType, host, login } = gitHubAuth
      const statusMessage = `${login ?? host ?? 'GitHub'} (via ${authType})`
      return { isAuthenticated: true, authType, ...defined({ host, login }), statusMessage }
    },
  ),
  'session.gitHubAuth.getCurrentAuthInfo': sessionMethod(
    'Who the session is at GitHub, without what is secret.',
    ({ gitHubAuth }) => {
      if (gitHubAuth === undefined) return null
      const { type, host, login } = gitHubAuth
      return { type, ...defined({ host, login }) }
    },
  ),
  'session.gitHubAuth.logout': sessionMethod(
    'The session is nobody at GitHub any more. False: no other account takes its place.',
    (session) => {
      session.gitHubAuth = undefined
      return false
    },
  ),
  'session.gitHubAuth.getAllAuthAvailable': sessionMethod(
    'Accounts to choose from: this server keeps none.',
    () => [],
  ),
  'session.gitHubAuth.lastAuthErrors': sessionMethod(
    'What went wrong when signing in: nobody is signed in here.',
    () => [],
  ),
  'session.gitHubAuth.refreshCopilotUser': sessionMethod(
    'Asks nobody: the account of a user is known to GitHub alone.',
    () => null,
  ),
  'session.gitHubAuth.login': sessionMethod('Refused: nobody is signed in here.', refuse),
  'session.gitHubAuth.logoutUser': sessionMethod('Refused: no account is kept here.', refuse),
  'account.getCurrentAuth': method('Who is signed in: nobody.', () => ({})),
  'account.getAllUsers': method('Accounts that are kept: none.', () => []),
  'account.getQuota': method('Refused: quotas belong to an account.', refuse),
  'account.login': method('Refused: nobody is signed in here.', refuse),
  'account.logout': method('Refused: no account is kept here.', refuse),
}

function take(server: Server, session: HostedSession, given: GitHubAuth | undefined): void {
  session.gitHubAuth = given
  if (given?.token !== undefined && given.token !== '') server.parts.secrets.add(given.token)
}

function refuse(): never {
  throw new EngineError(
    'invalid',
    'Not authenticated: this server signs nobody in at GitHub and keeps no account. Nothing was changed.',
  )
}
