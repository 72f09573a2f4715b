/** Actions on the same path follow one another; one that concerns two paths waits for both. */
export function openTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(paths: readonly string[], action: () => Promise<T>): Promise<T> => {
    const before = paths.map((path) => last.get(path))
    const mine = Promise.allSettled(before).then(action)
    const ended = mine.then(
      () => {},
      () => {},
    )
    for (const path of paths) last.set(path, ended)
    try {
      return await mine
    } finally {
      for (const path of paths) if (last.get(path) === ended) last.delete(path)
    }
  }
}
