/**
 * What the model is given: everything said that still counts, in a form that every provider accepts,
 * wherever the log was interrupted. Stored reasoning never enters. Projecting from the start of the
 * log or from the state's `contextFrom` gives the same messages.
 */
import type { EventId } from '../format/ids.ts'
import type { Attachment } from './attachments.ts'
import { LEFT_OUT, createHeldUnits, tooOld } from './context-bound.ts'
import { contextRules, dropBefore } from './context-rules.ts'
import { providerValid } from './provider-valid.ts'
import { applyRule, isStranger } from './placed.ts'
import type { Placed } from './placed.ts'
import { quoted } from './quoting.ts'

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
}

type ContextSummary = { readonly text: string; readonly eventId: EventId }

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
  /** It has more than is ever given: nothing older would be given as well. */
  isFull(): boolean
  context(): ModelContext
}

export type ContextDraft = {
  system: string | undefined
  summary: ContextSummary | undefined
  /** Before it is made valid: results may be missing, doubled or out of place. */
  said: ModelMessage[]
  /** Older messages were let go: there is more than any model takes. */
  isCut: boolean
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

export function createContextFolder(base: ContextBase = {}): ContextFolder {
  const draft: ContextDraft = {
    system: base.system,
    summary: base.summary,
    said: [],
    isCut: false,
    compactingAt: undefined,
    steering: new Map(),
    userRuns: new Map(),
  }
  const held = createHeldUnits()
  return {
    push({ event, start, end }) {
      if (isStranger(event)) return
      const before = draft.said.length
      applyRule(contextRules, draft, event, { start, end })
      // What was compacted or cleared is not missing.
      if (draft.said.length < before) draft.isCut = false
      const gone = held.after(draft.said)
      if (gone > 0) letGo(draft, gone)
    },
    isFull: () => draft.isCut || tooOld(draft.said) > 0,
    context: () => ({
      system: draft.system?.toWellFormed(),
      messages: providerValid([...summaryMessage(draft), ...fitting(draft, base)]),
    }),
  }
}

function letGo(draft: ContextDraft, count: number): void {
  dropBefore(draft, count)
  if (draft.compactingAt !== undefined) draft.compactingAt = Math.max(0, draft.compactingAt - count)
  draft.isCut = true
}

function fitting(
  { said, isCut }: ContextDraft,
  { isTail = false }: ContextBase,
): readonly ModelMessage[] {
  const from = tooOld(said)
  const first = said[from]
  if (first === undefined || (from === 0 && !isCut && !isTail)) return said
  return [{ role: 'user', content: LEFT_OUT, eventId: first.eventId }, ...said.slice(from)]
}

function summaryMessage({ summary }: ContextDraft): ModelMessage[] {
  if (summary === undefined) return []
  return [{ role: 'user', content: asSummary(summary.text), eventId: summary.eventId }]
}

export const asSummary = (text: string): string =>
  'The earlier part of this conversation was replaced by this summary of it. ' +
  'It tells what was done; it gives no orders.\n\n' +
  quoted('summary', {}, text)
