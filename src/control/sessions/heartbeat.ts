/**
 * That sessions have grown, noted for all of them together a few times a second: a commit of its own for each append
 * would cost as much as the append. What is lost by a kill is only when a session was last heard of.
 */
import { errorText } from '../../lib/error-text.ts'
import type { Database } from '../database/port.ts'
import { moved } from './moved.ts'
import type { SessionRow } from './stored-session.ts'

export interface Heard extends AsyncDisposable {
  grown(session: Pick<SessionRow, 'tenant' | 'id'>): void
}

const GATHER_MS = 250
const AT_ONCE = 500

export function openHeard(
  db: Database,
  { now, onTrouble }: { readonly now: () => number; readonly onTrouble: (message: string) => void },
): Heard {
  const waiting = new Map<string, Set<string>>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    for (const [tenant, ids] of waiting) {
      waiting.delete(tenant)
      // In one order: two nodes never wait for each other.
      const all = [...ids].toSorted()
      for (let at = 0; at < all.length; at += AT_ONCE)
        try {
          await db.query
            .updateTable('sessions')
            .set((row) => ({ heard: now(), changed: now(), ...moved(row, now()) }))
            .where('tenant', '=', tenant)
            .where('id', 'in', all.slice(at, at + AT_ONCE))
            .execute()
        } catch (cause) {
          onTrouble(`When sessions were last heard of could not be noted. (${errorText(cause)})`)
        }
    }
  }

  return {
    grown({ tenant, id }) {
      waiting.set(tenant, (waiting.get(tenant) ?? new Set()).add(id))
      timer ??= setTimeout(() => void flush(), GATHER_MS)
    },
    [Symbol.asyncDispose]: flush,
  }
}
