/** What a machine asks of Mission Control about all its sessions at once. */
import { z } from 'zod'
import { askJson } from './ask-server.ts'
import type { ServerAddress } from './ask-server.ts'

const ServerHead = z.object({
  id: z.string(),
  generation: z.int(),
  events: z.int(),
  isTrashed: z.boolean(),
  /** When it was begun there, in the server's time. */
  made: z.int().optional(),
  /** How often anything but its events was changed. */
  rev: z.int().optional(),
})
/** How far the log of a session goes there. */
export type ServerHead = z.output<typeof ServerHead>

const BACKFILL = '/api/analytics/backfill'

export const openHeads = (address: ServerAddress) => ({
  /** Of one's own sessions, in the trash too. */
  heads: async (): Promise<readonly ServerHead[]> =>
    (await askJson(address, '/api/heads', z.object({ sessions: z.array(ServerHead) }))).sessions,
  /** Has them read for search, SQL and reports; how many wait for that. */
  backfill: async (sessions: readonly string[]): Promise<number> =>
    (
      await askJson(address, BACKFILL, z.object({ queued: z.int() }), {
        method: 'POST',
        json: { sessions },
      })
    ).queued,
  /** How many wait to be read. */
  unread: async (): Promise<number> =>
    (await askJson(address, BACKFILL, z.object({ waiting: z.int() }))).waiting,
})
