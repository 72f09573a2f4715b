/**
 * The part of a transcript that is held: a window onto the log that moves with the reader and never grows beyond a
 * bound. What it does not hold is in the log and can be paged in again.
 */
import type { EventId } from '../../../format/ids.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'

export type Tone = 'plain' | 'good' | 'bad' | 'faint'

/** Something that this terminal says and nobody else sees. */
export type Note = { readonly kind: 'note'; readonly tone: Tone; readonly text: string }

export type Item = { readonly key: string; readonly entry: TranscriptEntry | Note }

export type Window = {
  readonly items: readonly Item[]
  /** More lies before the first item; it is read from before this event on. */
  readonly olderThan: EventId | undefined
  /** The end of the session is no longer held: what happens now is not added. */
  readonly isDetached: boolean
}

export const emptyWindow: Window = { items: [], olderThan: undefined, isDetached: false }

export const MOST_FOLLOWED = 500
export const MOST_HELD = 1500

export function keyOf(entry: TranscriptEntry): string {
  const { toolCallId, requestId, hookInvocationId } = entry as Readonly<Record<string, unknown>>
  const id = [toolCallId, requestId, hookInvocationId].find((each) => typeof each === 'string')
  return `${entry.kind}:${typeof id === 'string' ? id : entry.eventId}`
}

const itemOf = (entry: TranscriptEntry): Item => ({ key: keyOf(entry), entry })

/** New entries come at the end; one that is held already is replaced where it is. */
export function put(window: Window, entries: readonly TranscriptEntry[]): Window {
  const items = [...window.items]
  for (const entry of entries) {
    const item = itemOf(entry)
    const at = items.findLastIndex(({ key }) => key === item.key)
    if (at !== -1) items[at] = item
    else if (!window.isDetached) items.push(item)
  }
  return { ...window, items }
}

export const putNote = (window: Window, key: string, note: Note): Window => ({
  ...window,
  items: [...window.items, { key, entry: note }],
})

/** Lets the oldest go while the reader is at the end. */
export function trim(window: Window): Window {
  if (window.isDetached || window.items.length <= MOST_FOLLOWED + 100) return window
  const items = window.items.slice(-MOST_FOLLOWED)
  const first = items.find(({ entry }) => entry.kind !== 'note')?.entry
  return first === undefined || first.kind === 'note'
    ? window
    : { ...window, items, olderThan: first.eventId }
}

/** A page of older entries comes before all others; when that is too many, the newest go. */
export function putBefore(
  window: Window,
  entries: readonly TranscriptEntry[],
  olderThan: EventId | undefined,
): Window {
  const held = new Set(window.items.map(({ key }) => key))
  const items = [...entries.map(itemOf).filter(({ key }) => !held.has(key)), ...window.items]
  const isTooMany = items.length > MOST_HELD
  return {
    items: isTooMany ? items.slice(0, MOST_HELD) : items,
    olderThan,
    isDetached: window.isDetached || isTooMany,
  }
}

/** The end of a session, read anew. What this terminal said last stays below it. */
export function replaced(
  window: Window,
  entries: readonly TranscriptEntry[],
  olderThan: EventId | undefined,
): Window {
  const said = window.items.slice(
    window.items.findLastIndex(({ entry }) => entry.kind !== 'note') + 1,
  )
  return { items: [...entries.map(itemOf), ...said], olderThan, isDetached: false }
}

/** A part of the session; unless it is the end, what comes after it is not held. */
export const visited = (
  entries: readonly TranscriptEntry[],
  olderThan: EventId | undefined,
  isEnd: boolean,
): Window => ({ items: entries.map(itemOf), olderThan, isDetached: !isEnd })
