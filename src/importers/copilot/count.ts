/** The report of a session that is copied byte for byte: all of it is kept, and what there is of it is counted. */
import type { Event, Stranger } from '../../format/event.ts'
import type { Tally } from '../convert/fidelity-report.ts'

export function countCopied(tally: Tally, event: Event | Stranger): void {
  tally.understood()
  if ('stranger' in event) return
  switch (event.type) {
    case 'session.start':
      if (event.data.context?.cwd !== undefined) tally.count('directory')
      if (event.data.context?.branch !== undefined) tally.count('branch')
      break
    case 'user.message':
      if (event.agentId !== undefined) break
      tally.turn()
      tally.count('prompts')
      tally.count('images', 'kept', (event.data.attachments ?? []).filter(isPicture).length)
      break
    case 'assistant.message': {
      const { toolRequests = [], reasoningText, reasoningOpaque } = event.data
      tally.count('answers')
      tally.count('tool calls', 'kept', toolRequests.length)
      if (reasoningText !== undefined || reasoningOpaque !== undefined) tally.count('thinking')
      break
    }
    case 'tool.execution_complete':
      tally.count('results')
      break
    case 'subagent.started':
      tally.count('sub-agents')
      break
    case 'session.compaction_complete':
      tally.count('compactions')
      break
    case 'session.usage_record':
      tally.count('usage')
  }
}

const isPicture = (attachment: object): boolean =>
  'mimeType' in attachment && String(attachment.mimeType).startsWith('image/')
