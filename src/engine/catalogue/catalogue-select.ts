/**
 * Questions about the sessions of a home. Each is answered from the columns as far as these can tell, and reads the
 * rows that are part of the answer.
 */
import type { SessionId } from '../../format/ids.ts'
import { buckets, relevance, type Whereabouts, type Bucket } from '../../state/relevance.ts'
import {
  WIDTH,
  bucketAt,
  logMtimeAt,
  nameAt,
  nameNumber,
  numbersOf,
  stampsAt,
} from './catalogue-columns.ts'
import type { Current } from './catalogue-refresh.ts'
import type { FarNews, FarPlace } from '../remote-control.ts'
import { newestFirst, type CatalogueRow, type SessionSummary } from './catalogue-row.ts'
import type { FoundSession } from './scan-sessions.ts'

/** All rows that are true, newest first. */
export async function allRows(current: Current): Promise<CatalogueRow[]> {
  const found: CatalogueRow[] = [...current.news]
  for await (const rows of pagesOf(current)) for (const row of rows) found.push(row)
  return found.sort(newestFirst)
}

/** Page by page, without the news. */
async function* pagesOf({ rows, gone }: Current): AsyncGenerator<readonly CatalogueRow[]> {
  for (let page = 0; page < (rows?.pages ?? 0); page++) {
    const first = rows?.firstOf(page) ?? 0
    yield ((await rows?.page(page)) ?? []).filter((_, at) => !gone.has(first + at))
  }
}

export type NearSession = SessionSummary & {
  readonly bucket: Bucket
  /** It is on another machine. */
  readonly remote?: FarPlace
}

export type Nearest = {
  /** The nearest first, the newest first of those that are as near. */
  readonly sessions: readonly NearSession[]
  /** All that were asked for, and those of them that have anything to do with this place. */
  readonly total: number
  readonly near: number
  /** Of those of other machines, where they were asked for. */
  readonly far?: FarNews
}

export type NearQuery = {
  readonly limit: number
  /** Only those that have anything to do with this place. */
  readonly onlyNear?: boolean
  /** Nobody wants the totals: no more are looked at when these are as near as any can be. */
  readonly uncounted?: boolean
  /** Each stands in the name, the first prompt, the branch, the repository, the directory or the id. */
  readonly words?: readonly string[]
  /** Those of other machines, too, or alone; a home without a Mission Control knows none. */
  readonly remote?: 'too' | 'only'
}

export function nearestOf(current: Current, here: Whereabouts, query: NearQuery): Promise<Nearest> {
  return (query.words ?? []).length > 0
    ? nearestByWords(current, here, query)
    : nearestByPlace(current, here, query)
}

type Candidate = { readonly row: number; readonly ms: number }

async function nearestByPlace(
  current: Current,
  here: Whereabouts,
  { limit, onlyNear = false, uncounted = false }: NearQuery,
): Promise<Nearest> {
  const numbers = numbersOf(here)
  const closest = relevance(here, here).bucket
  const counts = new Map<Bucket, number>()
  const chosen = new Map<Bucket, Candidate[]>(buckets.map((bucket) => [bucket, []]))
  await eachRow(current, (columns, at, row) => {
    const bucket = bucketAt(columns, at, numbers)
    const ms = logMtimeAt(columns, at)
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    const some = chosen.get(bucket) ?? []
    // One that is as old as the last may come before it by its id.
    if (some.length < limit || some.at(-1)?.ms === ms) some.push({ row, ms })
    else if (uncounted && bucket === closest) return 'enough'
    return 'on'
  })
  const placed = current.news.map(({ session }) => relevance(session, here).bucket)
  for (const bucket of placed) counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const near = all - (counts.get('Other sessions') ?? 0)

  const found: { readonly row: CatalogueRow; readonly bucket: Bucket }[] = []
  for (const bucket of buckets) {
    if ((onlyNear && bucket === 'Other sessions') || found.length >= limit) break
    const rows = await readRows(
      current,
      (chosen.get(bucket) ?? []).map(({ row }) => row),
    )
    rows.push(...current.news.filter((_, at) => placed[at] === bucket))
    found.push(...rows.sort(newestFirst).map((row) => ({ row, bucket })))
  }
  return {
    sessions: found.slice(0, limit).map(({ row, bucket }) => ({ ...row.session, bucket })),
    total: onlyNear ? near : all,
    near,
  }
}

/** Every row is read, and as many are held as are asked for. */
async function nearestByWords(
  current: Current,
  here: Whereabouts,
  { limit, onlyNear = false, words = [] }: NearQuery,
): Promise<Nearest> {
  const found = new Map<Bucket, CatalogueRow[]>(buckets.map((bucket) => [bucket, []]))
  let [total, near] = [0, 0]
  const add = (rows: readonly CatalogueRow[]) => {
    for (const row of rows) {
      const { session } = row
      if (!words.every((word) => wordsOf(session).includes(word))) continue
      const { bucket, score } = relevance(session, here)
      near += score > 0 ? 1 : 0
      if (onlyNear && score === 0) continue
      total++
      const some = found.get(bucket) ?? []
      if (some.length < limit + current.news.length) some.push(row)
    }
  }
  for await (const rows of pagesOf(current)) add(rows)
  for (const row of current.news) add([row])
  const sessions = buckets.flatMap((bucket) =>
    (found.get(bucket) ?? []).sort(newestFirst).map(({ session }) => ({ ...session, bucket })),
  )
  return { sessions: sessions.slice(0, limit), total, near }
}

