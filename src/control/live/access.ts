/**
 * Whether the token behind a connection that is kept open still holds: revoked, at its end, or when its person has
 * left, the connection ends too. One look a node, whatever the number of connections.
 */
import type { Database } from '../database/port.ts'
import type { Asker } from '../people/scopes.ts'

export interface Access extends Disposable {
  /** For as long as the connection lasts; who opens it, disposes. */
  of(asker: Pick<Asker, 'tenant' | 'token'>): Held
}

type Held = Disposable & {
  /** Fires when the token holds no more. */
  readonly lost: AbortSignal
}
type InUse = {
  readonly tenant: string
  readonly token: string
  readonly ended: AbortController
  connections: number
}
type AccessOptions = {
  readonly everyMs: number
  readonly now: () => number
  readonly onTrouble: (cause: unknown) => void
}

const AT_ONCE = 1000

export function openAccess(db: Database, { everyMs, now, onTrouble }: AccessOptions): Access {
  const used = new Map<string, InUse>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    try {
      for (const [tenant, own] of Map.groupBy(used.values(), (each) => each.tenant))
        for (let at = 0; at < own.length; at += AT_ONCE) {
          const some = own.slice(at, at + AT_ONCE)
          const ids = some.map(({ token }) => token)
          const holding = new Set(await holdingOf(db, { tenant, ids }, now()))
          for (const { token, ended } of some) if (!holding.has(token)) ended.abort()
        }
    } catch (cause) {
      onTrouble(cause)
    }
    timer = undefined
    soon()
  }

  function soon(): void {
    if (used.size > 0) timer ??= setTimeout(() => void look(), everyMs)
  }

  return {
    of({ tenant, token }) {
      const key = `${tenant}.${token}`
      const use = used.get(key) ?? { tenant, token, ended: new AbortController(), connections: 0 }
      use.connections += 1
      used.set(key, use)
      soon()
      let isOpen = true
      return {
        lost: use.ended.signal,
        [Symbol.dispose]() {
          if (isOpen) use.connections -= 1
          isOpen = false
          if (use.connections === 0) used.delete(key)
        },
      }
    },
    [Symbol.dispose]() {
      used.clear()
      clearTimeout(timer)
    },
  }
}

async function holdingOf(
  db: Database,
  { tenant, ids }: { readonly tenant: string; readonly ids: readonly string[] },
  now: number,
): Promise<string[]> {
  const rows = await db.query
    .selectFrom('tokens')
    .innerJoin('people', (join) =>
      join.onRef('people.tenant', '=', 'tokens.tenant').onRef('people.id', '=', 'tokens.person'),
    )
    .select('tokens.id')
    .where('tokens.tenant', '=', tenant)
    .where('tokens.id', 'in', ids)
    .where('tokens.revoked', 'is', null)
    .where('people.ended', 'is', null)
    .where((where) => where.or([where('tokens.ends', 'is', null), where('tokens.ends', '>', now)]))
    .execute()
  return rows.map(({ id }) => id)
}
