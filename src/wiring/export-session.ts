/** A session as one redacted text, on disk or on stdout. */
import { lstat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { notWritten } from '../engine/disk-error.ts'
import type { Engine } from '../engine/engine.ts'
import { openDisk } from '../fs/disk.ts'
import { encodeText } from '../lib/bytes.ts'
import { openRedactor } from './open-redactor.ts'
import type { ExportWish } from '../surfaces/cli/command.ts'
import { exportSession } from '../surfaces/web/export.ts'
import { readPageStyle } from '../surfaces/web/page-folder.ts'

export async function exportTo(engine: Engine, { id, format, folder, ...wish }: ExportWish) {
  const redactor = await openRedactor(engine.fs)
  const redact = async <T>(value: T) => redactor.redactJson(value).value
  const { name, text } = await exportSession(
    engine,
    { redact, readStyle: readPageStyle },
    id,
    format,
  )
  const file = wish.file ?? (folder === undefined ? undefined : join(folder, name))
  if (file !== undefined)
    await save(file, text).catch((cause: unknown) => {
      throw notWritten(cause)
    })
  return { text, file }
}

/**
 * In one step, and for its owner alone: what is redacted is still its owner's work. A device, a pipe or a link is never
 * replaced by a file: what is written goes where it leads.
 */
async function save(file: string, text: string): Promise<void> {
  const there = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there !== undefined && !there.isFile()) return writeFile(file, text, { mode: 0o600 })
  const folder = openDisk(dirname(file), { ofAnyone: true })
  await folder.writeAtomic(basename(file), encodeText(text), { durable: false })
}
