import { test } from 'node:test'
import assert from 'node:assert/strict'
import { eventSchemas, type Draft } from './event.ts'
import {
  isNoticeType,
  noticeSchemas,
  type Notice,
  type NoticeOf,
  type NoticeType,
} from './notice.ts'

const ephemeral = `
  session.idle session.title_changed session.auto_tier_recommendation session.auto_tier_switch_failed
  session.todos_changed session.memory_changed session.snapshot_rewind session.usage_info
  session.fusion_route_started pending_messages.modified assistant.turn_retry agent.interrupted
  assistant.intent assistant.fusion_phase_started assistant.fusion_phase_activity
  assistant.server_tool_progress assistant.reasoning_delta assistant.tool_call_delta
  assistant.streaming_delta assistant.message_start assistant.message_delta assistant.idle
  assistant.usage prompt_cache_break model.call_failure model.call_finished model.call_start
  tool.execution_partial_result tool.execution_progress sandbox.decision hook.progress
  user_input.requested user_input.completed elicitation.requested elicitation.completed
  sampling.requested sampling.completed mcp.oauth_required mcp.oauth_completed
  mcp.headers_refresh_required mcp.headers_refresh_completed session.custom_notification
  ui.ephemeral_query external_tool.completed command.queued command.execute command.completed
  auto_mode_switch.requested auto_mode_switch.completed session_limits_exhausted.requested
  session_limits_exhausted.completed session.managed_settings_resolved
  session.managed_settings_enforced commands.changed capabilities.changed exit_plan_mode.requested
  exit_plan_mode.completed session.tools_updated session.background_tasks_changed
  factory.run_updated factory.run_started factory.run_settled session.skills_loaded
  session.custom_agents_updated session.mcp_servers_loaded session.mcp_server_status_changed
  session.mcp_server_removed session.mcp_server_needs_reconnect mcp.tools.list_changed
  mcp.resources.list_changed mcp.prompts.list_changed session.extensions_loaded
  session.canvas.opened session.canvas.registry_changed session.canvas.closed
  session.canvas.unavailable session.extensions.attachments_pushed mcp_app.tool_call_complete`
  .trim()
  .split(/\s+/)

test('every type that is only told has a schema, and session.error besides', () => {
  assert.equal(ephemeral.length, 78)
  assert.deepEqual(Object.keys(noticeSchemas).sort(), [...ephemeral, 'session.error'].sort())
})

test('only session.error is both told and stored, with one schema', () => {
  const both = Object.keys(noticeSchemas).filter((type) => Object.hasOwn(eventSchemas, type))
  assert.deepEqual(both, ['session.error'])
  assert.equal(noticeSchemas['session.error'], eventSchemas['session.error'])
})

test('a notice is no draft', () => {
  const idle: Notice = { type: 'session.idle', data: {} }
  // @ts-expect-error what is only told cannot be committed
  const draft: Draft = idle
  assert.ok(isNoticeType(draft.type))
})

test('not one of the notices has the type of a draft', () => {
  type Told = Exclude<NoticeType, 'session.error'>
  type Both = { [T in Told]: NoticeOf<T> extends Draft ? T : never }[Told]
  const none: Both[] = []
  assert.deepEqual(none satisfies never[], [])
})
