/**
 * Takes a file of this machine into a home: a clone where the disk has such, else a copy; never another name for the
 * same file, which its owner may still write. A link is not followed.
 */
import { createReadStream, lstatSync } from 'node:fs'
import { copyOn } from './disk-steps.ts'
import { FsError } from './fs-error.ts'
import type { SessionFs } from './session-fs.ts'

/** `from` as the system names it; `to` below the home. */
export async function takeIn(fs: SessionFs, from: string, to: string): Promise<void> {
  const native = fs.diskPath(to)
  if (native !== undefined) return copyOn(from, native)
  if (!lstatSync(from).isFile()) throw new FsError('EINVAL', from, 'only regular files are copied')
  const target = await fs.openAppend(to)
  try {
    let position = 0
    for await (const chunk of createReadStream(from)) {
      await target.write([chunk as Buffer], position)
      position += (chunk as Buffer).length
    }
    await target.truncate(position)
    await target.sync()
  } finally {
    await target.close()
  }
}
