/**
 * Mends a log: a copy in which every record stands whole on a line of its own takes its place in one step.
 * Lines that are sound are copied byte for byte; what no record could be made of is kept aside, and the log as
 * it was too. The report says exactly what was lost. A sound log is left alone.
 *
 * The caller holds the right to write, and has no appender open.
 */
import { serialise, type DraftOf, type Event } from '../format/event.ts'
import { asEventId } from '../format/ids.ts'
import type { AppendFile, ReadFile, SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { requireLease, type Fence } from './durable-file.ts'
import { isLoss } from './inspect.ts'
import { textOf } from './parse-record.ts'
import { keepAside } from './mend-tail.ts'
import { layout } from '../format/layout.ts'
import { inSession, logPath, readName, sessionFolder } from '../format/paths.ts'
import { chunksOf, copyRange, readRange, withFile, type Range } from './range.ts'
import { readWholeLog } from './read-whole.ts'
import type { Finding, FindingKind, LogBatch, LogRecord } from './record.ts'
import { settleRedo } from './redo.ts'
import { settleRewound } from './undo-log.ts'
import { NEWLINE } from './split.ts'

export type MendOptions = {
  /** Rebuilds a missing session.start. Without it, a log without a start stays without one. */
  readonly start?: DraftOf<'session.start'>
  readonly clock: () => Date
  readonly newId: () => string
  readonly fence?: Fence
}

export type MendReport = {
  readonly changed: boolean
  readonly events: number
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly startRebuilt: boolean
  /** Everything that was set right without a loss. */
  readonly recovered: readonly Finding[]
  /** Bytes that are no longer in the log, and the file that keeps them. */
  readonly lost: readonly (Finding & { readonly keptAs: string })[]
  /** The log as it was. */
  readonly original?: string
}

export async function mendLog(
  fs: SessionFs,
  dir: string,
  options: MendOptions,
): Promise<MendReport> {
  await requireLease(options.fence)
  await settleRedo(fs, dir)
  await settleRewound(fs, dir)
  const ills = await examine(fs, dir)
  const start = ills.hasStart ? undefined : rebuiltStart(ills.first, options)
  const wrong = ills.findings.filter(({ kind }) => MENDABLE.has(kind))
  const bytesBefore = (await fs.stat(logPath(dir)))?.size ?? 0
  if (wrong.length === 0 && start === undefined) {
    const { events } = ills
    return {
      changed: false,
      events,
      bytesBefore,
      bytesAfter: bytesBefore,
      startRebuilt: false,
      recovered: [],
      lost: [],
    }
  }
  const lost: (Finding & { keptAs: string })[] = []
  const folder = sessionFolder(dir, 'quarantined')
  for (const loss of wrong.filter(isLoss)) {
    const name = await keepAside(fs, logPath(dir), loss, folder)
    lost.push({ ...loss, keptAs: `${folder.slice(dir.length + 1)}/${name}` })
  }
  const bytesAfter = await writeMended(fs, dir, start)
  const original = await keepOriginal(fs, dir)
  await requireLease(options.fence)
  await fs.remove(inSession(dir, 'snapshot'))
  await putInPlace(fs, dir)
  return {
    changed: true,
    events: ills.events + (start === undefined ? 0 : 1),
    bytesBefore,
    bytesAfter,
    startRebuilt: start !== undefined,
    recovered: wrong.filter((each) => !isLoss(each)),
    lost,
    ...defined({ original }),
  }
}

/** What a copy can set right. A broken chain and a wrong shape are facts of the history and stay. */
const MENDABLE: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'bom',
  'nul',
  'glued',
  'half',
  'damaged',
  'invalid_utf8',
  'duplicate',
  'torn_tail',
  'missing_newline',
])

async function examine(fs: SessionFs, dir: string) {
  const findings: Finding[] = []
  let events = 0
  let hasStart = false
  let first: LogRecord | undefined
  for await (const batch of readWholeLog(fs, logPath(dir))) {
    first ??= batch.records[0]
    events += batch.records.length
    hasStart ||= batch.records.some(({ event }) => event.type === 'session.start')
    for (const each of batch.findings) findings.push(each)
  }
  return { findings, events, hasStart, first }
}

/** It takes the id that the first record names as its parent, so that the chain is whole again. */
function rebuiltStart(first: LogRecord | undefined, options: MendOptions): string | undefined {
  if (options.start === undefined) return undefined
  const event: Event = {
    ...options.start,
    id: first?.event.parentId ?? asEventId(options.newId()),
    timestamp: first?.event.timestamp ?? options.clock().toISOString(),
    parentId: null,
  }
  return `${serialise(event)}\n`
}

async function writeMended(fs: SessionFs, dir: string, start: string | undefined): Promise<number> {
  const target = await fs.openAppend(inSession(dir, 'mending'))
  try {
    if ((await target.size()) > 0) await target.truncate(0)
    const out = createWriter(target)
    if (start !== undefined) await out.put(Buffer.from(start))
    await withFile(fs, logPath(dir), async (log) => {
      for await (const batch of readWholeLog(fs, logPath(dir))) await writeBatch(log, batch, out)
    })
    await target.sync()
    return out.size()
  } finally {
    await target.close()
  }
}

type Writer = { put(bytes: Uint8Array): Promise<void>; size(): number }

function createWriter(target: AppendFile): Writer {
  let position = 0
  return {
    async put(bytes) {
      await target.write([bytes], position)
      position += bytes.length
    },
    size: () => position,
  }
}

/** Sound batches go out in long runs; in the others each record is looked at. */
async function writeBatch(log: ReadFile, batch: LogBatch, out: Writer): Promise<void> {
  const wrong = batch.findings.filter(({ kind }) => MENDABLE.has(kind))
  if (wrong.length === 0) {
    for (const run of runsOf(batch.records)) {
      for await (const chunk of chunksOf(log, run)) await out.put(chunk)
    }
    return
  }
  for (const record of batch.records) {
    const bytes = await readRange(log, record)
    const isTouched = wrong.some(({ start, end }) => start < record.end && end > record.start)
    await out.put(isTouched || bytes.at(-1) !== NEWLINE ? Buffer.from(`${textOf(bytes)}\n`) : bytes)
  }
}

function runsOf(records: readonly LogRecord[]): Range[] {
  const runs: { start: number; end: number }[] = []
  for (const { start, end } of records) {
    const last = runs.at(-1)
    if (last?.end === start) last.end = end
    else runs.push({ start, end })
  }
  return runs
}

async function keepOriginal(fs: SessionFs, dir: string): Promise<string | undefined> {
  const numbers = (await fs.list(sessionFolder(dir, 'beforeMend'))).map(({ name }) =>
    Number(readName(layout.session.beforeMend, name)?.n ?? 0),
  )
  const path = inSession(dir, 'beforeMend', { n: Math.max(0, ...numbers) + 1 })
  return withFile(fs, logPath(dir), async (log) => {
    await copyRange(fs, log, { start: 0, end: log.size }, path)
    return path.slice(dir.length + 1)
  })
}

/** A copy replaces what is there in one durable step; a move does not, but is durable where nothing is. */
async function putInPlace(fs: SessionFs, dir: string): Promise<void> {
  if ((await fs.stat(logPath(dir))) === undefined) {
    await fs.rename(inSession(dir, 'mending'), logPath(dir))
    return
  }
  await fs.copy(inSession(dir, 'mending'), logPath(dir))
  await fs.remove(inSession(dir, 'mending'))
}