/** Everything that is filtered over, in small letters. */
export const wordsOf = ({ name, summary, branch, repository, cwd, id }: SessionSummary): string =>
  [name, summary, branch, repository, cwd, id].join(' ').toLowerCase()

/** Those whose id begins so, newest first. */
export async function withPrefix(current: Current, prefix: string): Promise<SessionSummary[]> {
  const places = await placesWithPrefix(current, prefix)
  const rows = await readRows(current, places)
  rows.push(...current.news.filter(({ session }) => session.id.startsWith(prefix)))
  return rows.sort(newestFirst).map(({ session }) => session)
}

async function placesWithPrefix({ rows, gone }: Current, prefix: string): Promise<number[]> {
  const ids = await rows?.ids()
  const found: number[] = []
  if (ids === undefined || prefix.includes('\n')) return found
  for (let at = ids.text.indexOf(`\n${prefix}`); at !== -1;) {
    if (at + 1 < ids.text.length) found.push(ids.rowAt(at + 1))
    at = ids.text.indexOf(`\n${prefix}`, at + 1)
  }
  return found.filter((row) => !gone.has(row))
}

/** Those that a person can mean by a value: by their id, the beginning of it, or their name. */
export async function meantBy(current: Current, value: string): Promise<SessionSummary[]> {
  const wanted = value.trim()
  if (wanted === '') return []
  const name = nameNumber(wanted)
  const places = new Set<number>()
  for (const prefix of new Set([wanted, wanted.toLowerCase()]))
    for (const row of await placesWithPrefix(current, prefix)) places.add(row)
  await eachRow(current, (columns, at, row) => {
    if (name !== undefined && nameAt(columns, at) === name) places.add(row)
    return 'on'
  })
  // The news are few, and the caller looks at each.
  const rows = [...(await readRows(current, [...places])), ...current.news]
  return rows.sort(newestFirst).map(({ session }) => session)
}

export async function summariesOf(
  current: Current,
  ids: readonly SessionId[],
): Promise<SessionSummary[]> {
  const all = await current.rows?.ids()
  const places = ids.flatMap((id) => all?.rowOf(id) ?? []).filter((row) => !current.gone.has(row))
  const wanted = new Set(ids)
  const rows = await readRows(current, places)
  rows.push(...current.news.filter(({ session }) => wanted.has(session.id)))
  return rows.sort(newestFirst).map(({ session }) => session)
}

/** The size and times of every session, the one that was written longest ago first. */
export async function stampsOfAll({ rows, gone, news }: Current): Promise<FoundSession[]> {
  const found: FoundSession[] = news.map(({ logMtimeMs, folderMtimeMs, session }) => ({
    id: session.id,
    logMtimeMs,
    folderMtimeMs,
    bytes: session.bytes,
  }))
  const ids = await rows?.ids()
  for (let page = 0; page < (rows?.pages ?? 0); page++) {
    const first = rows?.firstOf(page) ?? 0
    const columns = await rows?.columns(first, rows.firstOf(page + 1))
    for (const [at, id] of (ids?.ofPage(page) ?? []).entries()) {
      if (columns === undefined || gone.has(first + at)) continue
      found.push({ id: id as SessionId, ...stampsAt(columns, at * WIDTH) })
    }
  }
  return found.sort((a, b) => a.logMtimeMs - b.logMtimeMs)
}

/** The rows whose columns are read at once. */
const SPAN = 8192

async function eachRow(
  { rows, gone }: Current,
  visit: (columns: Float64Array, at: number, row: number) => 'on' | 'enough',
): Promise<void> {
  const count = rows?.count ?? 0
  for (let from = 0; from < count; from += SPAN) {
    const to = Math.min(count, from + SPAN)
    const columns = (await rows?.columns(from, to)) ?? new Float64Array()
    for (let row = from; row < to; row++) {
      if (gone.has(row)) continue
      if (visit(columns, (row - from) * WIDTH, row) === 'enough') return
    }
  }
}

async function readRows({ rows }: Current, wanted: readonly number[]): Promise<CatalogueRow[]> {
  const found: CatalogueRow[] = []
  let page = -1
  let read: readonly CatalogueRow[] = []
  for (const row of [...wanted].sort((a, b) => a - b)) {
    if (rows === undefined) break
    if (rows.pageOf(row) !== page) {
      page = rows.pageOf(row)
      read = await rows.page(page)
    }
    const one = read[row - rows.firstOf(page)]
    if (one !== undefined) found.push(one)
  }
  return found
}
