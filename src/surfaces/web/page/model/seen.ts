/** Which sessions were looked at since they changed, in this browser. What changed before it was first used counts as seen. */
type Store = Pick<Storage, 'getItem' | 'setItem'>
type Kept = { readonly since: string; readonly seen: Readonly<Record<string, string>> }

const KEY = 'reprise.seen'
const MOST = 500

export function createSeen(store: Store, now: () => Date = () => new Date()) {
  const load = (): Kept => {
    try {
      const kept = JSON.parse(store.getItem(KEY) ?? '{}') as Partial<Kept>
      if (typeof kept.since === 'string') return { since: kept.since, seen: kept.seen ?? {} }
    } catch {
      // Something else wrote under this name: it begins anew.
    }
    const fresh = { since: now().toISOString(), seen: {} }
    save(fresh)
    return fresh
  }
  const save = (kept: Kept) => {
    try {
      store.setItem(KEY, JSON.stringify(kept))
    } catch {
      // A full or forbidden store: everything counts as unseen once more.
    }
  }
  return {
    isUnseen(id: string, changedAt: string): boolean {
      const { since, seen } = load()
      return changedAt > (seen[id] ?? since)
    },
    look(id: string, changedAt: string): void {
      const { since, seen } = load()
      if ((seen[id] ?? '') >= changedAt) return
      const entries = Object.entries({ ...seen, [id]: changedAt })
      const newest = entries.sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, MOST)
      save({ since, seen: Object.fromEntries(newest) })
    },
  }
}
