/** Every method that is served, by its name. */
import type { Methods } from './method.ts'
import { agentMethods } from './methods/agents.ts'
import { canvasMethods } from './methods/canvas.ts'
import { commandMethods } from './methods/commands.ts'
import { contextMethods } from './methods/context.ts'
import { discoveryMethods } from './methods/discovery.ts'
import { eventLogMethods } from './methods/event-log.ts'
import { extensionMethods } from './methods/extensions.ts'
import { fleetMethods } from './methods/fleet.ts'
import { gitHubAuthMethods } from './methods/github-auth.ts'
import { historyMethods } from './methods/history.ts'
import { hostMethods } from './methods/host.ts'
import { mcpConfigMethods } from './methods/mcp-config.ts'
import { mcpAppMethods } from './methods/mcp-apps.ts'
import { mcpRequestMethods } from './methods/mcp-requests.ts'
import { mcpMethods } from './methods/mcp.ts'
import { llmInferenceMethods } from './methods/llm-inference.ts'
import { metadataMethods } from './methods/metadata.ts'
import { notificationMethods } from './methods/notification.ts'
import { objectiveMethods } from './methods/objective.ts'
import { operationMethods } from './methods/operations.ts'
import { permissionMethods } from './methods/permissions.ts'
import { permissionPlaceMethods } from './methods/permission-places.ts'
import { permissionRuleMethods } from './methods/permission-rules.ts'
import { planMethods } from './methods/plan.ts'
import { pluginMethods } from './methods/plugins.ts'
import { providerMethods } from './methods/provider.ts'
import { queueIdleMethods } from './methods/queue-idle.ts'
import { queueMethods } from './methods/queue.ts'
import { remoteMethods } from './methods/remote.ts'
import { scheduleMethods } from './methods/schedule.ts'
import { serverMethods } from './methods/server.ts'
import { sessionMethods } from './methods/session.ts'
import { sessionTurnMethods } from './methods/session-turns.ts'
import { sessionsMethods } from './methods/sessions.ts'
import { sessionsOpenMethods } from './methods/sessions-open.ts'
import { settingsMethods } from './methods/settings.ts'
import { skillMethods } from './methods/skills.ts'
import { taskMethods } from './methods/tasks.ts'
import { shellMethods } from './methods/shell.ts'
import { toolMethods } from './methods/tools.ts'
import { uiMethods } from './methods/ui.ts'
import { unmanagedMethods } from './methods/unmanaged.ts'
import { usageMethods } from './methods/usage.ts'
import { userSettingsMethods } from './methods/user-settings.ts'
import { workspaceMethods } from './methods/workspaces.ts'

export const methods: Methods = {
  ...serverMethods,
  ...llmInferenceMethods,
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
  ...permissionRuleMethods,
  ...permissionPlaceMethods,
  ...toolMethods,
  ...contextMethods,
  ...shellMethods,
  ...providerMethods,
  ...notificationMethods,
  ...userSettingsMethods,
  ...uiMethods,
  ...commandMethods,
  ...canvasMethods,
  ...gitHubAuthMethods,
  ...unmanagedMethods,
  ...usageMethods,
  ...agentMethods,
  ...taskMethods,
  ...skillMethods,
  ...mcpMethods,
  ...mcpRequestMethods,
  ...mcpAppMethods,
  ...mcpConfigMethods,
  ...scheduleMethods,
  ...discoveryMethods,
  ...pluginMethods,
  ...extensionMethods,
  ...fleetMethods,
  ...hostMethods,
  ...objectiveMethods,
  ...queueIdleMethods,
  ...operationMethods,
}
