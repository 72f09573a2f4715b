/**
 * plan.md and everything in files/ and research/ by one path relative to the session's folder, read and put back as
 * a rewind needs it: what is no plain file, or too large, is told and left alone.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { readWorkspaceFile, removeWorkspaceFile, writeWorkspaceFile } from './files.ts'
import { PLAN } from './plan.ts'

export async function readOwn(
  fs: SessionFs,
  dir: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | 'large' | 'special' | undefined> {
  const stat = await fs.stat(`${dir}/${path}`)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') return 'special'
  if (stat.size > maxBytes) return 'large'
  if (path === PLAN) return fs.read(`${dir}/${path}`)
  try {
    return await readWorkspaceFile(fs, dir, path)
  } catch {
    // A folder on the way is a link, or it became one since.
    return 'special'
  }
}

export async function writeOwn(
  fs: SessionFs,
  dir: string,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  if (path === PLAN) await fs.writeAtomic(`${dir}/${path}`, bytes, { durable: true })
  else await writeWorkspaceFile(fs, dir, path, bytes)
}

export async function removeOwn(fs: SessionFs, dir: string, path: string): Promise<void> {
  if (path === PLAN) await fs.remove(`${dir}/${path}`)
  else await removeWorkspaceFile(fs, dir, path)
}
