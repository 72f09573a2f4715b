/**
 * Whether what a rewind removed is as it was written: by its length and its hash; in an entry of an earlier version,
 * which has no hash, by its length, its events and their chain.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import type { Fault } from '../lib/fault.ts'
import { grouped } from '../lib/grouped.ts'
import { hashOf, withFile } from './range.ts'
import { readLog } from './read.ts'
import {
  bytesPath,
  isHeldByLog,
  lookAtRewound,
  metaPath,
  type RewoundEntry,
  type RewoundLook,
} from './undo-log.ts'

/** Whatever a rewind left behind that never came to its cut is no fault: the next writer removes it. */
export async function* checkRewound(fs: SessionFs, dir: string): AsyncGenerator<Fault> {
  for (const look of await lookAtRewound(fs, dir)) {
    if (!(look.hasBytes && look.hasAbout) && (await isHeldByLog(fs, dir, look))) continue
    const fault = await faultOf(fs, dir, look)
    if (fault !== undefined)
      yield { ...fault, kind: 'damaged', problem: `${fault.problem}: that undo cannot be redone` }
    else if (look.about?.sha256 === undefined)
      yield { path: metaPath(dir, look.entry), kind: 'unchecked', problem: 'has no hash' }
  }
}

type RewoundFault = {
  readonly path: string
  readonly kind: 'missing' | 'altered' | 'cut'
  /** Goes on behind the name of the file. */
  readonly problem: string
}

/** Undefined when it can be brought back as it was. Reads all of it. */
export async function faultOf(
  fs: SessionFs,
  dir: string,
  { entry, hasBytes, hasAbout, about }: RewoundLook,
): Promise<RewoundFault | undefined> {
  const path = bytesPath(dir, entry)
  if (!hasBytes) return { path, kind: 'missing', problem: 'is gone' }
  if (!hasAbout) return { path: metaPath(dir, entry), kind: 'missing', problem: 'is gone' }
  if (about === undefined)
    return { path: metaPath(dir, entry), kind: 'altered', problem: 'is not as it was written' }
  const { removedBytes, sha256 } = about
  const found = await withFile(fs, path, async (file) => ({
    size: file.size,
    sha256: sha256 && (await hashOf(file, { start: 0, end: file.size })),
  }))
  const size = found?.size ?? 0
  if (size !== removedBytes) {
    const kind = size < removedBytes ? 'cut' : 'altered'
    return { path, kind, problem: `has ${grouped(size)} bytes of ${grouped(removedBytes)}` }
  }
  const isRight = sha256 === undefined ? await fits(fs, path, about) : found?.sha256 === sha256
  return isRight ? undefined : { path, kind: 'altered', problem: 'is not as it was written' }
}

async function fits(
  fs: SessionFs,
  path: string,
  { upToEventId, lastKeptId, eventsRemoved }: RewoundEntry,
): Promise<boolean> {
  let first: string | undefined
  let events = 0
  for await (const { records, findings } of readLog(fs, path, { previousId: lastKeptId })) {
    if (findings.some(({ kind }) => kind === 'chain_break')) return false
    first ??= records[0]?.event.id
    events += records.length
  }
  return first === upToEventId && events === eventsRemoved
}
