/** The one rule on which compactions count: it succeeded, and it left a summary to go on from. */
import type { Payload } from '../format/event.ts'

export function compactionSummary(
  data: Payload<'session.compaction_complete'>,
): string | undefined {
  const { success, summaryContent } = data
  return success && summaryContent !== undefined && summaryContent.trim() !== ''
    ? summaryContent
    : undefined
}
