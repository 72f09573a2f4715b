/**
 * The head of the catalogue: what the home looked like, which file holds the rows, and what has changed since that
 * was written. In a small home there is no such file and all rows stand here. Derived and disposable: a missing,
 * damaged or foreign one is no catalogue, and a home that cannot be written goes without. Of several writers the last
 * one wins.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { inHome } from '../../format/paths.ts'
import { codeOf } from '../../fs/fs-error.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeRows, encodeRows, type CatalogueRow } from './catalogue-row.ts'
import { openRows, type Rows } from './catalogue-rows.ts'
import { inAscii } from './catalogue-write.ts'

export const CATALOGUE = inHome('catalogue')

/** Goes up whenever the same session would give another row. */
export const CATALOGUE_VERSION = 9

/** The home as it was when the catalogue was made. */
export type Look = {
  /** Taken before anything was looked at: what changed after it is looked at again. */
  readonly sinceMs: number
  /** In which boot of which machine. */
  readonly where: string
  /** The time of the folder of all sessions: it moves when one comes or goes. Null when it may still have moved. */
  readonly foldersMtimeMs: number | null
  /** What other programs had left; null when one was at work. */
  readonly signs: string | null
  /** Sessions without a row: nothing said yet, or changed so lately that the clock could not tell. */
  readonly unlisted: readonly SessionId[]
  /** Flat files of an older format. */
  readonly legacy: readonly string[]
  /** The row whose log was written last. */
  readonly latest: SessionId | null
  /** When sessions were last looked at that nobody announced. */
  readonly checkedMs: number
  /** In a large home the next such look goes on with the sessions that are older than this; null: from the newest. */
  readonly checkedBackToMs: number | null
}

type Head = {
  readonly look: Look
  /** The file that holds the rows. */
  readonly rows: string | null
  /** Which of these are no longer true. */
  readonly gone: readonly number[]
  readonly news: readonly CatalogueRow[]
}

export type Known = Omit<Head, 'rows' | 'gone'> & {
  readonly rows: Rows | undefined
  readonly gone: ReadonlySet<number>
}

/** To be closed, when it has rows. */
export async function openCatalogue(fs: SessionFs): Promise<Known | undefined> {
  const head = await readHead(fs)
  if (head === undefined) return undefined
  const { look, news } = head
  const gone = new Set(head.gone)
  if (head.rows === null) return { look, rows: undefined, gone, news }
  const name = head.rows
  const rows = await orNothing(() => openRows(fs, name))
  return rows && { look, rows, gone, news }
}

/** What it tells of the home, without its rows. */
export const readLook = async (fs: SessionFs): Promise<Look | undefined> =>
  (await readHead(fs))?.look

async function readHead(fs: SessionFs): Promise<Head | undefined> {
  const text = await orNothing(async () => {
    const bytes = await fs.read(CATALOGUE)
    return bytes && inLatin1(bytes)
  })
  const stored = parse(text ?? '')
  if (!isRecord(stored)) return undefined
  const look = lookIn(stored)
  const news = decodeRows(stored['news'])
  const { rows, gone } = stored
  if (look === undefined || news === undefined || !Array.isArray(gone)) return undefined
  if (rows !== null && (typeof rows !== 'string' || !/^[0-9a-f]{12}$/.test(rows))) return undefined
  return { look, rows, gone: gone.filter((each) => typeof each === 'number'), news }
}

export async function writeHead(fs: SessionFs, head: Head): Promise<boolean> {
  const { look, rows, gone, news } = head
  const stored = { version: CATALOGUE_VERSION, ...look, rows, gone, news: encodeRows(news) }
  // A full or read-only disk costs the next listing some time and nothing else.
  const written = await orNothing(async () => {
    const bytes = Buffer.from(`${inAscii(JSON.stringify(stored))}\n`, 'latin1')
    await fs.writeAtomic(CATALOGUE, bytes, { durable: false })
    return true
  })
  return written === true
}

function lookIn(look: { readonly [key: string]: unknown }): Look | undefined {
  const { version, sinceMs, checkedMs, checkedBackToMs, where, unlisted, legacy } = look
  const { foldersMtimeMs, signs, latest } = look
  if (version !== CATALOGUE_VERSION || typeof where !== 'string') return undefined
  if (typeof sinceMs !== 'number' || typeof checkedMs !== 'number') return undefined
  if (!Array.isArray(unlisted) || !Array.isArray(legacy)) return undefined
  return {
    sinceMs,
    where,
    foldersMtimeMs: typeof foldersMtimeMs === 'number' ? foldersMtimeMs : null,
    signs: typeof signs === 'string' ? signs : null,
    unlisted: unlisted.filter(isSessionId),
    legacy: legacy.filter((name) => typeof name === 'string'),
    latest: isSessionId(latest) ? latest : null,
    checkedMs,
    checkedBackToMs: typeof checkedBackToMs === 'number' ? checkedBackToMs : null,
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // The catalogue is derived: what cannot be read is computed again from the logs.
    return undefined
  }
}

/** A catalogue that cannot be read or written is none; the sessions are still there. */
export async function orNothing<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** What is written is ASCII, which needs no decoder. */
const inLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
