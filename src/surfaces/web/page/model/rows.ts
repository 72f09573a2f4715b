/**
 * What stands in the transcript, top to bottom, each with a key that stays its own while it changes. What happened
 * around the talk (closed, resumed, named, forked …) is one quiet row, and a permission stands with its tool.
 */
import { defined } from '../../../../lib/defined.ts'
import { findIn } from '../../../../state/find-in.ts'
import type { EntryOf, TranscriptEntry } from '../../../../state/transcript.ts'
import type { Live } from '../../../../state/live.ts'

export type QuietEntry = Exclude<
  TranscriptEntry,
  {
    kind:
      | 'user'
      | 'assistant'
      | 'thought'
      | 'tool'
      | 'continuation'
      | 'compaction'
      | 'handoff'
      | 'error'
      | 'warning'
  }
>

type Row =
  | {
      readonly kind: 'entry'
      readonly key: string
      readonly entry: TranscriptEntry
      /** Of a tool: what was asked before it ran, and what was said to it. */
      readonly permission?: EntryOf<'permission'>
    }
  | { readonly kind: 'quiet'; readonly key: string; readonly entries: readonly QuietEntry[] }
  | { readonly kind: 'live'; readonly key: string; readonly live: Live }

const QUIET: ReadonlySet<string> = new Set<QuietEntry['kind']>([
  'permission',
  'info',
  'model',
  'mode',
  'plan',
  'file',
  'resume',
  'shutdown',
  'abort',
  'subagent',
  'skill',
  'hook',
  'stranger',
])

const isQuiet = (entry: TranscriptEntry): entry is QuietEntry => QUIET.has(entry.kind)

export function transcriptRows(entries: readonly TranscriptEntry[], live: Live): Row[] {
  const permissions = new Map<string, EntryOf<'permission'>>()
  const tools = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'tool') tools.add(entry.toolCallId)
    if (entry.kind === 'permission' && entry.toolCallId !== undefined)
      permissions.set(entry.toolCallId, entry)
  }
  const isWithTool = (entry: TranscriptEntry) =>
    entry.kind === 'permission' && tools.has(entry.toolCallId ?? '')
  const seen = new Map<string, number>()
  const rows: Row[] = []
  for (const entry of entries) {
    if (isWithTool(entry)) continue
    const last = rows.at(-1)
    if (isQuiet(entry) && last?.kind === 'quiet') {
      rows[rows.length - 1] = { ...last, entries: [...last.entries, entry] }
      continue
    }
    const own = 'toolCallId' in entry ? (entry.toolCallId ?? '') : ''
    const name = `${entry.eventId} ${entry.kind} ${own}`
    // Another writer may have used an id twice.
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    const key = times === 0 ? name : `${name} ${times}`
    if (isQuiet(entry)) rows.push({ kind: 'quiet', key, entries: [entry] })
    else {
      const permission = entry.kind === 'tool' ? permissions.get(entry.toolCallId) : undefined
      rows.push({ kind: 'entry', key, entry, ...defined({ permission }) })
    }
  }
  const isSpeaking =
    live.text !== '' || live.thought !== '' || live.intent !== undefined || live.retry !== undefined
  if (isSpeaking) rows.push({ kind: 'live', key: 'live', live })
  return rows
}

/**
 * The row that shows an event: of several the one that has the text; with a tool call, the first row from there on that
 * shows the call.
 */
export function rowOf(
  rows: readonly Row[],
  eventId: string,
  { call, text }: { readonly call?: string | undefined; readonly text?: string | undefined } = {},
): string | undefined {
  const at = rows.findIndex((row) => isOf(row, eventId))
  if (at === -1) return undefined
  const later = rows.slice(at)
  const meant =
    call !== undefined
      ? later.find((row) => isOfCall(row, call))
      : text !== undefined
        ? later.find((row) => isOf(row, eventId) && has(row, text))
        : undefined
  return (meant ?? rows[at])?.key
}

const has = (row: Row, text: string): boolean =>
  row.kind === 'entry' && findIn(row.entry, text) !== undefined

const isOf = (row: Row, eventId: string): boolean =>
  row.kind === 'entry'
    ? row.entry.eventId === eventId || row.permission?.eventId === eventId
    : row.kind === 'quiet' && row.entries.some((entry) => entry.eventId === eventId)

const isOfCall = (row: Row, call: string): boolean =>
  row.kind === 'entry' && row.entry.kind === 'tool' && row.entry.toolCallId === call

/** The failure that the talk ended with, or the question that was lost then, and the message that it was the end of. */
export function lastFailure(
  entries: readonly TranscriptEntry[],
): { readonly entry: TranscriptEntry; readonly prompt: string } | undefined {
  const entry = entries.findLast((each): boolean => !isQuiet(each))
  const isLost = entry?.kind === 'warning' && entry.topic === 'question_lost'
  if (entry === undefined || (entry.kind !== 'error' && !isLost)) return undefined
  const asked = entries.findLast((each) => each.kind === 'user' && !each.isSteering)
  if (asked?.kind !== 'user' || asked.attachments.length > 0) return undefined
  return { entry, prompt: asked.text }
}
