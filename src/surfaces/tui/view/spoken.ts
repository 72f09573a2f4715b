/** One thing that happened, as a line to be read aloud. */
import type { FeedItem } from '../../../engine/live/feed.ts'
import { argumentText } from './tool-card.ts'

/** What is worth hearing of what happened. */
export function spoken(
  item: FeedItem,
  { withOutput }: { readonly withOutput: boolean },
): string | undefined {
  if (item.kind === 'notice')
    return item.notice.type === 'session.error' ? `Error: ${item.notice.data.message}` : undefined
  if (item.kind !== 'event' || 'stranger' in item.event) return undefined
  const { event } = item
  if (event.agentId !== undefined) return undefined
  switch (event.type) {
    case 'assistant.message':
      return event.data.content.trim() === '' ? undefined : event.data.content
    case 'tool.execution_start':
      return `Tool: ${event.data.toolName} ${argumentText(event.data.arguments)}`
    case 'tool.execution_complete':
      if (!event.data.success) return `Tool: failed: ${event.data.error?.message ?? ''}`
      return withOutput ? event.data.result?.content || 'Tool: done' : 'Tool: done'
    case 'session.error':
      return `Error: ${event.data.message}`
    case 'session.warning':
      return `Warning: ${event.data.message}`
    default:
      return undefined
  }
}
