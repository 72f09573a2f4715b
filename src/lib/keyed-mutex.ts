/** Runs actions of one key one after another, in the order they came; those of other keys do not wait. */
const last = new Map<unknown, Promise<unknown>>()

export async function inTurn<T>(key: unknown, action: () => Promise<T>): Promise<T> {
  const before = last.get(key)
  const mine = (before ?? Promise.resolve()).then(action, action)
  last.set(key, mine)
  try {
    return await mine
  } finally {
    if (last.get(key) === mine) last.delete(key)
  }
}
