/** Sessions by how near they are to a directory. Apart from its command: a list is asked for often, and starts without a schema. */
import type { Engine } from '../engine/engine.ts'
import type { SessionSummary } from '../engine/home/catalogue-row.ts'
import { buckets, relevance } from '../state/relevance.ts'
import type { Bucket } from '../state/relevance.ts'

export type NearSession = SessionSummary & { readonly bucket: Bucket }

type NearSessions = {
  /** The nearest first, the newest first of those that are as near. */
  readonly sessions: readonly NearSession[]
  readonly total: number
  /** Flat files of an older format, and folders without a log: none of them is a session. */
  readonly legacy: readonly string[]
  readonly empty: readonly string[]
}

const DEFAULT_LIMIT = 20

export async function listSessions(
  { engine, cwd }: { readonly engine: Engine; readonly cwd: string },
  { here: isNear = false, limit = DEFAULT_LIMIT }: { here?: boolean; limit?: number },
): Promise<NearSessions> {
  const [all, here, legacy, empty] = await Promise.all([
    engine.list(),
    engine.project(cwd),
    engine.legacy(),
    engine.empty(),
  ])
  const near = all
    .map((session): NearSession => ({ ...session, bucket: relevance(session, here).bucket }))
    .filter(({ bucket }) => !isNear || bucket !== 'Other sessions')
  // Newest first within a bucket, because the list was: the sort is stable.
  const sessions = near
    .sort((a, b) => buckets.indexOf(a.bucket) - buckets.indexOf(b.bucket))
    .slice(0, limit)
  return { sessions, total: near.length, legacy, empty }
}
