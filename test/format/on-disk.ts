/** A home in a temporary folder, a session in it, and what tests of the format do with both. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts'
import type { Agent, Turn } from '../../src/engine/agent.ts'
import { serialise, type Draft, type Event } from '../../src/format/event.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { openLog, type OpenLogOptions, type SessionLog } from '../../src/log/open.ts'
import { readLog, type ReadOptions } from '../../src/log/read.ts'
import type { Finding, LogRecord } from '../../src/log/record.ts'
import { SESSION, answered, eventId, logOf, said, started } from '../log-of.ts'

export const ID = SESSION as SessionId
export const DIR = `session-state/${ID}`
export const LOG = `${DIR}/events.jsonl`

export type Home = {
  readonly folder: string
  readonly fs: SessionFs
  /** The full path of something in the home. */
  file(path: string): string
  write(path: string, bytes: string | Uint8Array): void
  text(path: string): string
  /** Names in a folder, sorted; none when it is missing. */
  names(path: string): string[]
}

export async function inHome(body: (home: Home) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-format-'))
  const file = (path: string) => join(folder, path)
  try {
    await body({
      folder,
      fs: openDisk(folder, { pollMs: 20 }),
      file,
      write: (path, bytes) => {
        mkdirSync(dirname(file(path)), { recursive: true, mode: 0o700 })
        writeFileSync(file(path), bytes, { mode: 0o600 })
      },
      text: (path) => readFileSync(file(path), 'utf8'),
      names: (path) => namesIn(file(path)),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** The lines of a log made from drafts, without their ends. */
export const linesOf = (drafts: Parameters<typeof logOf>[0]): string[] =>
  logOf(drafts).map(({ event }) => {
    if (!('stranger' in event)) return serialise(event as Event)
    const { stranger: _, ...rest } = event
    return JSON.stringify(rest)
  })

export const inLines = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('')

/** Two turns: start, question, answer, question, answer. Event n has `eventId(n)`. */
export const twoTurns: readonly Draft[] = [
  started(),
  said('first question'),
  answered('first answer'),
  said('second question'),
  answered('second answer'),
]

export async function readAll(
  fs: SessionFs,
  path: string,
  options: ReadOptions = {},
): Promise<{ records: LogRecord[]; findings: Finding[] }> {
  const all = { records: [] as LogRecord[], findings: [] as Finding[] }
  for await (const { records, findings } of readLog(fs, path, options)) {
    all.records.push(...records)
    all.findings.push(...findings)
  }
  return all
}

export const idsOf = (records: readonly LogRecord[]): string[] =>
  records.map(({ event }) => event.id)

export const kindsOf = (findings: readonly Finding[]): string[] => findings.map(({ kind }) => kind)

/** Ids that nothing in `linesOf` has. */
export const freshIds = (): (() => string) => {
  let next = 1000
  return () => eventId(next++)
}

export const openWriter = (
  fs: SessionFs,
  options: Partial<OpenLogOptions> = {},
): Promise<SessionLog> =>
  openLog(fs, DIR, {
    durability: 'synced',
    clock: () => new Date('2026-03-02T10:00:00.000Z'),
    newId: freshIds(),
    onTrouble: () => {},
    onRecovered: () => {},
    ...options,
  })

/** Answers every message with one sentence, or as the test says. */
export const scripted = (
  run: (turn: Turn) => AsyncIterable<{ draft: Draft }> = answering,
): Agent => ({
  name: 'scripted',
  run,
})

async function* answering({ turnId }: Turn): AsyncIterable<{ draft: Draft }> {
  yield { draft: { type: 'assistant.turn_start', data: { turnId } } }
  yield { draft: answered('An answer.') }
  yield { draft: { type: 'assistant.turn_end', data: { turnId } } }
}

/** An engine that is stopped when the work is done. */
export async function withEngine<T>(
  fs: SessionFs,
  work: (engine: Engine) => Promise<T>,
  options: Partial<EngineOptions> = {},
): Promise<T> {
  const engine = createEngine({ cwd: process.cwd(), fs, agent: scripted(), ...options })
  try {
    return await work(engine)
  } finally {
    await engine.stop()
  }
}

export const event = (number: number): EventId => eventId(number)
