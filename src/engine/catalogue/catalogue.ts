/**
 * The sessions of a home, newest first, without opening each. Whatever is asked is answered from a catalogue that is
 * brought up to what is true now, and costs what it asks for, not what the home holds.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Whereabouts } from '../../state/relevance.ts'
import { doubtsOf } from './catalogue-staleness.ts'
import { readLook } from './catalogue-file.ts'
import { refresh, type Current } from './catalogue-refresh.ts'
import type { SessionSummary } from './catalogue-row.ts'
import { CatalogueDamaged } from './catalogue-rows.ts'
import {
  allRows,
  meantBy,
  nearestOf,
  stampsOfAll,
  summariesOf,
  withPrefix,
  type Nearest,
  type NearQuery,
} from './catalogue-select.ts'
import { findFolders, findSessions, newestFound, type FoundSession } from './scan-sessions.ts'
import { keepRows } from './row-cache.ts'
import { unusableAmong, type UnusableSession } from '../../workspace/folder-faults.ts'

export type { UnusableSession }

export function listSessions(fs: SessionFs): Promise<SessionSummary[]> {
  const sinceMs = Date.now()
  return asking(fs, async (current) => {
    const rows = await allRows(current)
    keepRows(fs, rows, sinceMs)
    return rows.map(({ session }) => session)
  })
}

export const nearestSessions = (
  fs: SessionFs,
  here: Whereabouts,
  query: NearQuery,
): Promise<Nearest> => asking(fs, (current) => nearestOf(current, here, query))

/** Those of these that are there, newest first. */
export const sessionSummaries = (
  fs: SessionFs,
  ids: readonly SessionId[],
): Promise<SessionSummary[]> => asking(fs, (current) => summariesOf(current, ids))

export const sessionsWithPrefix = (fs: SessionFs, prefix: string): Promise<SessionSummary[]> =>
  asking(fs, (current) => withPrefix(current, prefix))

/** Those that a person can mean by a value, and some more. */
export const sessionsMeantBy = (fs: SessionFs, value: string): Promise<SessionSummary[]> =>
  asking(fs, (current) => meantBy(current, value))

/** The size and times of every session, the oldest first. Undefined where there is no catalogue yet. */
export const sessionStamps = async (fs: SessionFs): Promise<FoundSession[] | undefined> =>
  (await readLook(fs)) === undefined ? undefined : asking(fs, stampsOfAll)

/** The session whose log was written last. */
export async function latestSessionId(fs: SessionFs): Promise<SessionId | undefined> {
  const open = await openQuestions(fs)
  if (open === undefined || open.latest === null) {
    return (await nearestSessions(fs, {}, { limit: 1, uncounted: true })).sessions[0]?.id
  }
  const { found } = await findSessions(fs, [...new Set([...open.ids, open.latest])])
  return found.sort(newestFound)[0]?.id
}

/** What stands where sessions do and is in no list. */
export type Unlisted = {
  /** Folders of sessions that have said nothing: no log, or an empty one. They cannot be resumed. */
  readonly empty: readonly SessionId[]
  readonly unusable: readonly UnusableSession[]
}

/** Of those that are listed nobody is looked at. */
export async function unlistedSessions(fs: SessionFs): Promise<Unlisted> {
  const ids =
    (await readLook(fs)) === undefined
      ? [...(await findFolders(fs)).ids]
      : await asking(fs, async ({ unlisted }) => unlisted)
  const unusable = await unusableAmong(fs, [...ids].sort())
  const isUnusable = new Set(unusable.map(({ id }) => id))
  const { empty } = await findSessions(fs, ids)
  return { empty: empty.filter((id) => !isUnusable.has(id)).sort(), unusable }
}

/** Names of the flat files of an older format. They are told of and left alone. */
export const legacySessions = async (fs: SessionFs): Promise<readonly string[]> =>
  (await openQuestions(fs))?.legacy ?? (await findFolders(fs)).legacy

/** Sessions of which the catalogue cannot tell; undefined when it cannot tell of any. */
async function openQuestions(fs: SessionFs) {
  const look = await readLook(fs)
  const doubts = look && (await doubtsOf(fs, look, Date.now()))
  if (look === undefined || doubts?.areFoldersSame !== true || doubts.isOpen) return undefined
  return { ids: [...doubts.touched, ...look.unlisted], latest: look.latest, legacy: look.legacy }
}

async function asking<T>(fs: SessionFs, ask: (current: Current) => Promise<T>): Promise<T> {
  try {
    return await askOnce(fs, ask, { anew: false })
  } catch (error) {
    if (!(error instanceof CatalogueDamaged)) throw error
    return askOnce(fs, ask, { anew: true })
  }
}

async function askOnce<T>(
  fs: SessionFs,
  ask: (current: Current) => Promise<T>,
  options: { readonly anew: boolean },
): Promise<T> {
  const current = await refresh(fs, options)
  try {
    return await ask(current)
  } finally {
    await current.rows?.[Symbol.asyncDispose]()
  }
}
