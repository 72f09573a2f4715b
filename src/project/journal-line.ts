/**
 * A line of the journal: the entry, a check over it and the line before, and the seal of the home that wrote it, which is
 * the last member, over all before it.
 */
import { readCheckedLine, withCheck, withoutMember, type CheckedLine } from '../lib/checked-line.ts'
import { parseEntry, type JournalEntry } from './journal-entry.ts'
import type { Sealer } from './record-hmac.ts'

export type JournalLine = CheckedLine & {
  readonly line: string
  /** Undefined when the text is none. */
  readonly entry: JournalEntry | undefined
  readonly seal: string | undefined
  /**
   * `foreign`: another home wrote it; nothing is done by it. `damaged`: it is not as it was written, or cannot be read.
   */
  readonly state: 'ours' | 'foreign' | 'damaged'
  /** The line is as it was written, and the one before it is not, or is gone. */
  readonly isBehindGap: boolean
}

/** What the lines of a session are sealed for. */
export const aboutJournal = (dir: string): string => `change ${dir}`

export function readLine(
  line: string,
  previous: string,
  { sealer, dir }: { readonly sealer: Sealer; readonly dir: string },
): JournalLine {
  const { payload, seal } = unsealed(line)
  const read = readCheckedLine(payload, previous)
  const isSealed = seal !== undefined && isSealedBy(sealer, aboutJournal(dir), payload, seal)
  const entry = parseEntry(read.text)
  const isAltered = read.checked === 'wrong' && !isSealed
  const isOurs = seal === undefined ? sealer.isOlder(dir) : isSealed
  const state = entry === undefined || isAltered ? 'damaged' : isOurs ? 'ours' : 'foreign'
  return { ...read, line, entry, seal, state, isBehindGap: isSealed && read.checked === 'wrong' }
}

/** `seal` is given what it is to seal. */
export async function printLine(
  text: string,
  check: string | undefined,
  seal: (payload: string) => Promise<string> | string,
): Promise<string> {
  const payload = check === undefined ? text : withCheck(text, check)
  return `${payload.slice(0, -1)},"seal":"${await seal(payload)}"}`
}

/** Of a line that a fork took over from a foreign one. No home has made it. */
export const NO_SEAL = '0'.repeat(64)

function unsealed(line: string): { readonly payload: string; readonly seal: string | undefined } {
  const found = SEAL.exec(line)
  if (found !== null) return { payload: `${line.slice(0, found.index)}}`, seal: found[1] }
  const { text = line, value: seal } = withoutMember(line, 'seal') ?? {}
  return { payload: seal === undefined ? line : text, seal }
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}$/

/** With other white space than it was written with, the values count. */
const isSealedBy = (sealer: Sealer, about: string, payload: string, seal: string): boolean =>
  sealer.isSealed(about, payload, seal) ||
  sealer.isSealed(about, withoutMember(payload, '')?.text ?? payload, seal)
