/** What a tool gave, in one text: its result, why it failed, or what it printed before it was stopped. */
import type { Payload } from '../format/event.ts'

type Outcome = Pick<Payload<'tool.execution_complete'>, 'success' | 'result' | 'error' | 'reprise'>

/** For people. */
export function outcomeText({ success, result, error, reprise }: Outcome): string | undefined {
  if (success) return result?.content
  if (reprise?.unfinished !== undefined && result !== undefined && error !== undefined)
    return `${result.content.trimEnd()}\n\n[${error.message}]`
  return error?.message ?? result?.content
}

/** For a model. What a connected program says went wrong in it is for people: the model reads the result beside it. */
export function modelText(outcome: Outcome): string | undefined {
  const { success, result, error } = outcome
  const isPrivate = !success && error?.code === 'failure' && result !== undefined
  return isPrivate ? result.content : outcomeText(outcome)
}
