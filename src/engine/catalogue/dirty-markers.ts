/**
 * Which sessions of a home may have changed lately. Every writer says so before its first write and again after
 * its last, so a list need not look at ten thousand folders to know that nothing happened in them:
 *
 *     .reprise/touched/<session>.<process>.open   that process holds the session and may write at any time
 *     .reprise/touched/<session>.<process>.done   that process wrote; the file's own time says until when
 *     .reprise/touched/<session>.<process>.left   that process died with the session open
 *     .reprise/touched/<session>.<process>.told   so it did, and people were told of it
 */
import { randomBytes } from 'node:crypto'
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { homeFolder, inHome, readName } from '../../format/paths.ts'
import { codeOf } from '../../fs/fs-error.ts'
import type { Entry, SessionFs } from '../../fs/session-fs.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { isAlive, selfIdentity, type ProcessIdentity } from '../../lib/process-identity.ts'

export const TOUCHED = homeFolder('touched')

/** Marks of one process have one name a session, so many short turns leave one file. */
const SELF = randomBytes(6).toString('hex')

/** Says that a session is about to change. To be called again when it no longer does. */
export async function announce(fs: SessionFs, id: SessionId): Promise<() => Promise<void>> {
  await leave(fs, markOf(id, 'open'))
  return async () => {
    await touch(fs, id)
    await quietly(() => fs.remove(markOf(id, 'open')))
  }
}

/** Says that a session has changed, in one step. */
export const touch = (fs: SessionFs, id: SessionId): Promise<void> => leave(fs, markOf(id, 'done'))

/** The marks; undefined where none can be left or read, because something else is in the way of their folder. */
async function marks(fs: SessionFs): Promise<readonly Entry[] | undefined> {
  try {
    return await fs.list(TOUCHED)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** The sessions that a process changed since, or may be changing now; undefined when nobody can tell. */
export async function touchedSince(
  fs: SessionFs,
  sinceMs: number,
): Promise<ReadonlySet<SessionId> | undefined> {
  const all = await marks(fs)
  if (all === undefined) return undefined
  const touched = new Set<SessionId>()
  const done: { readonly id: SessionId; readonly path: string }[] = []
  for (const { name } of all) {
    const { id, when: kind } = readName(layout.home.touched, name) ?? {}
    if (!isSessionId(id)) continue
    if (kind === 'open') touched.add(id)
    else done.push({ id, path: `${TOUCHED}/${name}` })
  }
  const stats = await fs.statMany(done.map(({ path }) => path))
  done.forEach(({ id }, index) => {
    // One that is gone was there a moment ago.
    if ((stats[index]?.mtimeMs ?? Infinity) >= sinceMs - CLOCK_STEP_MS) touched.add(id)
  })
  return touched
}

/** The sessions that a process says to have open for writing now; the mark of a process that died says so too. */
export async function openSessions(fs: SessionFs): Promise<ReadonlySet<SessionId>> {
  const open = new Set<SessionId>()
  for (const { name } of (await marks(fs)) ?? []) {
    const { id, when: kind } = readName(layout.home.touched, name) ?? {}
    if (kind === 'open' && isSessionId(id)) open.add(id)
  }
  return open
}

/** Sessions that a process died with, and whether people were told of it. */
export async function diedWith(fs: SessionFs): Promise<ReadonlyMap<SessionId, Mourned>> {
  const found = new Map<SessionId, Mourned>()
  for (const { name } of (await marks(fs)) ?? []) {
    const { id, when: kind } = readName(layout.home.touched, name) ?? {}
    if (!isSessionId(id) || kind === 'done') continue
    const path = `${TOUCHED}/${name}`
    if (kind === 'open' && !(await isOrphan(fs, path))) continue
    const isTold = kind === 'told' && found.get(id)?.isTold !== false
    found.set(id, { isTold, paths: [...(found.get(id)?.paths ?? []), path] })
  }
  return found
}

type Mourned = { readonly isTold: boolean; readonly paths: readonly string[] }

/** People were told of it: they are not told again. */
export async function noteTold(fs: SessionFs, paths: readonly string[]): Promise<void> {
  for (const path of paths) await becomes(fs, path, 'told')
}

/** Some process has had it open since, or it is no more. */
export async function noteOver(fs: SessionFs, paths: readonly string[]): Promise<void> {
  for (const path of paths) await becomes(fs, path, 'done')
}

async function becomes(fs: SessionFs, path: string, kind: 'left' | 'told' | 'done'): Promise<void> {
  const next = path.replace(/[^.]+$/, kind)
  if (next === path) return
  const bytes = await fs.read(path)
  if (bytes === undefined) return
  await quietly(() => fs.writeAtomic(next, bytes, { durable: false }))
  await quietly(() => fs.remove(path))
}

/** Some file systems count time in steps of two seconds. */
const CLOCK_STEP_MS = 2_000

/** Whether the process that says it is changing a session lives. Undefined when none says so. */
export async function isChanging(fs: SessionFs, wanted: SessionId): Promise<boolean | undefined> {
  let found: boolean | undefined
  for (const { name } of (await marks(fs)) ?? []) {
    if (readName(layout.home.touched, name)?.id !== wanted) continue
    if (!(await isOrphan(fs, `${TOUCHED}/${name}`))) return true
    found = false
  }
  return found
}

/** Removes marks that nobody can need: older than this, of processes that have ended and so renew none. */
export const sweepTouched = (fs: SessionFs, beforeMs: number): Promise<void> =>
  sweep(fs, { open: beforeMs, done: beforeMs })

/** Nobody seems to be changing a session any more who has ended. */
export const endTouched = (fs: SessionFs): Promise<void> => sweep(fs, { open: Infinity, done: 0 })

async function sweep(
  fs: SessionFs,
  beforeMs: Readonly<Record<'open' | 'done', number>>,
): Promise<void> {
  for (const { name } of (await marks(fs)) ?? []) {
    const { id, when: kind } = readName(layout.home.touched, name) ?? {}
    if (!isSessionId(id)) continue
    const path = `${TOUCHED}/${name}`
    const stat = await fs.stat(path)
    const isKept = kind === 'left' || kind === 'told'
    const limit = isKept ? Date.now() - REMEMBERED_MS : beforeMs[kind === 'open' ? 'open' : 'done']
    if (stat === undefined || stat.mtimeMs >= limit || !(await isOrphan(fs, path))) continue
    // It may have written until the moment it died: that counts from now on.
    if (kind === 'open') await becomes(fs, path, 'left')
    else await quietly(() => fs.remove(path))
  }
}

/** Who has not come back to a session for so long has left it. */
const REMEMBERED_MS = 30 * 86_400_000

async function isOrphan(fs: SessionFs, path: string): Promise<boolean> {
  const bytes = await fs.read(path)
  if (bytes === undefined) return false
  try {
    return isAlive(JSON.parse(decodeText(bytes)) as ProcessIdentity) === 'dead'
  } catch {
    // Its process was killed while it wrote the mark.
    return true
  }
}

const markOf = (id: SessionId, kind: 'open' | 'done'): string =>
  inHome('touched', { id, process: SELF, when: kind })

const leave = (fs: SessionFs, path: string): Promise<void> =>
  quietly(() =>
    fs.writeAtomic(path, encodeText(JSON.stringify(selfIdentity())), { durable: false }),
  )

/** A mark that cannot be left costs a list its freshness for some minutes; no session fails for it. */
async function quietly(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}
