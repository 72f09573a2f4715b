/**
 * `inuse.<pid>.lock`, by which the Copilot CLI sees that a session is in use, and by which we see the same of
 * it. It holds nothing but a pid, so it is a courtesy between programs; among ourselves the lease decides.
 */
import { layout } from '../format/layout.ts'
import { inSession, readName } from '../format/paths.ts'
import type { Entry, SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { ownsOldLock, selfIdentity, type ProcessIdentity } from '../lib/process-identity.ts'
import { generationOf, leaseFolder, readClaim, viewLease } from './lease-files.ts'

const lockPath = (sessionDir: string, pid: number): string =>
  inSession(sessionDir, 'inUse', { pid })

/** Writes ours, and removes those of processes that are gone. */
export async function markInUse(fs: SessionFs, sessionDir: string): Promise<void> {
  const { pid } = selfIdentity()
  for (const path of await deadLocks(fs, sessionDir))
    if (path !== lockPath(sessionDir, pid)) await fs.remove(path)
  await fs.writeAtomic(lockPath(sessionDir, pid), encodeText(String(pid)), { durable: false })
}

/** Of processes that are gone. */
export async function deadLocks(fs: SessionFs, sessionDir: string): Promise<readonly string[]> {
  return (await readLocks(fs, sessionDir))
    .filter(({ isOwned }) => !isOwned)
    .map(({ pid }) => lockPath(sessionDir, pid))
}

/** Removes ours, unless this process meanwhile holds the session again through another lease. */
export async function leaveInUse(
  fs: SessionFs,
  sessionDir: string,
  claim: { readonly nonce: string },
): Promise<void> {
  const view = await viewLease(fs, leaseFolder(sessionDir))
  const isAnothersOfUs =
    view.claim !== undefined && view.claim.nonce !== claim.nonce && isThisProcess(view.claim)
  if (isAnothersOfUs && !view.isReleased) return
  await fs.remove(lockPath(sessionDir, selfIdentity().pid))
}

/** Living processes of other programs that have this session open; `entries` are those of its folder, when they are known. */
export async function foreignHolders(
  fs: SessionFs,
  sessionDir: string,
  entries?: readonly Entry[],
): Promise<readonly number[]> {
  const self = selfIdentity().pid
  const owned = (await readLocks(fs, sessionDir, entries))
    .filter(({ pid, isOwned }) => isOwned && pid !== self)
    .map(({ pid }) => pid)
  if (owned.length === 0) return []
  const known = await claimants(fs, sessionDir)
  return owned.filter((pid) => !known.has(pid)).sort((one, other) => one - other)
}

/** The holder of the lease, and a holder that was overtaken lately: it may write no more. */
async function claimants(fs: SessionFs, sessionDir: string): Promise<ReadonlySet<number>> {
  const folder = leaseFolder(sessionDir)
  const pids = new Set<number>()
  for (const { name } of await fs.list(folder)) {
    if (generationOf(name) === 0 || !name.endsWith('.json')) continue
    const claim = await readClaim(fs, `${folder}/${name}`)
    if (claim !== undefined) pids.add(claim.pid)
  }
  return pids
}

async function readLocks(fs: SessionFs, sessionDir: string, entries?: readonly Entry[]) {
  const locks: { readonly pid: number; readonly isOwned: boolean }[] = []
  for (const { name } of entries ?? (await fs.list(sessionDir))) {
    const pid = Number(readName(layout.session.inUse, name)?.pid ?? 0)
    if (pid === 0) continue
    const stat = await fs.stat(`${sessionDir}/${name}`)
    if (stat !== undefined) locks.push({ pid, isOwned: ownsOldLock(pid, stat.mtimeMs) })
  }
  return locks
}

const isThisProcess = (identity: ProcessIdentity): boolean => {
  const self = selfIdentity()
  return (
    identity.pid === self.pid &&
    identity.host === self.host &&
    identity.startTime === self.startTime
  )
}
