/** Every method that is served, by its name. */
import type { Methods } from './method.ts'
import { commandMethods } from './methods/commands.ts'
import { eventLogMethods } from './methods/event-log.ts'
import { historyMethods } from './methods/history.ts'
import { metadataMethods } from './methods/metadata.ts'
import { permissionMethods } from './methods/permissions.ts'
import { planMethods } from './methods/plan.ts'
import { queueMethods } from './methods/queue.ts'
import { remoteMethods } from './methods/remote.ts'
import { serverMethods } from './methods/server.ts'
import { sessionMethods } from './methods/session.ts'
import { sessionTurnMethods } from './methods/session-turns.ts'
import { sessionsMethods } from './methods/sessions.ts'
import { sessionsOpenMethods } from './methods/sessions-open.ts'
import { settingsMethods } from './methods/settings.ts'
import { toolMethods } from './methods/tools.ts'
import { uiMethods } from './methods/ui.ts'
import { usageMethods } from './methods/usage.ts'
import { workspaceMethods } from './methods/workspaces.ts'

export const methods: Methods = {
  ...serverMethods,
  ...sessionMethods,
  ...sessionTurnMethods,
  ...sessionsMethods,
  ...sessionsOpenMethods,
  ...remoteMethods,
  ...settingsMethods,
  ...planMethods,
  ...workspaceMethods,
  ...historyMethods,
  ...queueMethods,
  ...eventLogMethods,
  ...metadataMethods,
  ...permissionMethods,
  ...toolMethods,
  ...uiMethods,
  ...commandMethods,
  ...usageMethods,
}
