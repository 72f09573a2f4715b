/** Reads a log as `readLog` does, and also leaves out records that stand twice anywhere in it. For doctors: it costs more. */
import type { SessionFs } from '../fs/session-fs.ts'
import { isSame } from './continuity.ts'
import type { Range } from './range.ts'
import { readLog } from './read.ts'
import { finding, type Finding, type LogBatch, type LogRecord } from './record.ts'
import { createSeenIds } from './seen-ids.ts'

export async function* readWholeLog(
  fs: SessionFs,
  path: string,
  options: { readonly sessionId?: string } = {},
): AsyncGenerator<LogBatch, void, void> {
  const file = await fs.openRead(path)
  if (file === undefined) return
  const seen = createSeenIds()
  try {
    for await (const batch of readLog(fs, path, { ...options, to: file.size })) {
      const repeated = new Map<LogRecord, Range>()
      for (const record of batch.records) {
        const first = seen.meet(record.event.id, record)
        if (first !== undefined && (await isSame(file, first, record))) repeated.set(record, first)
      }
      yield repeated.size === 0 ? batch : without(batch, repeated)
    }
  } finally {
    await file.close()
  }
}

function without(batch: LogBatch, repeated: Map<LogRecord, Range>): LogBatch {
  const starts = new Set([...repeated.keys()].map(({ start }) => start))
  const findings: Finding[] = batch.findings.filter(({ start }) => !starts.has(start))
  for (const [record, first] of repeated) {
    findings.push(finding('duplicate', record, true, `the record at byte ${first.start} again`))
  }
  return { ...batch, records: batch.records.filter((record) => !repeated.has(record)), findings }
}
