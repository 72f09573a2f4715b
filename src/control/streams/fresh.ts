/** Which records of an append a stream has already, in its own part or in what it inherits. Pure. */
import type { Content } from './content.ts'
import type { Stream } from './append-decision.ts'
import { ancestorsOf } from './lineage.ts'

/** Those that are not there yet; from then on they are. */
export function freshOf(
  stream: Stream,
  records: readonly Content[],
  known: Map<string, number>,
): Content[] {
  return records.filter(({ id }) => {
    if (id === undefined) return true
    if (placeOf(stream, id, known) !== undefined) return false
    known.set(`${stream.id} ${id}`, 0)
    return true
  })
}

/** The first of them that is there already with other bytes. */
export function otherEvent(
  stream: Stream,
  records: readonly Content[],
  known: ReadonlyMap<string, number>,
  contents: ReadonlyMap<string, Uint8Array>,
): string | undefined {
  const own = new Map<string, Uint8Array>()
  return records.find(({ id, bytes }) => {
    if (id === undefined) return false
    const there = contents.get(placeOf(stream, id, known) ?? '') ?? own.get(id)
    own.set(id, bytes)
    return there !== undefined && Buffer.compare(there, bytes) !== 0
  })?.id
}

/** Where an event stands: in the stream's own part, or in what it inherits. */
function placeOf(
  stream: Stream,
  id: string,
  known: ReadonlyMap<string, number>,
): string | undefined {
  const parts = [...ancestorsOf(stream), [stream.id, Infinity] as const]
  return parts
    .filter(([part, last]) => (known.get(`${part} ${id}`) ?? Infinity) <= last)
    .map(([part]) => `${part} ${id}`)
    .find((key) => known.has(key))
}
