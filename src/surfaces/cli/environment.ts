/** Options that say what a variable of the environment says: they are put there, where every part looks. */
import type { Given } from './command.ts'

export function applyToEnvironment(env: NodeJS.ProcessEnv, given: Given): void {
  if (given.flag('noColor')) {
    env['NO_COLOR'] = '1'
    delete env['FORCE_COLOR']
  }
  if (given.flag('disableClientTelemetry')) env['OTEL_SDK_DISABLED'] = 'true'
  const level = DIAGNOSTICS[given.text('logLevel') ?? '']
  // Programs give the option without a thought; a person who sets the variable means it.
  if (level !== undefined) env['REPRISE_LOG'] ??= level
}

/** Levels of the Copilot CLI, as the diagnostics name theirs. */
const DIAGNOSTICS: Readonly<Record<string, string>> = {
  none: 'off',
  error: 'error',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  all: 'debug',
}
