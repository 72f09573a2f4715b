/** Options that say what a variable of the environment says: they are put there, where every part looks. */
import { namedSecrets } from '../../lib/redact/known.ts'
import { usage, type Given } from './command.ts'
import type { copilotOptions } from './copilot-options.ts'

export function applyToEnvironment(env: NodeJS.ProcessEnv, given: Given): void {
  if (given.flag('noColor')) {
    env['NO_COLOR'] = '1'
    delete env['FORCE_COLOR']
  }
  const { secretEnvVars, bashEnv = 'on' } = given.all<typeof copilotOptions>()
  if (secretEnvVars !== undefined) nameSecrets(env, secretEnvVars)
  // No shell reads a file before its command, that of a tool or of an agent.
  if (bashEnv === 'off') for (const name of ['BASH_ENV', 'ENV']) delete env[name]
  if (given.flag('disableClientTelemetry')) env['OTEL_SDK_DISABLED'] = 'true'
  const level = given.text('logLevel')
  // Programs give the option without a thought; a person who sets the variable means it.
  if (level !== undefined && level !== 'default') env['REPRISE_LOG'] ??= level
}

function nameSecrets(env: NodeJS.ProcessEnv, given: readonly string[]): void {
  const names = given.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || [])
  const wrong = names.find((name) => !/^[^\s=,]+$/.test(name))
  if (names.length === 0 || wrong !== undefined)
    throw usage(
      `--secret-env-vars wants names of variables, as --secret-env-vars=MY_KEY,OTHER_KEY${wrong === undefined ? '' : `, not "${wrong}"`}. Nothing was started.`,
    )
  env[namedSecrets.variable] = [...new Set([...namedSecrets.in(env), ...names])].join(',')
  const [short] = namedSecrets.unfindable(env)
  if (short !== undefined)
    throw usage(
      `--secret-env-vars: the value of ${short} has fewer than 8 characters, so it cannot be told from other text and would not be hidden. Nothing was started. Unset it for this start, or give it a longer value.`,
    )
}
