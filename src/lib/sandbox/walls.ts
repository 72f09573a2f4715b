/**
 * What a sandboxed program may do to files. Everything is readable and nothing is writable, but for the places that are
 * named; of nested places the inner one counts.
 */
import { isBelow } from '../is-below.ts'

export type Access = 'writable' | 'read-only' | 'masked'

export type Place = {
  /** Absolute, links resolved, and there. */
  readonly path: string
  readonly access: Access
  readonly isFolder: boolean
  /** No place inside of it counts: what a rule denies is not given back. */
  readonly isFinal?: boolean
  /** It is a mount of its own even where that changes nothing, so that it can be neither moved nor replaced. */
  readonly isPinned?: boolean
}

export type Walls = {
  /** Outer places before inner ones. */
  readonly places: readonly Place[]
  readonly network: boolean
}

/** Sorts places, keeps the strictest of equal ones, and leaves out those that change nothing. */
export function wallsOf(places: readonly Place[], { network }: Pick<Walls, 'network'>): Walls {
  const seen: Place[] = []
  const kept: Place[] = []
  const sorted = places.toSorted(
    (a, b) => depthOf(a.path) - depthOf(b.path) || strictness(b) - strictness(a),
  )
  for (const place of sorted) {
    const around = seen.findLast(({ path }) => isBelow(path, place.path))
    const isDecided =
      around !== undefined &&
      (around.path === place.path ||
        around.access === 'masked' ||
        (around.isFinal === true && strictness(place) <= strictness(around)))
    if (isDecided) continue
    seen.push(place)
    const changes = place.access !== (around?.access ?? 'read-only')
    if (changes || place.isPinned === true) kept.push(place)
  }
  return { places: kept, network }
}

const strictness = ({ access }: Place): number =>
  ['writable', 'read-only', 'masked'].indexOf(access)

const depthOf = (path: string): number => path.split('/').filter(Boolean).length
