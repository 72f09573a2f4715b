/** Gives on what came since the screen was drawn last. */

/** A tab in the background draws nothing but still wants to be up to date; nor does one that is hidden before it is drawn. */
const HIDDEN_MS = 200

export function batched<F>(onAll: (all: readonly F[]) => void) {
  let waiting: F[] = []
  let isPlanned = false
  let isOver = false
  const flush = () => {
    isPlanned = false
    if (isOver || waiting.length === 0) return
    const all = waiting
    waiting = []
    onAll(all)
  }
  return {
    add(one: F) {
      waiting.push(one)
      if (isPlanned) return
      isPlanned = true
      setTimeout(flush, HIDDEN_MS)
      if (!document.hidden) requestAnimationFrame(flush)
    },
    stop() {
      isOver = true
    },
  }
}
