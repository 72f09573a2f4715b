/** Whose records a stream inherits. A fork copies nothing: it reads its source up to the cut, and then its own. */
import type { Row } from '../database/tables.ts'

type Ancestor = readonly [stream: string, last: number]

export const ancestorsOf = ({ lineage }: Pick<Row<'streams'>, 'lineage'>): readonly Ancestor[] =>
  lineage === '[]' ? [] : (JSON.parse(lineage) as Ancestor[])

/** The lineage of a fork of this stream behind its record `last`. */
export function lineageOfFork(
  source: Pick<Row<'streams'>, 'id' | 'lineage'>,
  last: number,
): string {
  const older = ancestorsOf(source).filter(
    ([, end], at, all) => (all[at - 1]?.[1] ?? 0) < Math.min(end, last),
  )
  const cut = older.map(([id, end]) => [id, Math.min(end, last)] as const)
  const end = cut.at(-1)?.[1] ?? 0
  return JSON.stringify(last > end ? [...cut, [source.id, last]] : cut)
}

/** Where the records after `after` lie, in order: from which stream, and up to which number. */
export function partsAfter(
  stream: Pick<Row<'streams'>, 'id' | 'lineage' | 'head'>,
  after: number,
): readonly Ancestor[] {
  return [...ancestorsOf(stream), [stream.id, stream.head] as const].filter(
    ([, last]) => last > after,
  )
}

/** Up to which record two streams have the same: where a reader of one goes on in the other. */
export function commonHead(
  one: Pick<Row<'streams'>, 'id' | 'lineage' | 'head'>,
  other: Pick<Row<'streams'>, 'id' | 'lineage' | 'head'>,
): number {
  const [ours, theirs] = [partsAfter(one, 0), partsAfter(other, 0)]
  let common = 0
  for (const [at, [stream, last]] of ours.entries()) {
    const [same, end] = theirs[at] ?? ['', 0]
    if (same !== stream) return common
    common = Math.min(last, end)
    if (last !== end) return common
  }
  return common
}
