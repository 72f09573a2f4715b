/** Logs for tests: events with predictable ids, and a file system whose process dies at a chosen step. */
import type { Draft } from '../../src/format/event.ts'
import type { EventId } from '../../src/format/ids.ts'
import { openMemory, type MemoryFs } from '../../src/fs/memory.ts'
import type { AppendFile, SessionFs } from '../../src/fs/session-fs.ts'
import { openLog, type OpenLogOptions, type SessionLog } from '../../src/log/open.ts'
import { readLog, type ReadOptions } from '../../src/log/read.ts'
import type { Finding, LogRecord } from '../../src/log/record.ts'

export const DIR = 'session-state/5e551011-0000-4000-8000-000000000000'
export const LOG = `${DIR}/events.jsonl`
export const SESSION = '5e551011-0000-4000-8000-000000000000'

export const idOf = (number: number): EventId =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as EventId

/** Ids that count up from 1. */
export function countingIds(from = 1): () => string {
  let next = from
  return () => idOf(next++)
}

export const startDraft: Draft = {
  type: 'session.start',
  data: {
    sessionId: SESSION,
    version: 1,
    producer: 'test',
    copilotVersion: '0',
    startTime: '2026-01-01T00:00:00.000Z',
  },
}

export const message = (content: string): Draft => ({ type: 'user.message', data: { content } })

/** One line without its newline. */
export const lineOf = (number: number, fields: object = {}): string =>
  JSON.stringify({
    type: 'user.message',
    data: { content: `message ${number}` },
    id: idOf(number),
    timestamp: '2026-01-01T00:00:00.000Z',
    parentId: number === 1 ? null : idOf(number - 1),
    ...fields,
  })

export const startLine = (): string => lineOf(1, startDraft)

export const openSample = (
  fs: SessionFs,
  options: Partial<OpenLogOptions> = {},
): Promise<SessionLog> =>
  openLog(fs, DIR, {
    durability: 'synced',
    clock: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: countingIds(),
    onTrouble: () => {},
    onRecovered: () => {},
    limits: { firstRetryMs: 0, maxRetryMs: 0 },
    ...options,
  })

export async function readAll(
  fs: SessionFs,
  options: ReadOptions = {},
): Promise<{ records: LogRecord[]; findings: Finding[] }> {
  const records: LogRecord[] = []
  const findings: Finding[] = []
  for await (const batch of readLog(fs, LOG, options)) {
    records.push(...batch.records)
    findings.push(...batch.findings)
  }
  return { records, findings }
}

export const idsIn = async (fs: SessionFs): Promise<string[]> =>
  (await readAll(fs)).records.map(({ event }) => event.id)

export const writeLog = (fs: SessionFs, bytes: string | Uint8Array): Promise<void> =>
  fs.writeAtomic(LOG, Buffer.from(bytes as string), { durable: true })

export const logText = async (fs: SessionFs): Promise<string> =>
  Buffer.from((await fs.read(LOG)) ?? []).toString()

/** Counts steps that change something. The nth does not happen, and nothing after it: the process is dead. */
export function dyingAt(fs: SessionFs, nth: number): { fs: SessionFs; steps: () => number } {
  let count = 0
  const step = (): void => {
    count += 1
    if (count >= nth) throw new Error('killed')
  }
  const wrapFile = (file: AppendFile): AppendFile => ({
    identity: file.identity,
    size: () => file.size(),
    write: async (chunks, position) => {
      try {
        step()
      } catch (cause) {
        // A write that is interrupted may have written its first part.
        const half = Buffer.concat(chunks)
        if (count === nth) await file.write([half.subarray(0, half.length / 2)], position)
        throw cause
      }
      await file.write(chunks, position)
    },
    sync: async () => (step(), file.sync()),
    truncate: async (size) => (step(), file.truncate(size)),
    close: () => file.close(),
  })
  const wrapped: SessionFs = {
    ...fs,
    openAppend: async (path) => (step(), wrapFile(await fs.openAppend(path))),
    writeAtomic: async (path, bytes, options) => (step(), fs.writeAtomic(path, bytes, options)),
    rename: async (from, to) => (step(), fs.rename(from, to)),
    remove: async (path) => (step(), fs.remove(path)),
    copy: async (from, to) => (step(), fs.copy(from, to)),
  }
  return { fs: wrapped, steps: () => count }
}

/**
 * Runs work on a fresh home that dies at the first step, then at the second, until it comes to its end; each
 * time the process is killed, and then again with the power cut. `check` gets what is left.
 */
export async function atEveryStep<T>(scenario: {
  prepare?: (fs: SessionFs) => Promise<void>
  work: (fs: SessionFs) => Promise<T>
  check: (fs: MemoryFs, outcome: T | undefined, place: string) => Promise<void>
}): Promise<number> {
  for (let nth = 1; ; nth++) {
    let isDone = true
    for (const end of ['killed', 'power cut']) {
      const memory = openMemory()
      await scenario.prepare?.(memory)
      const dying = dyingAt(memory, nth)
      const outcome = await scenario.work(dying.fs).catch(() => undefined)
      if (dying.steps() >= nth) isDone = false
      const left = end === 'killed' ? memory : memory.crash()
      await scenario.check(left, outcome, `${end} at step ${nth}`)
    }
    if (isDone) return nth - 1
  }
}
