/**
 * Which file a name stands for. A client does not tell, so it is kept here, where all changes are made: a file keeps
 * its identity when it moves, and a name that is given to another file has another identity from then on.
 */
export type Held = {
  readonly identity: string
  /** Undefined when the file has no name any more: a writer that still has it open writes into nothing. */
  path: string | undefined
}

interface Identities {
  of(path: string): Held
  /** The name stands for another file now. */
  replaced(path: string): void
  /** The name, and all names below it, stand for nothing now. */
  gone(path: string): void
  moved(from: string, to: string): void
}

export function openIdentities(): Identities {
  const held = new Map<string, Held>()
  const origin = crypto.randomUUID()
  let count = 0
  const isAt = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

  function gone(path: string): void {
    for (const [place, each] of held) {
      if (!isAt(place, path)) continue
      each.path = undefined
      held.delete(place)
    }
  }

  return {
    of(path) {
      let found = held.get(path)
      if (found === undefined) {
        count += 1
        found = { identity: `${origin}-${count}`, path }
        held.set(path, found)
      }
      return found
    },
    replaced: gone,
    gone,
    moved(from, to) {
      gone(to)
      const moving = held.entries().filter(([place]) => isAt(place, from))
      for (const [place, each] of moving.toArray()) {
        held.delete(place)
        each.path = to + place.slice(from.length)
        held.set(each.path, each)
      }
    },
  }
}
