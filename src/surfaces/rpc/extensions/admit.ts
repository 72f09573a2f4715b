/**
 * What an extension may have beyond tools and commands is asked of those who decide in its session: hooks, which see and
 * change everything, and variables of the environment that it was started without.
 */
import { EngineError } from '../../../engine/errors.ts'
import { isSecretName } from '../../../lib/redact/known.ts'
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
  const environmentVariables = wanted.filter(isWithheld)
  if (environmentVariables.length > 0) {
    const request = { kind: 'extension-env-access', extensionName, environmentVariables }
    if (!(await isAllowed(request))) throw denied(extensionName, 'environment access')
  }
  return Object.fromEntries(wanted.map((name) => [name, process.env[name] ?? '']))
}

const HOOKS = ['register hooks']

const isWithheld = (name: string): boolean => isSecretName(name) && process.env[name] !== undefined

const denied = (extensionName: string, what: string) =>
  new EngineError(
    'invalid',
    `Extension "${extensionName}" was denied ${what} and will not be loaded.`,
  )
