/** A disk that remembers the path of every file that was ever written on it, also of those that are gone again. */
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'

export function openRecordingDisk(folder: string, written: Set<string>): SessionFs {
  const fs = openDisk(folder)
  return {
    ...fs,
    openAppend(path) {
      written.add(path)
      return fs.openAppend(path)
    },
    writeAtomic(path, bytes, options) {
      written.add(path)
      return fs.writeAtomic(path, bytes, options)
    },
    createExclusive(path, bytes) {
      written.add(path)
      return fs.createExclusive(path, bytes)
    },
    copy(from, to) {
      written.add(to)
      return fs.copy(from, to)
    },
    share(from, to) {
      written.add(to)
      return fs.share(from, to)
    },
    async rename(from, to) {
      if ((await fs.stat(from))?.kind === 'file') written.add(to)
      return fs.rename(from, to)
    },
  }
}
