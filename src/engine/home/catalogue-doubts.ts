/**
 * What of a catalogue may be believed without a look at the sessions themselves. Ours announce what they change;
 * other programs leave traces of the whole home; and what does neither (a copy from elsewhere, an editor) is
 * noticed when the catalogue has aged.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { selfIdentity } from '../../lib/process-identity.ts'
import { writeCatalogue } from './catalogue-file.ts'
import type { Look } from './catalogue-file.ts'
import type { CatalogueRow } from './catalogue-row.ts'
import { foreignSigns } from './foreign-signs.ts'
import { SESSIONS } from '../../format/paths.ts'
import { sweepTouched, touchedSince } from './touched.ts'

/** So long a catalogue is believed. */
export const BELIEVED_MS = 10 * 60_000

type Doubts = {
  /** No session came or went. */
  readonly areFoldersSame: boolean
  /** Sessions that may have changed. */
  readonly touched: ReadonlySet<SessionId>
}

/** Undefined when nothing may be believed. */
export async function doubtsOf(
  fs: SessionFs,
  look: Look | undefined,
  nowMs: number,
): Promise<Doubts | undefined> {
  if (look === undefined || look.signs === null || look.where !== where()) return undefined
  const ageMs = nowMs - look.sinceMs
  if (ageMs < 0 || ageMs >= BELIEVED_MS) return undefined
  if ((await foreignSigns(fs, nowMs)) !== look.signs) return undefined
  const mtimeMs = await foldersMtimeMs(fs, nowMs)
  return {
    areFoldersSame: mtimeMs !== null && mtimeMs === look.foldersMtimeMs,
    touched: await touchedSince(fs, look.sinceMs),
  }
}

/** Keeps the rows that will still be true when their stamps are, and what the home looked like. */
export async function keep(
  fs: SessionFs,
  rows: readonly CatalogueRow[],
  ids: readonly SessionId[],
  sinceMs: number,
): Promise<void> {
  const settled = rows.filter((row) =>
    isSettled(Math.max(row.folderMtimeMs, row.logMtimeMs), sinceMs),
  )
  const listed = new Set(settled.map(({ session }) => session.id))
  const look: Look = {
    sinceMs,
    where: where(),
    foldersMtimeMs: await foldersMtimeMs(fs, sinceMs),
    signs: (await foreignSigns(fs, sinceMs)) ?? null,
    unlisted: ids.filter((id) => !listed.has(id)),
    latest: settled[0]?.session.id ?? null,
  }
  await writeCatalogue(fs, look, settled)
  await sweepTouched(fs, sinceMs - 2 * BELIEVED_MS)
}

/** A power cut may lose an announcement and keep what was announced; so a boot believes only itself. */
const where = (): string => `${selfIdentity().machine} ${selfIdentity().bootId}`

async function foldersMtimeMs(fs: SessionFs, nowMs: number): Promise<number | null> {
  const mtimeMs = (await fs.stat(SESSIONS))?.mtimeMs
  return mtimeMs !== undefined && isSettled(mtimeMs, nowMs) ? mtimeMs : null
}

/**
 * What changed in the same tick in which it was looked at may have changed once more since, with the same time
 * on it. File systems tick every few milliseconds, some every two seconds.
 */
const isSettled = (mtimeMs: number, sinceMs: number): boolean =>
  sinceMs - mtimeMs > (mtimeMs % 1000 === 0 ? 2000 : 20)
