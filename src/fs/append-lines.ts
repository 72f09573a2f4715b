/**
 * Adds whole lines to the end of a file that several processes may write: each call takes one step, so that lines of two
 * writers never mix. What a killed writer left of a line is closed first.
 */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { NO_FOLLOW } from './disk-root.ts'
import type { SessionFs } from './session-fs.ts'

const NEWLINE = 0x0a
const FLAGS = constants.O_RDWR | constants.O_APPEND | NO_FOLLOW

export async function appendLines(fs: SessionFs, path: string, lines: Uint8Array): Promise<void> {
  const native = fs.diskPath(path)
  // Makes the file for its owner alone, and the folders around it.
  const file = await fs.openAppend(path)
  try {
    if (native !== undefined) await appendOnDisk(native, lines)
    else await file.write([lines], await file.size())
    await file.sync()
  } finally {
    await file.close()
  }
}

async function appendOnDisk(native: string, lines: Uint8Array): Promise<void> {
  const file = await open(native, FLAGS)
  try {
    const bytes = (await endsInLine(file)) ? lines : Buffer.concat([Buffer.from('\n'), lines])
    const { bytesWritten } = await file.write(bytes)
    if (bytesWritten !== bytes.length)
      throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written.`)
  } finally {
    await file.close()
  }
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const last = new Uint8Array(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] === NEWLINE
}
