/**
 * What tenants write, counted by the day, and refused beyond their limits. A node counts in memory and adds it to the
 * database every second, so that no append waits for a row that all share: a limit holds to within what all nodes take
 * in a second.
 */
import { errorText } from '../../lib/error-text.ts'
import { ControlError } from '../control-error.ts'
import type { Database } from '../database/port.ts'
import { settingsOf, type TenantSettings } from './tenant-settings.ts'

export interface Meter extends AsyncDisposable {
  /** Throws when the tenant has used up its day. */
  check(tenant: string): Promise<void>
  add(tenant: string, events: number, bytes: number): void
}

type Count = { events: number; bytes: number }
type Known = Count & {
  readonly settings: TenantSettings
  readonly at: number
  readonly day: number
}

const DAY_MS = 24 * 3600 * 1000
const FLUSH_MS = 1000
/** So old what is known of a tenant may be. */
const KNOWN_MS = 2000

export function openMeter(
  db: Database,
  { now, onTrouble }: { readonly now: () => number; readonly onTrouble: (message: string) => void },
): Meter {
  const pending = new Map<string, Count>()
  const known = new Map<string, Known>()
  let timer: NodeJS.Timeout | undefined
  const today = () => Math.floor(now() / DAY_MS)

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    for (const [tenant, { events, bytes }] of pending) {
      pending.delete(tenant)
      try {
        await db.query
          .insertInto('usage')
          .values({ tenant, day: today(), events, bytes })
          .onConflict((on) =>
            on.columns(['tenant', 'day']).doUpdateSet((row) => ({
              events: row('usage.events', '+', events),
              bytes: row('usage.bytes', '+', bytes),
            })),
          )
          .execute()
      } catch (cause) {
        onTrouble(`What a tenant wrote could not be counted. (${errorText(cause)})`)
      }
    }
  }

  async function look(tenant: string): Promise<Known> {
    const before = known.get(tenant)
    if (before !== undefined && now() - before.at < KNOWN_MS && before.day === today())
      return before
    const day = today()
    const row = await db.query
      .selectFrom('usage')
      .select(['events', 'bytes'])
      .where('tenant', '=', tenant)
      .where('day', '=', day)
      .executeTakeFirst()
    const settings = await settingsOf(db.query, tenant)
    const found = { events: row?.events ?? 0, bytes: row?.bytes ?? 0, settings, at: now(), day }
    known.set(tenant, found)
    return found
  }

  return {
    async check(tenant) {
      const { settings, ...used } = await look(tenant)
      const { events = 0, bytes = 0 } = pending.get(tenant) ?? {}
      const { eventsPerDay = Infinity, bytesPerDay = Infinity } = settings
      if (used.events + events >= eventsPerDay) throw over(`${eventsPerDay} events`)
      if (used.bytes + bytes >= bytesPerDay) throw over(`${bytesPerDay} bytes`)
    },
    add(tenant, events, bytes) {
      const before = pending.get(tenant) ?? { events: 0, bytes: 0 }
      pending.set(tenant, { events: before.events + events, bytes: before.bytes + bytes })
      timer ??= setTimeout(() => void flush(), FLUSH_MS)
    },
    [Symbol.asyncDispose]: flush,
  }
}

const over = (what: string) =>
  new ControlError(
    'slow_down',
    `This tenant may write ${what} a day, and has. Nothing was acknowledged; the machine keeps it and sends it tomorrow, or when the limit is raised.`,
  )
