/** What is told about a session and its surroundings: idle, title, usage, lists that changed. */
import { integer, maybeFlag, maybeInteger, optional, passes, says, text } from '../define.ts'
import { sessionErrorData } from '../events/session-lifecycle.ts'
import { sessionMode } from '../events/session-settings.ts'

const server = { serverName: text }

export const sessionNotices = {
  'session.idle': says('The turn is over and nothing waits.', {
    aborted: maybeFlag,
    mode: optional(sessionMode),
  }),
  'session.title_changed': says('The session has another title.', { title: text }),
  'session.snapshot_rewind': says('The event and all after it have left the log.', {
    upToEventId: text,
    eventsRemoved: integer,
  }),
  'session.usage_info': says('How full the model context is.', {
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
  'session.todos_changed': says('The list of things to do changed.', {}),
  'session.background_tasks_changed': says('What runs in the background changed.', {}),
  'pending_messages.modified': says('The messages that wait to be sent changed.', {}),
  'session.memory_changed': passes('What is remembered across sessions changed.'),
  'session.auto_tier_recommendation': passes('Another tier of models would do better.'),
  'session.auto_tier_switch_failed': passes('The tier of models could not be changed.'),
  'session.fusion_route_started': passes('A plan for several models is being made.'),
  'session.custom_notification': passes('An extension says something.'),
  'session.managed_settings_resolved': passes('The settings of the organisation are known.'),
  'session.managed_settings_enforced': passes('A setting of the organisation forbade something.'),
  'commands.changed': passes('Other slash commands can be used from here on.'),
  'capabilities.changed': passes('The connected client can show more, or less.'),
  'session.tools_updated': says('Other tools can be used from here on.', { model: text }),
  'session.skills_loaded': passes('The skills that can be used are known.'),
  'session.custom_agents_updated': passes('The custom agents that can be chosen changed.'),
  'session.mcp_servers_loaded': passes('The tool servers that can be used are known.'),
  'session.mcp_server_status_changed': passes('A tool server came up, went down or failed.'),
  'session.mcp_server_removed': says('A tool server is gone.', server),
  'session.mcp_server_needs_reconnect': says('A tool server must be connected anew.', server),
  'mcp.tools.list_changed': says('A tool server offers other tools.', server),
  'mcp.resources.list_changed': says('A tool server offers other resources.', server),
  'mcp.prompts.list_changed': says('A tool server offers other prompts.', server),
  'session.extensions_loaded': passes('The extensions that run are known.'),
  'session.extensions.attachments_pushed': passes(
    'An extension put something to the next message.',
  ),
  'session.canvas.opened': passes('A panel of an extension opened.'),
  'session.canvas.closed': passes('A panel of an extension closed.'),
  'session.canvas.unavailable': passes('A panel of an extension cannot be shown.'),
  'session.canvas.registry_changed': passes('Other panels can be opened from here on.'),
  'factory.run_started': passes('A factory run begins.'),
  'factory.run_updated': passes('A factory run went on.'),
  'factory.run_settled': passes('A factory run is over.'),
} as const
