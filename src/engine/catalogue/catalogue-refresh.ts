/**
 * The catalogue as it is true now: what was read before is believed where nobody can have changed it, checked where
 * a writer may have, and only what did change is read again. What was found out is kept for the next who asks.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { WIDTH, logMtimeAt, stampsAt, type Stamps } from './catalogue-columns.ts'
import { BELIEVED_MS, doubtsOf, isSettled, lookAtHome } from './catalogue-staleness.ts'
import { openCatalogue, orNothing, writeHead, type Known, type Look } from './catalogue-file.ts'
import { newestFirst, type CatalogueRow } from './catalogue-row.ts'
import { CatalogueDamaged, openRows } from './catalogue-rows.ts'
import { mergeRows, removeOldRows, writeRows } from './catalogue-write.ts'
import { findMany, type FoundMany } from './scan-large-home.ts'
import { findFolders, findSessions, newestFound, type FoundSession } from './scan-sessions.ts'
import { readSummaries } from './read-summaries.ts'
import { sweepTouched } from './dirty-markers.ts'

/** Rows of a file, those among them that are no longer true, and rows that are in no file or not yet. */
export type Current = {
  readonly rows: Known['rows']
  readonly gone: ReadonlySet<number>
  readonly news: readonly CatalogueRow[]
  readonly legacy: readonly string[]
  readonly unlisted: readonly SessionId[]
}

/** To be closed, when it has rows. `anew` does without what is there. */
export async function refresh(fs: SessionFs, { anew }: { anew: boolean }): Promise<Current> {
  // Taken before anything is looked at: what changes after it is looked at again next time.
  const sinceMs = Date.now()
  const known = (anew ? undefined : await openCatalogue(fs)) ?? (await beginOnce(fs, sinceMs))
  try {
    return await bringUp(fs, known, sinceMs)
  } catch (error) {
    await known.rows?.[Symbol.asyncDispose]()
    throw error
  }
}

/** Nothing is known: every session is looked at. */
const NOTHING: Known = {
  look: {
    sinceMs: 0,
    where: '',
    foldersMtimeMs: null,
    signs: null,
    unlisted: [],
    legacy: [],
    latest: null,
    checkedMs: 0,
    checkedBackToMs: null,
  },
  rows: undefined,
  gone: new Set(),
  news: [],
}

const beginning = new WeakMap<SessionFs, Promise<Known>>()

/** Who asks while a first look is made waits for it and takes what it has written. */
async function beginOnce(fs: SessionFs, sinceMs: number): Promise<Known> {
  const before = beginning.get(fs)
  if (before !== undefined) {
    await before.catch(() => {}) // told to who made it; who waited makes its own
    return (await openCatalogue(fs)) ?? begin(fs, sinceMs)
  }
  const known = begin(fs, sinceMs)
  beginning.set(fs, known)
  try {
    return await known
  } finally {
    beginning.delete(fs)
  }
}

/** Many sessions are read into a file as they come, so that they never are in memory all at once. */
async function begin(fs: SessionFs, sinceMs: number): Promise<Known> {
  const { ids, legacy } = await findFolders(fs)
  if (ids.size <= mostNews(0)) return NOTHING
  const found = await findMany(fs, ids, (each) =>
    isSettled(Math.max(each.folderMtimeMs, each.logMtimeMs), sinceMs),
  )
  const rows = await orNothing(async () => openRows(fs, await writeRows(fs, summaries(fs, found))))
  if (rows === undefined) return NOTHING
  const look: Look = {
    ...(await lookAtHome(fs, sinceMs)),
    unlisted: found.left,
    legacy,
    latest: found.newest ?? null,
    checkedMs: sinceMs,
    checkedBackToMs: null,
  }
  await writeHead(fs, { look, rows: rows.name, gone: [], news: [] })
  await orNothing(() => removeOldRows(fs, [rows.name]))
  return { look, rows, gone: new Set(), news: [] }
}

async function* summaries(
  fs: SessionFs,
  { portions, left }: FoundMany,
): AsyncGenerator<CatalogueRow[]> {
  for (const some of portions(READ_AT_ONCE)) yield* readSummaries(fs, some, left)
}

const READ_AT_ONCE = 1024

