/**
 * Which sessions of a tenant have changed, for lists that are kept open. One look a tenant and node, whatever the
 * number of lists. Rows are compared by their counter and not by their time: a transaction that ends late is seen late,
 * and is seen.
 */
import type { Database } from '../database/port.ts'
import type { Row } from '../database/tables.ts'

export type ChangedSession = Pick<
  Row<'sessions'>,
  'id' | 'rev' | 'person' | 'sharing' | 'state' | 'trashed'
> & {
  /** Others could see it before. */
  readonly wasShared: boolean
}
type Listener = (changed: readonly ChangedSession[]) => void

export interface Changes extends Disposable {
  /** From now on. */
  listen(tenant: string, listener: Listener): Disposable
  /** Something of this tenant moved: no need to wait for the next look. */
  hurry(tenant: string): void
}

type Watch = {
  readonly listeners: Set<Listener>
  seen: ReadonlyMap<string, number> | undefined
  /** What others may see: only of these they are told that they see it no more. */
  readonly shared: Set<string>
  timer: NodeJS.Timeout | undefined
  isLooking: boolean
}

/** No transaction takes longer than this. */
const OVERLAP_MS = 60_000
const SOON_MS = 20

export function openChanges(
  db: Database,
  {
    everyMs,
    now,
    onTrouble,
  }: {
    readonly everyMs: number
    readonly now: () => number
    readonly onTrouble: (cause: unknown) => void
  },
): Changes {
  const watches = new Map<string, Watch>()

  async function look(tenant: string, watch: Watch): Promise<void> {
    clearTimeout(watch.timer)
    watch.isLooking = true
    try {
      const rows = await db.query
        .selectFrom('sessions')
        .select(['id', 'rev', 'person', 'sharing', 'state', 'trashed'])
        .where('tenant', '=', tenant)
        .where('moved', '>', now() - OVERLAP_MS)
        .execute()
      const { seen } = watch
      if (seen === undefined) await addShared(tenant, watch)
      const changed = rows
        .filter(({ id, rev }) => seen !== undefined && seen.get(id) !== rev)
        .map((row) => ({ ...row, wasShared: watch.shared.has(row.id) }))
      for (const { id, sharing } of rows)
        if (sharing === 'team') watch.shared.add(id)
        else watch.shared.delete(id)
      watch.seen = new Map(rows.map(({ id, rev }) => [id, rev]))
      if (changed.length > 0) for (const listener of watch.listeners) listener(changed)
    } catch (cause) {
      onTrouble(cause)
    }
    watch.isLooking = false
    later(tenant, watch, everyMs)
  }

  async function addShared(tenant: string, { shared }: Watch): Promise<void> {
    const rows = await db.query
      .selectFrom('sessions')
      .select('id')
      .where('tenant', '=', tenant)
      .where('sharing', '=', 'team')
      .execute()
    for (const { id } of rows) shared.add(id)
  }

  function later(tenant: string, watch: Watch, ms: number): void {
    clearTimeout(watch.timer)
    if (watch.listeners.size > 0) watch.timer = setTimeout(() => void look(tenant, watch), ms)
  }

  return {
    listen(tenant, listener) {
      const watch = watches.get(tenant) ?? {
        listeners: new Set(),
        seen: undefined,
        shared: new Set<string>(),
        timer: undefined,
        isLooking: false,
      }
      watch.listeners.add(listener)
      if (!watches.has(tenant)) {
        watches.set(tenant, watch)
        void look(tenant, watch)
      }
      return {
        [Symbol.dispose]() {
          watch.listeners.delete(listener)
          if (watch.listeners.size > 0) return
          clearTimeout(watch.timer)
          watches.delete(tenant)
        },
      }
    },
    hurry(tenant) {
      const watch = watches.get(tenant)
      if (watch !== undefined && !watch.isLooking) later(tenant, watch, SOON_MS)
    },
    [Symbol.dispose]() {
      for (const { timer } of watches.values()) clearTimeout(timer)
      watches.clear()
    },
  }
}
