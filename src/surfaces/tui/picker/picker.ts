/**
 * The list that a session is chosen from: the nearest first, in groups, narrowed by what is typed. Pure; some hundred
 * sessions are filtered within one key press, and only the rows that are seen are ever drawn.
 */
import type { SessionSummary } from '../../../engine/catalogue/catalogue-row.ts'
import type { FarNews, FarPlace } from '../../../engine/remote-control.ts'
import { wordsOf } from '../../../engine/catalogue/catalogue-select.ts'
import type { SessionId } from '../../../format/ids.ts'
import { attentionGroups, byAttention, type Attention } from '../../../state/attention.ts'
import { byRelevance, relevance, type Whereabouts } from '../../../state/relevance.ts'
import { defined } from '../../../lib/defined.ts'
import { typed } from '../model/dialog.ts'

/** `remote`: it is on another machine. */
export type ListedSession = SessionSummary & { readonly remote?: FarPlace }

export type Row = {
  readonly session: ListedSession
  readonly group: string
  /** Everything that is filtered over, in small letters. */
  readonly words: string
  /** A turn runs in it now, waits for a person, or ended while nobody looked. */
  readonly attention?: Attention
}

export type Picker = {
  /** Missing while the sessions are being read. */
  readonly rows: readonly Row[] | undefined
  /** How many sessions there are; no more than some of them are held as rows. */
  readonly total: number
  readonly filter: string
  readonly shown: readonly Row[]
  readonly at: number
  /** Found by what was said in them; they come after those found by name. */
  readonly byContent: ReadonlySet<SessionId>
  readonly preview: { readonly id: SessionId; readonly lines: readonly string[] } | undefined
  readonly current: SessionId | undefined
  /** How old what is shown of other machines is. */
  readonly far?: FarNews | undefined
}

export const openPicker = (current: SessionId | undefined, filter = ''): Picker => ({
  rows: undefined,
  total: 0,
  filter,
  shown: [],
  at: 0,
  byContent: new Set(),
  preview: undefined,
  current,
})

export type Shown = {
  readonly sessions: readonly ListedSession[]
  readonly far?: FarNews
  readonly here: Whereabouts
  readonly attention?: ReadonlyMap<SessionId, Attention>
  /** How many there are, where these are not all. */
  readonly total?: number
}

export function withSessions(picker: Picker, shown: Shown): Picker {
  const { sessions, here, far, attention, total = sessions.length } = shown
  const near = byAttention(byRelevance(sessions, here), ({ id }) => attention?.get(id))
  const rows = near.map((session): Row => {
    const wanted = attention?.get(session.id)
    return {
      session,
      ...defined({ attention: wanted }),
      group: wanted === undefined ? relevance(session, here).bucket : attentionGroups[wanted],
      words: `${wordsOf(session)} ${session.remote?.machine.toLowerCase() ?? ''}`,
    }
  })
  return narrowed({ ...picker, rows, total, far }, rows)
}

export const marked = ({ shown, at }: Picker): ListedSession | undefined => shown[at]?.session

export type PickerDeed = 'open' | 'close' | 'delete' | 'rename' | 'fork'
type PickerStep = { readonly picker: Picker; readonly deed?: PickerDeed }

const deeds: Readonly<Record<string, PickerDeed>> = {
  enter: 'open',
  escape: 'close',
  'ctrl+c': 'close',
  'ctrl+d': 'delete',
  'ctrl+r': 'rename',
  'ctrl+f': 'fork',
}

const moves: Readonly<Record<string, number>> = {
  up: -1,
  down: 1,
  pageUp: -10,
  pageDown: 10,
  home: -Infinity,
  end: Infinity,
}

export function stepPicker(picker: Picker, key: string): PickerStep {
  const deed = deeds[key]
  if (deed !== undefined) return { picker, deed }
  const by = moves[key]
  if (by !== undefined) {
    const at = Math.max(0, Math.min(picker.shown.length - 1, picker.at + by))
    return { picker: { ...picker, at } }
  }
  const filter = typed(picker.filter, key)
  return filter === picker.filter ? { picker } : { picker: withFilter(picker, filter) }
}

/** A filter that became longer can only leave fewer rows, so only those that were left are looked at. */
export function withFilter(picker: Picker, filter: string): Picker {
  const isLonger = filter.startsWith(picker.filter) && picker.byContent.size === 0
  const next = { ...picker, filter, byContent: new Set<SessionId>(), at: 0 }
  return narrowed(next, isLonger ? picker.shown : (picker.rows ?? []))
}

export const withContent = (picker: Picker, ids: Iterable<SessionId>): Picker =>
  narrowed({ ...picker, byContent: new Set(ids) }, picker.rows ?? [])

export const wordsIn = (filter: string): string[] =>
  filter.toLowerCase().split(/\s+/).filter(Boolean)

function narrowed(picker: Picker, rows: readonly Row[]): Picker {
  const words = wordsIn(picker.filter)
  const named =
    words.length === 0
      ? rows
      : rows.filter((row) => words.every((word) => row.words.includes(word)))
  const shown =
    picker.byContent.size === 0
      ? named
      : [
          ...named,
          ...rows
            .filter((row) => picker.byContent.has(row.session.id) && !named.includes(row))
            .map((row) => ({ ...row, group: 'By what was said' })),
        ]
  return { ...picker, shown, at: Math.max(0, Math.min(picker.at, shown.length - 1)) }
}
