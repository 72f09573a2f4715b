/**
 * The first records of a log: who began it, where, and what was asked first. Reads 64 KiB at most, and of these
 * only the lines that can tell: a line that says to be of another type is passed over unread.
 */
import type { EventOf } from '../../format/event.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { readLines, readTail } from '../../log/line.ts'
import { readRange, withFile } from '../../log/range.ts'
import type { Gathered } from '../../log/record.ts'
import { NEWLINE } from '../../log/split.ts'
import { agentIn, SAYS_WHO } from '../../state/who-answers.ts'
import { startsTurn } from '../../state/turns.ts'

export type LogHead = {
  readonly start: EventOf<'session.start'> | undefined
  readonly firstPrompt: string | undefined
  /** What a person ran first, without asking the agent. */
  readonly firstCommand: string | undefined
  /** Who answers, as far as the head tells. */
  readonly agent: string | undefined
  /** Undefined when the log goes on beyond its head. */
  readonly turns: number | undefined
}

const HEAD_BYTES = 64 * 1024

export async function readLogHead(fs: SessionFs, path: string, size: number): Promise<LogHead> {
  const isWhole = size <= HEAD_BYTES
  const range = { start: 0, end: Math.min(size, HEAD_BYTES) }
  const bytes = await withFile(fs, path, (file) => readRange(file, range))
  let start: LogHead['start']
  let firstPrompt: string | undefined
  let firstCommand: string | undefined
  let agent: string | undefined
  let turns = 0
  for (const { event } of recordsOf(bytes ?? Buffer.alloc(0), isWhole)) {
    if ('stranger' in event) continue
    if (event.type === 'session.start') start ??= event
    if (SAYS_WHO.has(event.type)) agent = agentIn(event.data) ?? agent
    if (event.type === 'tool.user_requested') firstCommand ??= commandOf(event)
    if (event.type !== 'user.message' || !startsTurn(event)) continue
    firstPrompt ??= event.data.content
    turns++
  }
  agent ??= start && agentOf(start)
  return { start, firstPrompt, firstCommand, agent, turns: isWhole ? turns : undefined }
}

function commandOf({ data }: EventOf<'tool.user_requested'>): string | undefined {
  const { command } = (data.arguments ?? {}) as { readonly command?: unknown }
  return typeof command === 'string' && command.trim() !== '' ? `! ${command}` : undefined
}

const COPILOT = /^copilot\b/

/** The Copilot CLI says it by its own name. */
const agentOf = ({ data }: EventOf<'session.start'>): string | undefined =>
  COPILOT.test(data.producer) ? 'copilot' : undefined

/** Of whole lines, and of what may stand behind the last of them. */
export const turnsIn = (bytes: Buffer): number =>
  recordsOf(bytes, true).filter(
    ({ event }) => !('stranger' in event) && event.type === 'user.message' && startsTurn(event),
  ).length

function recordsOf(bytes: Buffer, isWhole: boolean): Gathered['records'] {
  const gathered: Gathered = { records: [], findings: [] }
  let at = 0
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, at)
    if (newline === -1) break
    if (mayTell(bytes, at)) readLines(bytes.subarray(at, newline + 1), at, gathered)
    at = newline + 1
  }
  if (isWhole && at < bytes.length) readTail(bytes.subarray(at), at, gathered)
  return gathered.records
}

const TYPED = '{"type":"'
const TELLING: ReadonlySet<string> = new Set([...SAYS_WHO, 'user.message', 'tool.user_requested'])
const LONGEST = Math.max(...[...TELLING].map((type) => type.length))

/** Whatever does not say its type at once may tell: it is an older form, or damage. */
function mayTell(bytes: Buffer, at: number): boolean {
  const line = bytes.toString('latin1', at, Math.min(bytes.length, at + TYPED.length + LONGEST + 1))
  if (!line.startsWith(TYPED)) return true
  const end = line.indexOf('"', TYPED.length)
  return end !== -1 && TELLING.has(line.slice(TYPED.length, end))
}
