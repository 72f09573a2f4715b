/**
 * When a list is asked for again: behind signs of a change, which come in bursts, and one request at a time. A server
 * that is slower than changes come would never be heard out else, and every tab would ask it the more.
 */
type Reloads = {
  /** Something changed. */
  readonly soon: () => void
  /** A request begins. Returns how to tell that it ended. */
  readonly begin: () => () => void
  /** It may be seen now. */
  readonly look: () => void
  readonly stop: () => void
}

type Options = {
  readonly reload: () => void
  readonly soonMs: number
  /** Whether it is out of sight: it is asked for when it is seen. */
  readonly isHidden?: () => boolean
}

export function createReloads({ reload, soonMs, isHidden = () => false }: Options): Reloads {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = 0
  let isDue = false
  const look = () => {
    if (!isDue || asking > 0 || isHidden()) return
    isDue = false
    reload()
  }
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        isDue = true
        look()
      }, soonMs)
    },
    begin() {
      asking += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        asking -= 1
        look()
      }
    },
    look,
    stop() {
      clearTimeout(timer)
      timer = undefined
      isDue = false
    },
  }
}
