/** What a machine asks of Mission Control about all its sessions at once. */
import { z } from 'zod'
import { askJson, type ServerAddress } from './ask-server.ts'
import { params } from './params.ts'

const ServerHead = z.object({
  id: z.string(),
  generation: z.int(),
  events: z.int(),
  isTrashed: z.boolean(),
  lastEventId: z.string().nullish(),
  /** Of the last record, as it is stored there. */
  tailHash: z.string().nullish(),
  /** When it was begun there, in the server's time. */
  made: z.int().optional(),
  /** How often anything but its events was changed. */
  rev: z.int().optional(),
})
/** How far the log of a session goes there. */
export type ServerHead = z.output<typeof ServerHead>

const BACKFILL = '/api/analytics/backfill'

/** So many fit into an address. */
const MOST_IDS = 100

const headsAt = async (address: ServerAddress, path: string): Promise<readonly ServerHead[]> =>
  (await askJson(address, path, z.object({ sessions: z.array(ServerHead) }))).sessions

export const openHeads = (address: ServerAddress) => ({
  /** Of one's own sessions, in the trash too: of all, or of these. */
  async heads(ids?: readonly string[]): Promise<readonly ServerHead[]> {
    if (ids === undefined) return headsAt(address, '/api/heads')
    const heads: ServerHead[] = []
    for (let at = 0; at < ids.length; at += MOST_IDS) {
      const of = ids.slice(at, at + MOST_IDS).join(',')
      heads.push(...(await headsAt(address, `/api/heads?${params({ of })}`)))
    }
    return heads
  },
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
