/** Files as they are to be, among those that take their places in one step. */
import { inSession } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { stagedPath } from '../../log/forget-intent.ts'

type Staged = Partial<Record<'changes' | 'changesEnd' | 'spent', Uint8Array | undefined>>

/** What is undefined stays as it is. `first`: the number of the first one. */
export async function stageFiles(
  fs: SessionFs,
  dir: string,
  files: Staged,
  first: number,
): Promise<{ n: number; to: string }[]> {
  const moves: { n: number; to: string }[] = []
  for (const name of ['changes', 'changesEnd', 'spent'] as const) {
    const bytes = files[name]
    if (bytes === undefined) continue
    const n = first + moves.length
    await fs.writeAtomic(stagedPath(dir, n), bytes, { durable: true })
    moves.push({ n, to: inSession(dir, name).slice(dir.length + 1) })
  }
  return moves
}
