/** Gives a file the time of what stands in it: a session that comes from elsewhere is as old as its last word. */
import { utimes } from 'node:fs/promises'
import type { SessionFs } from './session-fs.ts'

export async function keepTime(fs: SessionFs, path: string, iso: string): Promise<void> {
  const native = fs.diskPath(path)
  const when = new Date(iso)
  if (native === undefined || Number.isNaN(when.getTime())) return
  await utimes(native, when, when)
}
