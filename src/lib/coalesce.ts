/**
 * Wraps an action so that it never overlaps itself. Calls that arrive while it runs are answered by one
 * more run, started after the current one: nothing that happened before a call is missed by its answer.
 */
export function serially(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    running = action().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running
      .catch(() => {}) // told to the caller that started that run; the next one begins all the same
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
