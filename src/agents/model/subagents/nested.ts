/** What a sub-agent says and does, as it stands in the log of the session: under its id and below the call that set it to work. */
import type { AgentItem } from '../../../engine/agent.ts'
import type { Draft } from '../../../format/event.ts'
import type { Notice } from '../../../format/notice.ts'

type Owner = { readonly agentId: string; readonly toolCallId: string }

/** Types that name the call themselves. */
const NAMING: ReadonlySet<string> = new Set([
  'assistant.message',
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.message_delta',
  'assistant.usage',
  'tool.execution_start',
  'tool.execution_complete',
])

export const nested = (item: AgentItem, owner: Owner): AgentItem =>
  'draft' in item ? { draft: owned(item.draft, owner) } : { notice: owned(item.notice, owner) }

function owned<Said extends Draft | Notice>(said: Said, { agentId, toolCallId }: Owner): Said {
  if (!NAMING.has(said.type)) return { ...said, agentId }
  return { ...said, data: { ...said.data, parentToolCallId: toolCallId }, agentId }
}
