/**
 * The folder of a session that another program keeps in our own format, copied into this home under its own id. Its log
 * is taken byte for byte up to its last whole line; damage travels as it is. A longer one makes it longer; one that was
 * changed, or gone on with here, makes a branch beside it.
 */
import type { Event, Stranger } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { inHome, logPath } from '../../format/paths.ts'
import { keepTime } from '../../fs/set-mtime.ts'
import { takeIn } from '../../fs/import-file.ts'
import { defined } from '../../lib/defined.ts'
import type { Fields } from '../../lib/fields.ts'
import { copyLog } from '../../log/copy.ts'
import { hashOf, withFile } from '../../log/range.ts'
import { readLog } from '../../log/read.ts'
import { writeForkOrigin } from '../../workspace/fork-origin.ts'
import { readImportNote, writeImportNote, type ImportNote } from '../../workspace/imported.ts'
import { readMetadata, writeMetadata } from '../../workspace/metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { alone } from '../forget/exclusive.ts'
import { load } from '../live/folded-log.ts'
import { rebuiltFrom } from '../live/mend-metadata.ts'
import { sessionDir } from '../session-dir.ts'
import { rewriteForFork } from '../history/fork-rewrite.ts'
import { buildAside } from './staging.ts'
import type { ImportOutcome } from './import.ts'
import { trash } from './remove.ts'

export type FolderGiven = {
  readonly agent: string
  readonly title: string
  readonly nativeId: string
  readonly idOf: (generation: number) => SessionId
  /** As the system names them. */
  readonly log: string
  readonly files: readonly { readonly from: string; readonly to: string }[]
  readonly isWantedAgain: boolean
  /** Told each event that is copied. */
  readonly onEvent: (event: Event | Stranger) => void
  readonly report: () => Fields
}

type Log = {
  readonly bytes: number
  readonly sha256: string
  readonly events: number
  readonly lastAt: string
}

export async function importFolder(
  engine: EngineContext,
  given: FolderGiven,
): Promise<ImportOutcome> {
  const { fs } = engine
  for (let generation = 0; ; generation++) {
    const id = given.idOf(generation)
    const dir = sessionDir(id)
    if ((await fs.stat(logPath(dir))) === undefined) {
      const isTrashed = (await trash(engine)).some((each) => each.id === id)
      if (isTrashed && !given.isWantedAgain) return { id, outcome: 'deleted', events: 0 }
      const { events } = await buildAside(engine, id, 'importing', async (building) => {
        await fs.remove(building)
        if (generation > 0) await writeForkOrigin(fs, building, given.idOf(0))
        const log = await copyInto(engine, given, building, id)
        await finish(engine, given, building, id, log)
        return log
      })
      return { id, outcome: generation > 0 ? 'branched' : 'imported', events }
    }
    const again = await compare(engine, given, id)
    if (again !== undefined) return again
  }
}

/** Undefined when what is there cannot become what is there now. */
async function compare(
  engine: EngineContext,
  given: FolderGiven,
  id: SessionId,
): Promise<ImportOutcome | undefined> {
  const { fs } = engine
  const dir = sessionDir(id)
  const note = await readImportNote(fs, dir)
  const building = inHome('importing', { id })
  await fs.remove(building)
  try {
    const log = await copyInto(engine, given, building, id)
    const own = (await fs.stat(logPath(dir)))?.size ?? 0
    const shared = Math.min(own, log.bytes, note?.bytes ?? Infinity)
    const isAlike = (await beginning(fs, building, shared)) === (await beginning(fs, dir, shared))
    // As it was taken, however much was said here since.
    const isOld = isAlike && log.bytes === (note?.bytes ?? own)
    if (isOld) return { id, outcome: 'unchanged', events: log.events }
    const isUntouched = own === (note?.bytes ?? own)
    if (!isAlike || !isUntouched || log.bytes < own) return undefined
    return await alone(engine, id, 'import', async () => {
      await fs.copy(logPath(building), logPath(dir))
      await finish(engine, given, dir, id, log)
      engine.changes.tell({ kind: 'imported', id })
      return { id, outcome: 'extended' as const, events: log.events }
    })
  } finally {
    await fs.remove(building)
  }
}

const beginning = (fs: EngineContext['fs'], dir: string, end: number) =>
  withFile(fs, logPath(dir), (file) => hashOf(file, { start: 0, end }))

async function copyInto(
  engine: EngineContext,
  given: FolderGiven,
  building: string,
  id: SessionId,
): Promise<Log> {
  const { fs } = engine
  await takeIn(fs, given.log, logPath(building))
  if (id !== given.nativeId) await renameIn(engine, given, building, id)
  let events = 0
  let end = 0
  let lastAt = engine.clock().toISOString()
  for await (const { records } of readLog(fs, logPath(building)))
    for (const { event, end: at } of records) {
      events += 1
      end = at
      lastAt = event.timestamp
      given.onEvent(event)
    }
  const file = await fs.openAppend(logPath(building))
  try {
    const size = await file.size()
    // A line that is still being written stays behind; damage between lines does not.
    const whole = (await endsInLine(fs, building, size)) ? size : Math.max(end, 0)
    if (whole < size) await file.truncate(whole)
    await file.sync()
  } finally {
    await file.close()
  }
  await keepTime(fs, logPath(building), lastAt)
  const sha256 = await withFile(fs, logPath(building), (read) =>
    hashOf(read, { start: 0, end: read.size }),
  )
  const bytes = (await fs.stat(logPath(building)))?.size ?? 0
  return { bytes, sha256: sha256 ?? '', events, lastAt }
}

async function endsInLine(fs: EngineContext['fs'], dir: string, size: number): Promise<boolean> {
  const last = new Uint8Array(1)
  await withFile(fs, logPath(dir), (file) => file.read(last, size - 1))
  return last[0] === 0x0a
}

/** A branch has an id of its own; every other line is as it was. */
async function renameIn(
  { fs }: EngineContext,
  given: FolderGiven,
  building: string,
  id: SessionId,
): Promise<void> {
  const from = { id: given.nativeId as SessionId, folder: given.log.replace(/[/\\][^/\\]+$/, '') }
  const renamed = `${building}/log`
  await copyLog(fs, logPath(building), renamed, {
    onlyLinesContaining: given.nativeId,
    rewriteLine: rewriteForFork({
      from,
      to: { id, folder: fs.nativePath(sessionDir(id)), startTime: '1970-01-01T00:00:00.000Z' },
    }),
  })
  await fs.copy(renamed, logPath(building))
  await fs.remove(renamed)
}

async function finish(
  engine: EngineContext,
  given: FolderGiven,
  dir: string,
  id: SessionId,
  log: Log,
): Promise<void> {
  const { fs } = engine
  for (const { from, to } of given.files) await takeIn(fs, from, `${dir}/${to}`)
  const read = await readMetadata(fs, dir)
  if ('file' in read && read.file.id !== id) await writeMetadata(fs, dir, { ...read.file, id })
  // A flat log of early versions comes without one.
  if ('missing' in read)
    await writeMetadata(fs, dir, rebuiltFrom(engine, id, (await load(fs, dir)).folder.state()))
  const note: ImportNote = {
    version: 1,
    agent: given.agent,
    title: given.title,
    nativeId: given.nativeId,
    importedAt: engine.clock().toISOString(),
    ...log,
    context: {},
    report: given.report(),
    ...defined({ branch: id === given.nativeId ? undefined : 'changed' }),
  }
  await writeImportNote(fs, dir, note)
}
