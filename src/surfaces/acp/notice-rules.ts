/** What a client is told of notices: texts as they grow, output on its way, titles and usage. The others are not for it. */
import type { Notice, NoticeOf, NoticeType } from '../../format/notice.ts'
import { fieldsOf, isFields } from '../../lib/fields.ts'
import { hearNotice, silence } from '../../state/live.ts'
import { preview } from '../../state/preview.ts'
import type { AcpProjection } from './projection.ts'
import { text, textContent, type Update } from './update.ts'

type NoticeRules = {
  readonly [T in NoticeType]?: (projection: AcpProjection, notice: NoticeOf<T>) => readonly Update[]
}

const rules: NoticeRules = {
  'assistant.message_delta': (projection, { data }) =>
    data.parentToolCallId === undefined
      ? piece(projection, 'agent_message_chunk', data.messageId, data)
      : [],
  'assistant.reasoning_delta': (projection, { data }) =>
    piece(projection, 'agent_thought_chunk', data.reasoningId, data),
  'tool.execution_partial_result': ({ calls, said }, { data }) => {
    const { toolCallId, partialOutput } = data
    const call = calls.get(toolCallId)
    if (call === undefined || call.status === 'over') return []
    // Content is replaced whole, so all of it so far is told again, up to a limit.
    const so = ((said.get(toolCallId) ?? '') + partialOutput).slice(-MAX_PARTIAL)
    said.set(toolCallId, so)
    const content = [textContent(so)]
    const { acp } = data as { readonly acp?: unknown }
    return [
      {
        sessionUpdate: 'tool_call_update',
        ...fieldsOf(acp),
        toolCallId,
        status: 'in_progress',
        content,
      },
    ]
  },
  // A message is no title: the client has it, and calls the session as it likes until there is one.
  'session.title_changed': ({ asked }, { data: { title } }) =>
    preview(title) === asked ? [] : [{ sessionUpdate: 'session_info_update', title }],
  'session.usage_info': (_telling, { data }) => {
    const { currentTokens: used, tokenLimit: size, acp } = data as typeof data & { acp?: unknown }
    return [{ sessionUpdate: 'usage_update', ...fieldsOf(acp), used, size }]
  },
  // Of the moment, as thoughts are: a client without remarks would see nothing while it waits.
  'assistant.turn_retry': ({ tells }, notice) => {
    const { retry = '' } = hearNotice(silence, notice)
    const title = `No answer yet: ${retry}.`
    return tells.notices
      ? [{ sessionUpdate: 'notice', severity: 'warning', title }]
      : [{ sessionUpdate: 'agent_thought_chunk', content: text(`${title}\n`) }]
  },
  'session.error': ({ tells }, { data }) =>
    tells.notices && data.message !== ''
      ? [{ sessionUpdate: 'notice', severity: 'error', title: data.message }]
      : [],
  'session.custom_notification': ({ tells }, { data }) => {
    const { source, name, payload } = data
    if (source !== 'acp' || !isFields(payload)) return []
    const isOwed = OWN.get(String(name))
    if (isOwed !== undefined && !isOwed(tells)) return []
    return payload['sessionUpdate'] === name ? [{ sessionUpdate: 'raw', update: payload }] : []
  },
}

const MAX_PARTIAL = 32 * 1024

/** Kinds of another agent's updates that are known here, and to whom they are given on. */
const OWN: ReadonlyMap<string, (tells: AcpProjection['tells']) => boolean> = new Map([
  ['user_message_chunk', () => false],
  ['session_info_update', () => true],
  ['notice', (tells: AcpProjection['tells']) => tells.notices],
  ['compaction_summary_chunk', (tells: AcpProjection['tells']) => tells.compaction],
  ['session_message_chunk', () => false],
])

export function projectNotice(projection: AcpProjection, notice: Notice): readonly Update[] {
  const rule = rules[notice.type] as
    ((projection: AcpProjection, notice: Notice) => readonly Update[]) | undefined
  return rule?.(projection, notice) ?? []
}

function piece(
  { said }: AcpProjection,
  sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
  messageId: string,
  data: { readonly deltaContent: string; readonly acp?: unknown },
): readonly Update[] {
  const { deltaContent: delta, acp } = data
  if (delta === '') return []
  said.set(messageId, (said.get(messageId) ?? '') + delta)
  const { content, ...beside } = fieldsOf(acp)
  const whole = { ...fieldsOf(content), ...text(delta) }
  return [{ sessionUpdate, ...beside, content: whole, messageId }]
}
