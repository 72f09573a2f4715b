/**
 * Parts of a session that rewinds took away and that it has gone on without: each is a branch, which begins where the
 * log was cut then. One that hangs on another branch is found, too: its beginning lies in the part that holds it.
 */
import type { EventId } from '../../format/ids.ts'
import { logPath } from '../../format/paths.ts'
import { decodeText } from '../../lib/bytes.ts'
import { readRange, withFile } from '../../log/range.ts'
import { readLog } from '../../log/read.ts'
import type { LogRecord } from '../../log/record.ts'
import { bytesPath, listRewound, type RewoundEntry } from '../../log/undo-log.ts'
import { NEWLINE } from '../../log/split.ts'
import { preview } from '../../state/preview.ts'
import { startsTurn } from '../../state/turns.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'

export type RewoundBranch = {
  /** By which it is asked for. */
  readonly number: number
  /** The message that it begins with, in short. */
  readonly prompt: string
  readonly turns: number
  readonly rewoundAt: string
}

/** Bytes of one file, from its beginning on. */
export type LogPart = { readonly path: string; readonly end: number }

const LONGEST_PROMPT = 200

/** Newest first. */
export async function rewoundBranches(
  { fs }: EngineContext,
  { dir }: { readonly dir: string },
): Promise<readonly RewoundBranch[]> {
  const entries = await listRewound(fs, dir)
  const branches: RewoundBranch[] = []
  for (const entry of entries.toReversed()) {
    const prompts: string[] = []
    for await (const { event } of recordsIn(fs, bytesPath(dir, entry.entry), entry)) {
      if ('stranger' in event || event.type !== 'user.message' || !startsTurn(event)) continue
      prompts.push(event.data.content)
    }
    const [first] = prompts
    const isReachable = first !== undefined && (await beginningOf(fs, dir, entry)) !== undefined
    if (isReachable)
      branches.push({
        number: Number(entry.entry),
        prompt: preview(first, LONGEST_PROMPT),
        turns: prompts.length,
        rewoundAt: entry.rewoundAt,
      })
  }
  return branches
}

/** All of a branch, in order: what was kept of the log, then what was taken away. Says when its own part began. */
export async function partsOfBranch(
  { fs }: EngineContext,
  { dir }: { readonly dir: string },
  number: number,
): Promise<{ readonly parts: readonly LogPart[]; readonly beganAt: string }> {
  const entry = (await listRewound(fs, dir)).find((each) => Number(each.entry) === number)
  const beginning = entry && (await beginningOf(fs, dir, entry))
  if (entry === undefined || beginning === undefined)
    throw new EngineError(
      'not_found',
      `Nothing that was taken back has the number ${number}. Nothing was forked.`,
    )
  const path = bytesPath(dir, entry.entry)
  let beganAt = entry.rewoundAt
  for await (const { event } of recordsIn(fs, path, entry)) {
    beganAt = event.timestamp
    break
  }
  return { parts: [...beginning, { path, end: entry.removedBytes }], beganAt }
}

type Fs = EngineContext['fs']

/** Undefined when what it hung on is gone. */
async function beginningOf(
  fs: Fs,
  dir: string,
  { entry, cutAt, lastKeptId }: RewoundEntry,
): Promise<readonly LogPart[] | undefined> {
  if (lastKeptId === null) return undefined
  if (await endsWith(fs, { path: logPath(dir), end: cutAt }, lastKeptId))
    return [{ path: logPath(dir), end: cutAt }]
  // A later rewind took away what it hangs on.
  for (const later of await listRewound(fs, dir)) {
    const end = cutAt - later.cutAt
    const part = { path: bytesPath(dir, later.entry), end }
    if (Number(later.entry) <= Number(entry) || end <= 0 || end > later.removedBytes) continue
    if (!(await endsWith(fs, part, lastKeptId))) continue
    const beginning = await beginningOf(fs, dir, later)
    return beginning && [...beginning, part]
  }
  return undefined
}

/** Whether the line before this place is the event. Only that line is read. */
async function endsWith(fs: Fs, { path, end }: LogPart, id: EventId): Promise<boolean> {
  const found = await withFile(fs, path, async (file) => {
    if (end > file.size) return false
    for (let size = FIRST_LOOK; ; size *= 4) {
      const start = Math.max(0, end - size)
      const bytes = await readRange(file, { start, end })
      const before = bytes.subarray(0, -1).lastIndexOf(NEWLINE)
      if (before !== -1 || start === 0) return isEvent(bytes.subarray(before + 1), id)
    }
  })
  return found ?? false
}

const FIRST_LOOK = 64 * 1024

function isEvent(line: Uint8Array, id: EventId): boolean {
  try {
    return (JSON.parse(decodeText(line)) as { id?: unknown }).id === id
  } catch {
    // A line that is no event is not this one.
    return false
  }
}

async function* recordsIn(
  fs: Fs,
  path: string,
  { lastKeptId }: RewoundEntry,
): AsyncGenerator<LogRecord> {
  for await (const { records } of readLog(fs, path, { previousId: lastKeptId })) yield* records
}