async function bringUp(fs: SessionFs, known: Known, sinceMs: number): Promise<Current> {
  const doubts = await doubtsOf(fs, known.look, sinceMs)
  const draft = {
    gone: new Set(known.gone),
    news: new Map(known.news.map((row) => [row.session.id, row])),
    unlisted: new Set(known.look.unlisted),
    legacy: known.look.legacy,
  }
  const suspects = new Map<SessionId, Suspect>()
  if (!doubts.areFoldersSame) await compareFolders(fs, known, draft, suspects)
  const checkedBackToMs = doubts.isOpen ? await suspectMany(known, draft, suspects) : undefined
  await suspectNamed(known, draft, suspects, [...doubts.touched, ...draft.unlisted])
  const fresh = await lookAgain(fs, draft, suspects, sinceMs)

  const { gone, unlisted, legacy } = draft
  const current = { gone, unlisted: [...unlisted], legacy }
  const isSame = fresh.isSame && !doubts.isOpen && doubts.areFoldersSame
  const isEmpty = draft.news.size + unlisted.size === 0
  if (isSame || (known === NOTHING && isEmpty)) {
    return { ...current, rows: known.rows, news: [...draft.news.values()] }
  }
  const checked =
    checkedBackToMs === undefined ? known.look : { checkedMs: sinceMs, checkedBackToMs }
  const rows = await keep(fs, known, draft, { ...checked, sinceMs })
  return rows === known.rows
    ? { ...current, rows, news: [...draft.news.values(), ...fresh.rows] }
    : { ...current, rows, gone: new Set(), news: fresh.rows }
}

/** What is known, as it is being changed. */
type Draft = {
  readonly gone: Set<number>
  readonly news: Map<SessionId, CatalogueRow>
  readonly unlisted: Set<SessionId>
  legacy: readonly string[]
}

/** A session that may be another than its row says; without stamps it has none. */
type Suspect = { readonly row?: number | undefined; readonly stamps?: Stamps | undefined }

/** Sessions that came are looked at; the rows of those that went are gone. */
async function compareFolders(
  fs: SessionFs,
  { rows }: Known,
  draft: Draft,
  suspects: Map<SessionId, Suspect>,
): Promise<void> {
  const { ids: left, legacy } = await findFolders(fs)
  draft.legacy = legacy
  for (const id of draft.unlisted) if (!left.has(id)) draft.unlisted.delete(id)
  for (const id of draft.news.keys()) if (!left.delete(id)) draft.news.delete(id)
  const ids = await rows?.ids()
  for (let page = 0; page < (rows?.pages ?? 0); page++) {
    const first = rows?.firstOf(page) ?? 0
    for (const [at, id] of (ids?.ofPage(page) ?? []).entries()) {
      if (draft.gone.has(first + at)) continue
      if (!left.delete(id as SessionId)) draft.gone.add(first + at)
    }
  }
  for (const id of left) suspects.set(id, {})
}

/** Up to so many sessions are looked at whenever some may have changed that nobody named. */
const WHOLE = 10_000
/** In a larger home these are, of which it is most likely, and in turn a part of the others. */
const NEWEST = 4_000
const PARTS = 16

/** Where the next look goes on. */
async function suspectMany(
  { rows, look }: Known,
  { gone, news }: Draft,
  suspects: Map<SessionId, Suspect>,
): Promise<number | null> {
  for (const [id, row] of news) suspects.set(id, { stamps: stampsOf(row) })
  if (rows === undefined) return null
  const ids = await rows.ids()
  const all = rows.count <= WHOLE
  let left = Math.max(NEWEST, Math.ceil(rows.count / PARTS))
  for (let page = 0; page < rows.pages; page++) {
    const [from, to] = [rows.firstOf(page), rows.firstOf(page + 1)]
    const isNew = all || from < NEWEST
    if (!isNew && left <= 0) return logMtimeAt(await rows.columns(from, from + 1), 0)
    const columns = await rows.columns(from, to)
    if (!isNew && logMtimeAt(columns, 0) > (look.checkedBackToMs ?? Infinity)) continue
    if (!isNew) left -= to - from
    for (const [at, id] of ids.ofPage(page).entries()) {
      if (gone.has(from + at) || !isSessionId(id)) continue
      suspects.set(id, { row: from + at, stamps: stampsAt(columns, at * WIDTH) })
    }
  }
  return null
}

async function suspectNamed(
  { rows }: Known,
  { gone, news }: Draft,
  suspects: Map<SessionId, Suspect>,
  named: readonly SessionId[],
): Promise<void> {
  for (const id of named) {
    if (suspects.has(id)) continue
    const kept = news.get(id)
    const row = kept === undefined ? (await rows?.ids())?.rowOf(id) : undefined
    if (kept !== undefined) suspects.set(id, { stamps: stampsOf(kept) })
    else if (rows === undefined || row === undefined || gone.has(row)) suspects.set(id, {})
    else suspects.set(id, { row, stamps: stampsAt(await rows.columns(row, row + 1), 0) })
  }
}

const stampsOf = ({ logMtimeMs, folderMtimeMs, session }: CatalogueRow): Stamps => ({
  logMtimeMs,
  folderMtimeMs,
  bytes: session.bytes,
})

