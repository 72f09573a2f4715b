/**
 * What of a catalogue may be believed without a look at the sessions themselves. Ours announce what they change;
 * other programs leave traces of the whole home; and what does neither (a copy from elsewhere, an editor) is
 * noticed when the catalogue has aged.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { selfIdentity } from '../../lib/process-identity.ts'
import type { Look } from './catalogue-file.ts'
import { foreignSigns, sessionsOfOthers } from './external-changes.ts'
import { SESSIONS } from '../../format/paths.ts'
import { touchedSince } from './dirty-markers.ts'

/** So long a catalogue is believed. */
export const BELIEVED_MS = 10 * 60_000

type Doubts = {
  /** No session came or went. */
  readonly areFoldersSame: boolean
  /** Sessions that may have changed, and of which a writer says so. */
  readonly touched: ReadonlySet<SessionId>
  /** Others may have changed too. */
  readonly isOpen: boolean
}

export async function doubtsOf(fs: SessionFs, look: Look, nowMs: number): Promise<Doubts> {
  const ageMs = nowMs - look.checkedMs
  const isSameClock = look.where === where() && ageMs >= 0 && nowMs >= look.sinceMs
  const signs = await foreignSigns(fs, nowMs)
  const isQuiet = signs !== undefined && signs === look.signs
  const mtimeMs = await foldersMtimeMs(fs, nowMs)
  const announced = await touchedSince(fs, look.sinceMs)
  const touched = new Set(announced)
  if (!isQuiet) for (const id of await sessionsOfOthers(fs, look.sinceMs)) touched.add(id)
  return {
    areFoldersSame: isSameClock && mtimeMs !== null && mtimeMs === look.foldersMtimeMs,
    touched,
    isOpen: announced === undefined || !isSameClock || !isQuiet || ageMs >= BELIEVED_MS,
  }
}

/** The home as it was at a time before anything was looked at. */
export async function lookAtHome(
  fs: SessionFs,
  sinceMs: number,
): Promise<Pick<Look, 'sinceMs' | 'where' | 'foldersMtimeMs' | 'signs'>> {
  return {
    sinceMs,
    where: where(),
    foldersMtimeMs: await foldersMtimeMs(fs, sinceMs),
    signs: (await foreignSigns(fs, sinceMs)) ?? null,
  }
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
export const isSettled = (mtimeMs: number, sinceMs: number): boolean =>
  sinceMs - mtimeMs > (mtimeMs % 1000 === 0 ? 2000 : 20)
