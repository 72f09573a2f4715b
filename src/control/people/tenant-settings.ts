/** What a tenant may write, and how long it is kept. Nothing is limited that is not named. */
import { z } from 'zod'
import type { Query } from '../database/port.ts'

const most = z.number().int().min(1).optional()

export const TenantSettings = z.object({
  /** A session that has not changed for so long goes to the trash, unless it is pinned. */
  keepDays: most,
  /** So long it lies there before it is deleted for good. */
  trashDays: z.number().int().min(0).default(30),
  eventsPerDay: most,
  bytesPerDay: most,
  sessions: most,
})
export type TenantSettings = Readonly<z.output<typeof TenantSettings>>

export const settingsIn = (text: string): TenantSettings => TenantSettings.parse(JSON.parse(text))

export async function settingsOf(query: Query, tenant: string): Promise<TenantSettings> {
  const row = await query
    .selectFrom('tenants')
    .select('settings')
    .where('id', '=', tenant)
    .executeTakeFirst()
  return settingsIn(row?.settings ?? '{}')
}

export async function keepSettings(
  query: Query,
  tenant: string,
  settings: TenantSettings,
): Promise<void> {
  await query
    .updateTable('tenants')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', tenant)
    .execute()
}