const stillHolds = (stamps: Stamps, found: FoundSession): boolean =>
  stamps.logMtimeMs === found.logMtimeMs &&
  stamps.bytes === found.bytes &&
  stamps.folderMtimeMs === found.folderMtimeMs

/** Rows that will still be true when their stamps are go into the draft; those that may not are given back. */
async function lookAgain(
  fs: SessionFs,
  draft: Draft,
  suspects: ReadonlyMap<SessionId, Suspect>,
  sinceMs: number,
): Promise<{ readonly rows: CatalogueRow[]; readonly isSame: boolean }> {
  const { found, empty } = await findSessions(fs, [...suspects.keys()])
  const left = new Set(suspects.keys())
  const stale = found.filter((session) => {
    const { stamps } = suspects.get(session.id) ?? {}
    left.delete(session.id)
    return stamps === undefined || !stillHolds(stamps, session)
  })
  const drop = (id: SessionId) => {
    const { row } = suspects.get(id) ?? {}
    if (row !== undefined) draft.gone.add(row)
    draft.news.delete(id)
    draft.unlisted.delete(id)
  }
  for (const id of left) drop(id)
  for (const id of empty) draft.unlisted.add(id)
  const fresh: CatalogueRow[] = []
  const unread: SessionId[] = []
  const wereUnlisted = new Set(draft.unlisted)
  for await (const rows of readSummaries(fs, stale, unread)) {
    for (const row of rows) {
      const { id } = row.session
      drop(id)
      if (isSettled(Math.max(row.folderMtimeMs, row.logMtimeMs), sinceMs)) draft.news.set(id, row)
      else {
        draft.unlisted.add(id)
        fresh.push(row)
      }
    }
  }
  for (const id of unread) {
    drop(id)
    draft.unlisted.add(id)
  }
  // Those that could not be read the last time either are no news.
  const news = stale.length - unread.filter((id) => wereUnlisted.has(id)).length
  const wasListed = [...left].some((id) => suspects.get(id)?.stamps !== undefined)
  return { rows: fresh, isSame: news === 0 && !wasListed }
}

/** The session whose log was written last, of those that have a row. */
async function latestOf(
  { rows }: Known,
  gone: ReadonlySet<number>,
  [first]: readonly CatalogueRow[],
): Promise<SessionId | null> {
  let row = 0
  while (gone.has(row)) row++
  const newest = first && { id: first.session.id, logMtimeMs: first.logMtimeMs }
  if (rows === undefined || row >= rows.count) return newest?.id ?? null
  const page = rows.pageOf(row)
  const id = (await rows.ids()).ofPage(page)[row - rows.firstOf(page)]
  if (!isSessionId(id)) throw new CatalogueDamaged()
  const kept = { id, logMtimeMs: logMtimeAt(await rows.columns(row, row + 1), 0) }
  return newest !== undefined && newestFound(newest, kept) < 0 ? newest.id : id
}

/** So many changes are kept beside a file of so many rows before it is written anew. */
const mostNews = (rows: number): number => 512 + Math.floor(rows / 500)

/** The rows as they then are: the same, or of a new file that holds what was news. */
async function keep(
  fs: SessionFs,
  known: Known,
  { gone, news, unlisted, legacy }: Draft,
  checked: Pick<Look, 'sinceMs' | 'checkedMs' | 'checkedBackToMs'>,
): Promise<Known['rows']> {
  const settled = [...news.values()].sort(newestFirst)
  const { sinceMs } = checked
  const look: Look = {
    ...checked,
    ...(await lookAtHome(fs, sinceMs)),
    unlisted: [...unlisted],
    legacy,
    latest: await latestOf(known, gone, settled),
  }
  const isMuch = gone.size + news.size > mostNews(known.rows?.count ?? 0)
  const rows = isMuch ? await orNothing(() => rewrite(fs, known, gone, settled)) : undefined
  if (rows === undefined) {
    // What is too much for the head, and could not be written elsewhere, is found again.
    if (!isMuch) {
      await writeHead(fs, { look, rows: known.rows?.name ?? null, gone: [...gone], news: settled })
    }
  } else {
    await writeHead(fs, { look, rows: rows.name, gone: [], news: [] })
    await orNothing(() => removeOldRows(fs, [rows.name, known.rows?.name ?? '']))
    await known.rows?.[Symbol.asyncDispose]()
  }
  await sweepTouched(fs, sinceMs - 2 * BELIEVED_MS)
  return rows ?? known.rows
}

async function rewrite(
  fs: SessionFs,
  { rows }: Known,
  gone: ReadonlySet<number>,
  news: readonly CatalogueRow[],
): Promise<Known['rows']> {
  const name =
    rows === undefined ? await writeRows(fs, [news]) : await mergeRows(fs, rows, { gone, news })
  return openRows(fs, name)
}
