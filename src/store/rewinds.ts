/**
 * How often turns of a session were taken back. The store itself forgets what a rewind removes, as it should; that
 * there was one is kept beside the log.
 */
import { isSessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { listRewound } from '../log/undo-log.ts'
import { sessionDir } from '../format/paths.ts'

export type Rewinds = { readonly sessionId: string; readonly times: number }

/** Those since a time; sessions without any are left out. What was brought back again does not count. */
export type RewindReader = (ids: readonly string[], since: string) => Promise<readonly Rewinds[]>

const LANES = 8

export const rewindReader =
  (fs: SessionFs): RewindReader =>
  async (ids, since) => {
    const found = await inLanes(ids.filter(isSessionId), LANES, async (id) => ({
      sessionId: id,
      times: (await listRewound(fs, sessionDir(id))).filter(({ rewoundAt }) => rewoundAt >= since)
        .length,
    }))
    return found.filter(({ times }) => times > 0)
  }
