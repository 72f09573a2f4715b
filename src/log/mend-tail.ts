/**
 * Brings the end of a log into order, so that the next append cannot be glued to half a record. An append
 * that never finished is cut off, and kept aside first; a record without its newline gets it.
 */
import type { EventId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readBackward } from './backward.ts'
import { layout } from '../format/layout.ts'
import { fileName, logPath, sessionFolder } from '../format/paths.ts'
import { copyRange, hashOf, withFile, type Range } from './range.ts'
import type { Finding } from './record.ts'

type MendedEnd = {
  readonly size: number
  readonly lastId: EventId | null
  /** What was wrong with the tail; empty when nothing was. */
  readonly findings: readonly Finding[]
}

export async function mendTail(fs: SessionFs, dir: string): Promise<MendedEnd> {
  const { size, lastId, findings } = await lookAtEnd(fs, dir)
  const torn = findings.find(({ kind }) => kind === 'torn_tail')
  if (torn !== undefined) {
    await keepAside(fs, logPath(dir), torn, sessionFolder(dir, 'torn'))
    await rewriteEnd(fs, dir, { cutAt: torn.start })
    return { size: torn.start, lastId, findings }
  }
  if (findings.some(({ kind }) => kind === 'missing_newline')) {
    await rewriteEnd(fs, dir, { newlineAt: size })
    return { size: size + 1, lastId, findings }
  }
  return { size, lastId, findings: [] }
}

/** Copies a range to `<folder>/<offset>-<hash>.bin`, durably. The same bytes of the same place give the same file. */
export async function keepAside(
  fs: SessionFs,
  path: string,
  range: Range,
  folder: string,
): Promise<string | undefined> {
  return withFile(fs, path, async (file) => {
    const hash = (await hashOf(file, range)).slice(0, 8)
    const name = fileName(layout.session.torn, { offset: range.start, hash })
    await copyRange(fs, file, range, `${folder}/${name}`)
    return name
  })
}

async function lookAtEnd(fs: SessionFs, dir: string): Promise<MendedEnd> {
  const size = (await fs.stat(logPath(dir)))?.size ?? 0
  const tail: Finding[] = []
  let isFirst = true
  for await (const { records, findings } of readBackward(fs, logPath(dir))) {
    if (isFirst) tail.push(...findings)
    isFirst = false
    const [last] = records
    if (last !== undefined) return { size, lastId: last.event.id, findings: tail }
  }
  return { size, lastId: null, findings: tail }
}

async function rewriteEnd(
  fs: SessionFs,
  dir: string,
  { cutAt, newlineAt }: { cutAt?: number; newlineAt?: number },
): Promise<void> {
  const file = await fs.openAppend(logPath(dir))
  try {
    if (cutAt !== undefined) await file.truncate(cutAt)
    if (newlineAt !== undefined) await file.write([Buffer.from('\n')], newlineAt)
    await file.sync()
  } finally {
    await file.close()
  }
}
