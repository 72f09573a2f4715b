/**
 * Where a reader is, as text: the number of the last record that it has, with zeros so that texts sort as numbers do.
 * Clients keep it and do not look into it.
 */
export const offsetOf = (seq: number): string => `${ZEROS}_${String(seq).padStart(16, '0')}`

const ZEROS = '0'.repeat(16)
const OFFSET = /^0{16}_(\d{16})$/

/** Undefined when it is none of ours. `-1` is the beginning, `now` the end. */
export function seqOf(offset: string, head: number): number | undefined {
  if (offset === '-1') return 0
  if (offset === 'now') return head
  const digits = OFFSET.exec(offset)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
