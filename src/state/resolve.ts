/**
 * What a person means by a session: its id, the beginning of its id, or its name. What cannot be told
 * apart is said, never guessed.
 */
import { isUuid, type SessionId } from '../format/ids.ts'

type Named = { readonly id: SessionId; readonly name?: string }

export type Resolution =
  | { readonly kind: 'found'; readonly id: SessionId; readonly by: 'id' | 'prefix' | 'name' }
  | {
      readonly kind: 'ambiguous'
      readonly ids: readonly SessionId[]
      readonly by: 'prefix' | 'name'
    }
  /** Not a session yet; a new one may take this id. */
  | { readonly kind: 'seed'; readonly id: SessionId }
  | { readonly kind: 'none'; readonly suggestions: readonly string[] }

/** The beginning of an id that we gave; one that a program gave yields to a name. */
const PREFIX = /^[0-9a-f]{4}[0-9a-f-]*$/
const SHORTEST = 4

export function resolveSession(value: string, catalogue: readonly Named[]): Resolution {
  const wanted = value.trim()
  const asId = wanted.toLowerCase()
  const exact = catalogue.find(({ id }) => id === wanted) ?? catalogue.find(({ id }) => id === asId)
  if (exact !== undefined) return { kind: 'found', id: exact.id, by: 'id' }
  return (
    (PREFIX.test(asId) ? byPrefix(asId, catalogue) : undefined) ??
    byName(wanted, catalogue) ??
    (wanted.length >= SHORTEST ? byPrefix(wanted, catalogue) : undefined) ??
    (isUuid(asId)
      ? { kind: 'seed', id: asId as SessionId }
      : { kind: 'none', suggestions: nearNames(wanted, catalogue) })
  )
}

function byPrefix(prefix: string, catalogue: readonly Named[]): Resolution | undefined {
  return oneOf(
    catalogue.filter(({ id }) => id.startsWith(prefix)),
    'prefix',
  )
}

function byName(name: string, catalogue: readonly Named[]): Resolution | undefined {
  const wanted = comparable(name)
  if (wanted === '') return undefined
  return oneOf(
    catalogue.filter(
      (session) => session.name !== undefined && comparable(session.name) === wanted,
    ),
    'name',
  )
}

function oneOf(matches: readonly Named[], by: 'prefix' | 'name'): Resolution | undefined {
  const [first, ...others] = matches
  if (first === undefined) return undefined
  if (others.length === 0) return { kind: 'found', id: first.id, by }
  return { kind: 'ambiguous', ids: matches.map(({ id }) => id), by }
}

/** The form in which names are compared: two sessions whose names are equal in it have the same name. */
export const comparable = (name: string): string => name.trim().normalize('NFC').toLowerCase()

const SUGGESTIONS = 3

/** Names that contain what was asked for, or are a typing mistake away. */
function nearNames(value: string, catalogue: readonly Named[]): string[] {
  const wanted = comparable(value)
  if (wanted === '') return []
  const near = catalogue.flatMap(({ name }) => {
    if (name === undefined) return []
    const score = distance(wanted, comparable(name))
    return score === undefined ? [] : [{ name, score }]
  })
  return [...new Set(near.sort((a, b) => a.score - b.score).map(({ name }) => name))].slice(
    0,
    SUGGESTIONS,
  )
}

/** Undefined when they are too far apart to be meant. */
function distance(wanted: string, name: string): number | undefined {
  if (name.includes(wanted) || (name.length > 2 && wanted.includes(name))) return 0
  const most = Math.floor(Math.min(wanted.length, 64) / 3)
  if (most === 0 || Math.abs(wanted.length - name.length) > most) return undefined
  const edits = editDistance(wanted.slice(0, 64), name.slice(0, 64))
  return edits <= most ? edits : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
