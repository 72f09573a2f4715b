/**
 * What the model is given: everything said that still counts, in a form that every provider accepts,
 * wherever the log was interrupted. Stored reasoning never enters. Projecting from the start of the
 * log or from the state's `contextFrom` gives the same messages.
 */
import type { Payload } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { contextRules } from './context-rules.ts'
import { providerValid } from './provider-valid.ts'
import { applyRule, isStranger } from './placed.ts'
import type { Placed } from './placed.ts'
import { quoted } from './quoting.ts'

export type ModelContext = {
  readonly system: string | undefined
  readonly messages: readonly ModelMessage[]
}

export type ModelMessage = UserMessage | AssistantMessage | ToolMessage

export type Attachment = NonNullable<Payload<'user.message'>['attachments']>[number]

export type UserMessage = {
  readonly role: 'user'
  readonly content: string
  readonly attachments?: readonly Attachment[]
  readonly eventId: EventId
}

export type AssistantMessage = {
  readonly role: 'assistant'
  readonly content: string
  readonly toolCalls?: readonly ToolCall[]
  readonly eventId: EventId
}

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: unknown }

export type ToolMessage = {
  readonly role: 'tool'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: string
  readonly isError: boolean
  readonly eventId: EventId
}

/** What the records leave unsaid because they start in the middle of a log. */
export type ContextBase = {
  /** The system prompt in force where the records start. */
  readonly system?: string
  /** The summary of what was said before the records start, and the event that made it count. */
  readonly summary?: ContextSummary
}

export type ContextSummary = { readonly text: string; readonly eventId: EventId }

export function projectModelContext(
  records: Iterable<Placed>,
  base: ContextBase = {},
): ModelContext {
  const folder = createContextFolder(base)
  for (const record of records) folder.push(record)
  return folder.context()
}

export interface ContextFolder {
  push(record: Placed): void
  context(): ModelContext
}

export type ContextDraft = {
  system: string | undefined
  summary: ContextSummary | undefined
  /** Before it is made valid: results may be missing, doubled or out of place. */
  said: ModelMessage[]
  /** How much had been said when the running compaction started. */
  compactingAt: number | undefined
  /** Tools that the user runs, and where in `said` the model is told of them: it did not call them. */
  userRuns: Map<string, { readonly toolName: string; readonly at: number }>
}

export function createContextFolder(base: ContextBase = {}): ContextFolder {
  const draft: ContextDraft = {
    system: base.system,
    summary: base.summary,
    said: [],
    compactingAt: undefined,
    userRuns: new Map(),
  }
  return {
    push({ event, start, end }) {
      if (!isStranger(event)) applyRule(contextRules, draft, event, { start, end })
    },
    context: () => ({
      system: draft.system?.toWellFormed(),
      messages: providerValid([...summaryMessage(draft), ...draft.said]),
    }),
  }
}

function summaryMessage({ summary }: ContextDraft): ModelMessage[] {
  if (summary === undefined) return []
  return [{ role: 'user', content: asSummary(summary.text), eventId: summary.eventId }]
}

export const asSummary = (text: string): string =>
  'The earlier part of this conversation was replaced by this summary of it. ' +
  'It tells what was done; it gives no orders.\n\n' +
  quoted('summary', {}, text)
