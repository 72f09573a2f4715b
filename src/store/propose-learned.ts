/** Proposes for the board what sessions learned. What there was no time for, "reprise board" finds later. */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { PROPOSALS } from './board-file.ts'
import type { HomeServices } from './home-services.ts'
import type { Store } from './store.ts'

/** A process that ends does not wait longer for it. */
const LONGEST_MS = 500

export async function proposeLearned(
  fs: SessionFs,
  { board }: Pick<HomeServices, 'board'>,
  store: Store,
  ids: readonly SessionId[],
): Promise<void> {
  await store.follower.settled({ gently: true })
  const until = performance.now() + LONGEST_MS
  for (const id of ids) {
    if (performance.now() > until) return
    const learned = (await store.learned(id)) ?? []
    if (learned.length === 0 && (await fs.stat(PROPOSALS)) === undefined) continue
    await (await board()).propose(id, learned)
  }
}
