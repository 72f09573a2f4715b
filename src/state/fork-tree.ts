/** All sessions that come from the same one by forks: a tree, told from its root down, each branch oldest first. */

type Forkable<Id> = {
  readonly id: Id
  readonly forkedFrom?: Id | undefined
  readonly createdAt: string
}

type ForkRow<Session> = { readonly session: Session; readonly depth: number }

/** Empty when nobody has that id. */
export function forkTree<Id extends string, Session extends Forkable<Id>>(
  sessions: readonly Session[],
  id: Id,
): readonly ForkRow<Session>[] {
  const known = new Map(sessions.map((session) => [session.id, session]))
  const children = Map.groupBy(
    sessions.filter(({ forkedFrom }) => forkedFrom !== undefined),
    ({ forkedFrom }) => forkedFrom,
  )
  const first = known.get(rootOf(known, id))
  if (first === undefined) return []
  const told = new Map<Id, ForkRow<Session>>()
  // Without recursion: a fork of a fork may go on for long, and a file may say that it goes in a circle.
  const waiting: ForkRow<Session>[] = [{ session: first, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { session, depth } = next
    if (told.has(session.id)) continue
    told.set(session.id, next)
    const own = (children.get(session.id) ?? []).toSorted(newestFirst)
    waiting.push(...own.map((each) => ({ session: each, depth: depth + 1 })))
  }
  return [...told.values()]
}

function rootOf<Id extends string>(known: ReadonlyMap<Id, Forkable<Id>>, id: Id): Id {
  const passed = new Set<Id>()
  let at = id
  for (;;) {
    passed.add(at)
    const from = known.get(at)?.forkedFrom
    if (from === undefined || !known.has(from) || passed.has(from)) return at
    at = from
  }
}

/** The last one is taken first. */
const newestFirst = (a: Forkable<string>, b: Forkable<string>): number =>
  b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id)
