/**
 * What an extension may have beyond tools and commands is asked of those who decide in its session: hooks, which see and
 * change everything, and variables of the environment that it was started without.
 */
import { EngineError } from '../../../engine/errors.ts'
import { agentEnvironment, withheldVariables } from '../../../lib/child-environment.ts'
import type { HostedSession } from '../hosted-session.ts'
import type { ExtensionRequest } from './questions.ts'

type Wish = {
  readonly hooks?: boolean | undefined
  readonly requestedEnvironmentVariables?: readonly string[] | undefined
}

/** The variables that it is given. Throws when anything is denied: it does not join without it. */
export async function admit(
  { extensionQuestions, permissions }: HostedSession,
  extensionName: string,
  { hooks = false, requestedEnvironmentVariables: wanted = [] }: Wish,
): Promise<Readonly<Record<string, string>>> {
  const isFree = permissions.mode === 'allow-all' || permissions.rules.approvesAll
  const isAllowed = async (request: ExtensionRequest) =>
    isFree || (await extensionQuestions.ask(request))
  if (hooks) {
    const request = { kind: 'extension-permission-access', extensionName, capabilities: HOOKS }
    if (!(await isAllowed(request))) throw denied(extensionName, 'permission access')
  }
  const withheld = withheldVariables()
  const environmentVariables = wanted.filter((name) => withheld.includes(name))
  if (environmentVariables.length > 0) {
    const request = { kind: 'extension-env-access', extensionName, environmentVariables }
    if (!(await isAllowed(request))) throw denied(extensionName, 'environment access')
  }
  // A variable of --secret-env-vars is not given, even to an extension that was allowed to have it.
  const given = agentEnvironment()
  return Object.fromEntries(wanted.map((name) => [name, given[name] ?? '']))
}

const HOOKS = ['register hooks']

const denied = (extensionName: string, what: string) =>
  new EngineError(
    'invalid',
    `Extension "${extensionName}" was denied ${what} and will not be loaded.`,
  )
