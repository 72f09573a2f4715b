/**
 * Where a sync costs least. On a thread it leaves the process free, at the price of two changes of threads, which
 * is about what a fast disk takes for the sync itself. So a disk that has answered at once for a while is asked
 * directly; one slow answer sends the next ones back to the thread, and so does every sixteenth, so that others
 * get their turn however many syncs follow each other.
 */
type Ways = {
  /** Returns when it is done. */
  readonly now: () => void
  readonly later: () => Promise<void>
  readonly clock: () => number
}

/** A thread and a fast disk together take less. */
const QUICK_MS = 0.5
/** So many quick answers in a row are believed. */
const ENOUGH = 8
/** A person does not notice less; after more, so many syncs are left to the thread. */
const SLOW_MS = 4
const PENANCE = 256
const IN_A_ROW = 15

export function createSync({ now, later, clock }: Ways): () => Promise<void> {
  let trust = 0
  let row = 0
  return async () => {
    const isDirect = trust >= ENOUGH && row < IN_A_ROW
    const startMs = clock()
    try {
      if (isDirect) now()
      else await later()
    } catch (cause) {
      trust = 0
      throw cause
    }
    const tookMs = clock() - startMs
    row = isDirect ? row + 1 : 0
    if (tookMs > SLOW_MS) trust = -PENANCE
    else if (tookMs < QUICK_MS || trust < 0) trust = Math.min(trust + 1, ENOUGH)
    else if (!isDirect) trust = 0
  }
}
