/**
 * The catalogue on disk: what was last read of every session, with the stamps that say whether it still holds.
 * Its first line is about the home, so that a question about the whole needs no more; the second holds the rows.
 * Derived and disposable: a missing, damaged or foreign file is no catalogue, and a home that cannot be written
 * goes without one. Of several writers the last one wins.
 */
import type { SessionId } from '../../format/ids.ts'
import { isSessionId } from '../../format/ids.ts'
import { inHome } from '../../format/paths.ts'
import { codeOf } from '../../fs/fs-error.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { encodeText } from '../../lib/bytes.ts'
import { decodeRows, encodeRows } from './catalogue-row.ts'
import type { CatalogueRow } from './catalogue-row.ts'

export const CATALOGUE = inHome('catalogue')

/** Goes up whenever the same session would give another row. */
export const CATALOGUE_VERSION = 2

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
  /** The row whose log was written last. */
  readonly latest: SessionId | null
}

type Catalogue = { readonly look: Look; readonly rows: ReadonlyMap<string, CatalogueRow> }

export async function readCatalogue(fs: SessionFs): Promise<Catalogue | undefined> {
  const text = await orNothing(async () => {
    const bytes = await fs.read(CATALOGUE)
    return bytes && inLatin1(bytes)
  })
  if (text === undefined) return undefined
  const end = text.indexOf('\n')
  const look = parseLook(text.slice(0, Math.max(0, end)))
  const stored = parse(text.slice(end + 1))
  if (look === undefined || !isRecord(stored)) return undefined
  const { texts, rows } = stored
  if (!Array.isArray(texts) || !Array.isArray(rows)) return undefined
  return { look, rows: decodeRows({ texts, rows }) }
}

/** The first line alone. Undefined also when it is longer than is worth reading for this. */
export async function readLook(fs: SessionFs): Promise<Look | undefined> {
  return orNothing(async () => {
    const file = await fs.openRead(CATALOGUE)
    if (file === undefined) return undefined
    try {
      const head = new Uint8Array(HEAD_BYTES)
      const text = inLatin1(head.subarray(0, await file.read(head, 0)))
      return parseLook(text.slice(0, Math.max(0, text.indexOf('\n'))))
    } finally {
      await file.close()
    }
  })
}

const HEAD_BYTES = 64 * 1024

export async function writeCatalogue(
  fs: SessionFs,
  look: Look,
  rows: readonly CatalogueRow[],
): Promise<boolean> {
  const lines = [
    JSON.stringify({ version: CATALOGUE_VERSION, ...look }),
    JSON.stringify(encodeRows(rows)),
    '',
  ]
  // A full or read-only disk costs the next listing some time and nothing else.
  const written = await orNothing(async () => {
    await fs.writeAtomic(CATALOGUE, encodeText(inAscii(lines.join('\n'))), { durable: false })
    return true
  })
  return written === true
}

/** Nothing of these sessions is left in it. */
export async function dropFromCatalogue(fs: SessionFs, ids: readonly SessionId[]): Promise<void> {
  const known = await readCatalogue(fs)
  if (known === undefined) return fs.remove(CATALOGUE)
  const rows = [...known.rows.values()].filter(({ session }) => !ids.includes(session.id))
  if (rows.length === known.rows.size) return
  const unlisted = [...known.look.unlisted, ...ids]
  const look = { ...known.look, unlisted, latest: rows[0]?.session.id ?? null }
  // In place of a write that fails: it can be made again, and must not be kept.
  if (!(await writeCatalogue(fs, look, rows))) await fs.remove(CATALOGUE)
}

function parseLook(line: string): Look | undefined {
  const look = parse(line)
  if (!isRecord(look) || look['version'] !== CATALOGUE_VERSION) return undefined
  const { sinceMs, where, unlisted } = look
  if (typeof sinceMs !== 'number' || typeof where !== 'string' || !Array.isArray(unlisted))
    return undefined
  const [foldersMtimeMs, signs, latest] = [look['foldersMtimeMs'], look['signs'], look['latest']]
  return {
    sinceMs,
    where,
    foldersMtimeMs: typeof foldersMtimeMs === 'number' ? foldersMtimeMs : null,
    signs: typeof signs === 'string' ? signs : null,
    unlisted: unlisted.filter(isSessionId),
    latest: isSessionId(latest) ? latest : null,
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // The catalogue is derived: a row that cannot be read is computed again from its log.
    return undefined
  }
}

async function orNothing<T>(action: () => Promise<T>): Promise<T | undefined> {
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

/** A text of other characters takes twice the room in memory, and longer to read. */
const inAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
