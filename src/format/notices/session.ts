/** What is told about a session and its surroundings: idle, title, usage, lists that changed. */
import { integer, maybeFlag, maybeInteger, optional, opaque, payload, text } from '../define.ts'
import { sessionErrorData } from '../events/session-lifecycle.ts'
import { sessionMode } from '../events/session-settings.ts'

const server = { serverName: text }

export const sessionNotices = {
  'session.idle': payload('The turn is over and nothing waits.', {
    aborted: maybeFlag,
    mode: optional(sessionMode),
  }),
  'session.title_changed': payload('The session has another title.', { title: text }),
  'session.snapshot_rewind': payload('The event and all after it have left the log.', {
    upToEventId: text,
    eventsRemoved: integer,
  }),
  'session.usage_info': payload('How full the model context is.', {
    tokenLimit: integer,
    currentTokens: integer,
    messagesLength: integer,
    systemTokens: maybeInteger,
    conversationTokens: maybeInteger,
    toolDefinitionsTokens: maybeInteger,
    isInitial: maybeFlag,
  }),
  // Shares its name with a durable event: trouble with the log itself cannot be written to the log.
  'session.error': sessionErrorData,
  'session.todos_changed': payload('The list of things to do changed.', {}),
  'session.background_tasks_changed': payload('What runs in the background changed.', {}),
  'pending_messages.modified': payload('The messages that wait to be sent changed.', {}),
  'session.memory_changed': opaque('What is remembered across sessions changed.'),
  'session.auto_tier_recommendation': opaque('Another tier of models would do better.'),
  'session.auto_tier_switch_failed': opaque('The tier of models could not be changed.'),
  'session.fusion_route_started': opaque('A plan for several models is being made.'),
  'session.custom_notification': opaque('An extension payload something.'),
  'session.managed_settings_resolved': opaque('The settings of the organisation are known.'),
  'session.managed_settings_enforced': opaque('A setting of the organisation forbade something.'),
  'commands.changed': opaque('Other slash commands can be used from here on.'),
  'capabilities.changed': opaque('The connected client can show more, or less.'),
  'session.tools_updated': payload('Other tools can be used from here on.', { model: text }),
  'session.skills_loaded': opaque('The skills that can be used are known.'),
  'session.custom_agents_updated': opaque('The custom agents that can be chosen changed.'),
  'session.mcp_servers_loaded': opaque('The tool servers that can be used are known.'),
  'session.mcp_server_status_changed': opaque('A tool server came up, went down or failed.'),
  'session.mcp_server_removed': payload('A tool server is gone.', server),
  'session.mcp_server_needs_reconnect': payload('A tool server must be connected anew.', server),
  'mcp.tools.list_changed': payload('A tool server offers other tools.', server),
  'mcp.resources.list_changed': payload('A tool server offers other resources.', server),
  'mcp.prompts.list_changed': payload('A tool server offers other prompts.', server),
  'session.extensions_loaded': opaque('The extensions that run are known.'),
  'session.extensions.attachments_pushed': opaque(
    'An extension put something to the next message.',
  ),
  'session.canvas.opened': opaque('A panel of an extension opened.'),
  'session.canvas.closed': opaque('A panel of an extension closed.'),
  'session.canvas.unavailable': opaque('A panel of an extension cannot be shown.'),
  'session.canvas.registry_changed': opaque('Other panels can be opened from here on.'),
  'factory.run_started': opaque('A factory run begins.'),
  'factory.run_updated': opaque('A factory run went on.'),
  'factory.run_settled': opaque('A factory run is over.'),
} as const
