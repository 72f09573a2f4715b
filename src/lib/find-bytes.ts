/** Which of many byte strings occur in a file of any length, read in pieces that overlap. */
type Reader = {
  readonly size: number
  read(target: Uint8Array, position: number): Promise<number>
}

const PIECE_BYTES = 4 * 1024 * 1024

/** The places in `needles` of those that were found. */
export async function findBytes(
  file: Reader,
  needles: readonly Buffer[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  const longest = needles.reduce((most, { length }) => Math.max(most, length), 0)
  if (longest === 0) return found
  const piece = Buffer.allocUnsafe(Math.min(file.size, PIECE_BYTES + longest))
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const got = await fill(file, piece, at)
    const bytes = piece.subarray(0, got)
    for (const [index, needle] of needles.entries())
      if (!found.has(index) && needle.length > 0 && bytes.includes(needle)) found.add(index)
    if (found.size === needles.length) break
  }
  return found
}

async function fill(file: Reader, piece: Buffer, at: number): Promise<number> {
  let held = 0
  while (held < piece.length) {
    const got = await file.read(piece.subarray(held), at + held)
    if (got === 0) break
    held += got
  }
  return held
}
