/** Asks again while an answer may change unseen: a process that died tells nobody. One look at a time. */

const EVERY_MS = 2_000

export function poll(options: {
  readonly isWanted: () => boolean
  readonly look: () => Promise<void>
}): Disposable {
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking || !options.isWanted()) return
    isLooking = true
    options
      .look()
      // What cannot be read now is looked at the next time.
      .catch(() => {})
      .finally(() => (isLooking = false))
  }, EVERY_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
