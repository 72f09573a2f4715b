/**
 * Brings back what the last rewind removed, in one step: while an intent stands beside the log, readers see
 * the log as it was before, and the process that opens it next either finishes the work or takes it back.
 */
import { z } from 'zod'
import type { EventId } from '../format/ids.ts'
import type { AppendFile, ReadFile, SessionFs } from '../fs/session-fs.ts'
import type { Appender } from './append.ts'
import { LogMoved, NothingToRedo, RewoundDamaged } from './errors.ts'
import { keepAside } from './mend-tail.ts'
import { inSession, logPath, sessionFolder } from '../format/paths.ts'
import { chunksOf, startsWithBytesOf, withFile } from './range.ts'
import { readLog } from './read.ts'
import type { LogRecord } from './record.ts'
import { bytesPath, lookAtRewound, parseJson, removeEntry, type RewoundEntry } from './undo-log.ts'
import { faultOf } from './undo-log-check.ts'
import type { Skim } from './fast-parse.ts'

export type Redone = { readonly eventsRestored: number }

export type RedoOptions = {
  /** Is given what is back, in portions and in order, before anything else can be appended. */
  readonly onRestored?: (records: readonly LogRecord[]) => void
  readonly skim?: Skim
}

const Intent = z.object({ entry: z.string().regex(/^\d{3,}$/), from: z.int(), to: z.int() })
type Intent = z.output<typeof Intent>

export async function redo(
  fs: SessionFs,
  dir: string,
  appender: Appender,
  options: RedoOptions = {},
): Promise<Redone> {
  return appender.alone(async (open, end) => {
    const { size, lastId } = end
    const newest = await redoable(fs, dir, end)
    const intent = { entry: newest.entry, from: size, to: size + newest.removedBytes }
    const file = await open()
    await writeIntent(fs, dir, intent)
    try {
      await appendEntry(fs, dir, file, intent)
    } catch (cause) {
      await takeBack(fs, dir, intent).catch(() => {
        // With the intent in place, whatever were appended now would be taken for the rest of the redo.
        throw new LogMoved(logPath(dir), 'a redo failed and could not be taken back')
      })
      throw cause
    }
    await removeEntry(fs, dir, intent.entry)
    await clearIntent(fs, dir)
    const told = await tell(fs, dir, intent, lastId, options)
    return {
      size: intent.to,
      lastId: told.lastId,
      result: { eventsRestored: told.eventsRestored },
    }
  })
}

/** What a redo would bring back to a log that ends here, as it was removed. Throws when there is nothing. */
export async function redoable(
  fs: SessionFs,
  dir: string,
  { size, lastId }: { readonly size: number; readonly lastId: EventId | null },
): Promise<RewoundEntry> {
  const newest = (await lookAtRewound(fs, dir)).at(-1)
  if (newest === undefined) throw new NothingToRedo('nothing was rewound')
  const { about } = newest
  if (about !== undefined && (size !== about.cutAt || lastId !== about.lastKeptId)) {
    throw new NothingToRedo('the session has gone on since')
  }
  const fault = await faultOf(fs, dir, newest)
  if (about === undefined || fault !== undefined)
    throw new RewoundDamaged(fs.nativePath(fault?.path ?? dir), fault?.problem ?? 'is damaged')
  return about
}

/** How much of the log counts now. A redo that is under way has not happened yet. */
export async function readableSize(fs: SessionFs, dir: string): Promise<number> {
  // In this order: bytes of a redo are in the size only after its intent is there to be seen.
  const size = (await fs.stat(logPath(dir)))?.size ?? 0
  const intent = await readIntent(fs, dir)
  return intent === undefined ? size : Math.min(size, intent.from)
}

export async function hasRedoIntent(fs: SessionFs, dir: string): Promise<boolean> {
  return (await readIntent(fs, dir)) !== undefined
}

/** Finishes a redo whose bytes are all there, and takes back one whose bytes are not. */
export async function settleRedo(fs: SessionFs, dir: string): Promise<void> {
  const intent = await readIntent(fs, dir)
  if (intent === undefined) return
  if (!(await isComplete(fs, dir, intent))) return takeBack(fs, dir, intent)
  await endAt(fs, dir, intent.to)
  await removeEntry(fs, dir, intent.entry)
  await clearIntent(fs, dir)
}

/** Bytes that are not of the redo are kept aside: a program that knows nothing of it may have written them. */
async function takeBack(fs: SessionFs, dir: string, { entry, from }: Intent): Promise<void> {
  const size = (await fs.stat(logPath(dir)))?.size ?? 0
  const isOurs = await withFile(fs, logPath(dir), (log) =>
    withFile(fs, bytesPath(dir, entry), (bytes) =>
      startsWithBytesOf(log, from, bytes, Math.max(0, size - from)),
    ),
  )
  if (isOurs !== true && size > from) {
    await keepAside(fs, logPath(dir), { start: from, end: size }, sessionFolder(dir, 'torn'))
  }
  await endAt(fs, dir, from)
  await clearIntent(fs, dir)
}

/** Through a handle of its own: one whose sync failed must not be asked again. */
async function endAt(fs: SessionFs, dir: string, atMost: number): Promise<void> {
  const file = await fs.openAppend(logPath(dir))
  try {
    if ((await file.size()) > atMost) await file.truncate(atMost)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The entry is removed only after its bytes are durable in the log: without it there is nothing left to do. */
async function isComplete(
  fs: SessionFs,
  dir: string,
  { entry, from, to }: Intent,
): Promise<boolean> {
  const same = await withFile(fs, bytesPath(dir, entry), async (bytes) => {
    const compare = (log: ReadFile) => startsWithBytesOf(log, from, bytes, to - from)
    return (await withFile(fs, logPath(dir), compare)) ?? false
  })
  return same ?? true
}

async function appendEntry(
  fs: SessionFs,
  dir: string,
  file: AppendFile,
  { entry, from }: Intent,
): Promise<void> {
  await withFile(fs, bytesPath(dir, entry), async (bytes) => {
    let position = from
    for await (const chunk of chunksOf(bytes, { start: 0, end: bytes.size })) {
      await file.write([chunk], position)
      position += chunk.length
    }
  })
  await file.sync()
}

async function tell(
  fs: SessionFs,
  dir: string,
  { from, to }: Intent,
  previousId: EventId | null,
  { onRestored, ...options }: RedoOptions,
): Promise<{ lastId: EventId | null; eventsRestored: number }> {
  let lastId = previousId
  let eventsRestored = 0
  for await (const { records } of readLog(fs, logPath(dir), { ...options, from, to, previousId })) {
    lastId = records.at(-1)?.event.id ?? lastId
    eventsRestored += records.length
    onRestored?.(records)
  }
  return { lastId, eventsRestored }
}

async function readIntent(fs: SessionFs, dir: string): Promise<Intent | undefined> {
  const bytes = await fs.read(inSession(dir, 'redoIntent'))
  return bytes && parseJson(bytes, Intent)
}

const writeIntent = (fs: SessionFs, dir: string, intent: Intent): Promise<void> =>
  fs.writeAtomic(inSession(dir, 'redoIntent'), Buffer.from(JSON.stringify(intent)), {
    durable: true,
  })

/**
 * Overwritten before it is removed: a removal may be undone by a power cut, and an intent that came back
 * would take away what was written since.
 */
async function clearIntent(fs: SessionFs, dir: string): Promise<void> {
  await fs.writeAtomic(inSession(dir, 'redoIntent'), Buffer.from('{}'), { durable: true })
  await fs.remove(inSession(dir, 'redoIntent'))
}
