/** Folds a log into what the model is given. */
import { LEFT_OUT, createHeldUnits, tooOld } from './context-bound.ts'
import { contextRules, dropBefore } from './context-rules.ts'
import type { ContextBase, ContextDraft, ModelContext, ModelMessage } from './model-context.ts'
import { applyRule, isStranger, type Placed } from './placed.ts'
import { providerValid } from './provider-valid.ts'
import { quoted } from './quoting.ts'

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
