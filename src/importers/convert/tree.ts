/**
 * Conversations that are kept as a tree: every record names the one before it, and going back leaves the old branch in
 * the file. Which records are the conversation as it stands, and which stories a rewind left beside it.
 */
import type { Branches } from './reading.ts'

export type Link = {
  readonly id: string
  readonly parent: string | undefined
  /** It belongs to the conversation whenever its parent does, though nothing follows it: a result among several. */
  readonly isAside?: boolean
  /** A person or an agent says something in it: only branches with such a record are stories. */
  readonly speaks: boolean
}

/**
 * The ids of each branch; those that a rewind left are named by their leaf, oldest first, each with what it shares with
 * the conversation. `links` in the order of the file. The leaf is given, or the last that is no aside.
 */
export function branchesOf(
  links: readonly Link[],
  leaf: string | undefined,
): Branches<ReadonlySet<string>> {
  const byId = new Map(links.map((link) => [link.id, link]))
  const last = leaf !== undefined && byId.has(leaf) ? leaf : links.findLast(isTrunk)?.id
  const main = withAsides(links, pathTo(byId, last))
  const left: { branch: string; told: ReadonlySet<string> }[] = []
  const hasChild = withChildren(links, byId)
  const covered = new Set(main)
  const trunk = links.filter(isTrunk)
  // Records that come before each other have no end; the last of them stands for it.
  const ends = [...trunk.filter(({ id }) => !hasChild.has(id)), ...trunk.toReversed()]
  for (const { id } of ends) {
    if (covered.has(id)) continue
    const ids = withAsides(links, pathTo(byId, id))
    const own = [...ids].filter((each) => !covered.has(each))
    for (const each of own) covered.add(each)
    if (own.some((each) => byId.get(each)?.speaks === true)) left.push({ branch: id, told: ids })
  }
  return { main, left }
}

const isTrunk = ({ isAside }: Link): boolean => isAside !== true

/** A record whose result is followed by something is no end, though the result is an aside. */
function withChildren(
  links: readonly Link[],
  byId: ReadonlyMap<string, Link>,
): ReadonlySet<string | undefined> {
  const found = new Set<string | undefined>()
  for (const link of links.filter(isTrunk)) {
    let above = link.parent
    while (above !== undefined && !found.has(above)) {
      found.add(above)
      const parent = byId.get(above)
      above = parent?.isAside === true ? parent.parent : undefined
    }
  }
  return found
}

function pathTo(byId: ReadonlyMap<string, Link>, leaf: string | undefined): Set<string> {
  const path = new Set<string>()
  // A file can say that a record comes before itself.
  for (let id = leaf; id !== undefined && !path.has(id); id = byId.get(id)?.parent) {
    if (byId.has(id)) path.add(id)
    else break
  }
  return path
}

function withAsides(links: readonly Link[], path: Set<string>): Set<string> {
  for (const { id, parent, isAside } of links)
    if (isAside === true && parent !== undefined && path.has(parent)) path.add(id)
  return path
}
