/** What a tool gave, in one text: its result, why it failed, or what it printed before it was stopped. */
import type { Payload } from '../format/event.ts'

export function outcomeText({
  success,
  result,
  error,
  reprise,
}: Payload<'tool.execution_complete'>): string | undefined {
  if (success) return result?.content
  if (reprise?.unfinished !== undefined && result !== undefined && error !== undefined)
    return `${result.content.trimEnd()}\n\n[${error.message}]`
  return error?.message ?? result?.content
}
