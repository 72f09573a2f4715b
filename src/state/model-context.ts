/**
 * What the model is given: everything said that still counts, in a form that every provider accepts,
 * wherever the log was interrupted. Stored reasoning never enters. Projecting from the start of the
 * log or from the state's `contextFrom` gives the same messages.
 */
import type { EventId } from '../format/ids.ts'
import type { Attachment } from './attachments.ts'

export type ModelContext = {
  readonly system: string | undefined
  readonly messages: readonly ModelMessage[]
}

export type ModelMessage = UserMessage | AssistantMessage | ToolMessage

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
  /** Pictures that it gave. */
  readonly attachments?: readonly Attachment[]
  readonly isError: boolean
  readonly eventId: EventId
}

/** What the records leave unsaid because they start in the middle of a log. */
export type ContextBase = {
  /** The system prompt in force where the records start. */
  readonly system?: string
  /** The summary of what was said before the records start, and the event that made it count. */
  readonly summary?: ContextSummary
  /** More was said before the records start, and nothing of it was compacted. */
  readonly isTail?: boolean
  /** Is told what is no longer given, and why. */
  readonly onDropped?: (messages: readonly ModelMessage[], why: WhyDropped) => void
}

/** A summary took its place, the context was begun anew, or there is more than any model takes. */
export type WhyDropped = 'compacted' | 'cleared' | 'too long'

type ContextSummary = { readonly text: string; readonly eventId: EventId }

export type ContextDraft = {
  system: string | undefined
  summary: ContextSummary | undefined
  /** Before it is made valid: results may be missing, doubled or out of place. */
  said: ModelMessage[]
  /** Older messages were let go: there is more than any model takes. */
  isCut: boolean
  /** What a person left out, by the events that said it. */
  readonly omitted: Set<string>
  readonly onDropped: ContextBase['onDropped']
  /** How much had been said when the running compaction started. */
  compactingAt: number | undefined
  /** Messages that came while the model was speaking, by their ids: until it is known whether it heard them. */
  steering: Map<string, ModelMessage>
  /** Tools that the user runs, and where in `said` the model is told of them: it did not call them. */
  userRuns: Map<string, UserRun>
}

export type UserRun = {
  readonly toolName: string
  readonly command?: string
  readonly at: number
}
