/** Everything that is said about a session itself. */
import { fusionEvents } from './fusion.ts'
import { contextEvents } from './session-context.ts'
import { lifecycleEvents } from './session-lifecycle.ts'
import { settingsEvents } from './session-settings.ts'

export const sessionEvents = {
  ...lifecycleEvents,
  ...settingsEvents,
  ...contextEvents,
  ...fusionEvents,
} as const
