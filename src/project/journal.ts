/**
 * The durable record of what happened to files, of the project and of the session's own folder: one line for every
 * tool call that changed some, one for every restore. A line that was not finished is cut by the next append; a
 * line that is not as it was written, or that another home wrote, is passed over and named, never removed.
 */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { checkOf } from '../lib/checked-line.ts'
import { checked, withChecksum } from '../lib/checksum.ts'
import { fieldsOf } from '../lib/fields.ts'
import { isProjectPath } from './file-state.ts'
import type { JournalEntry, RestoreEntry, WorkspaceRestoreEntry } from './journal-entry.ts'
import { NO_SEAL, aboutJournal, printLine, readLine, type JournalLine } from './journal-line.ts'
import { openSealer, type Sealer } from './record-hmac.ts'

type PlacedLine = {
  /** The first line is 1. */
  readonly number: number
  /** How many entries stand before it. */
  readonly position: number
}

/** A line that is not as it was written, with what can still be read of it. Nothing is done by it. */
type DamagedLine = PlacedLine & {
  readonly turnEventId: string | undefined
  readonly paths: readonly string[]
}

export interface Journal {
  readonly entries: readonly JournalEntry[]
  readonly damaged: readonly DamagedLine[]
  /** Lines that do not follow the line before them, and how many are gone from the end. */
  readonly gaps: readonly PlacedLine[]
  readonly missing: number
  /** How many lines were written before there were checks. */
  readonly unchecked: number
  /** Whether it is known where it ends. */
  readonly hasEnd: boolean
  /** All that was ever recorded is here: proved, and not only not disproved. */
  readonly isWhole: boolean
  /** Lines that this home did not write: nothing is done by them. */
  readonly foreign: readonly JournalEntry[]
  /** Nobody else has added to it since it was read. */
  isCurrent(): Promise<boolean>
  /** Durable when it resolves. */
  append(entry: JournalEntry): Promise<void>
}

/** Where what these turns changed begins; the end when they changed nothing. */
export function positionOf({ entries }: Journal, turnEventIds: readonly string[]): number {
  const turns = new Set<string | undefined>(turnEventIds)
  const first = entries.findIndex((entry) => 'turnEventId' in entry && turns.has(entry.turnEventId))
  return first === -1 ? entries.length : first
}

/** Paths that these turns changed by what another home recorded. */
export const foreignPaths = ({ foreign }: Journal, turnEventIds: readonly string[]): string[] => {
  const ofTurns = foreign.filter(
    (entry) => 'turnEventId' in entry && turnEventIds.includes(entry.turnEventId ?? ''),
  )
  return [...new Set(ofTurns.flatMap(({ changes }) => changes.map(({ path }) => path)))].sort()
}

/** The restore with this id, or the last one that was not taken back and after which nothing was changed. */
export function restoreToRedo(
  { entries }: Journal,
  kind: 'restore' | 'workspace-restore',
  of?: string,
): RestoreEntry | WorkspaceRestoreEntry | undefined {
  const taken = new Set<string | undefined>()
  for (const entry of entries.toReversed()) {
    const isRestore = entry.kind === 'restore' || entry.kind === 'workspace-restore'
    if (!isRestore && of === undefined) return undefined
    if (!isRestore || entry.kind !== kind) continue
    if (entry.direction === 'redo') taken.add(entry.of)
    else if (of === undefined ? !taken.has(entry.id) : entry.id === of) return entry
  }
  return undefined
}

/** What of these turns may be lost: the files that damaged lines name, and whether there may be others. */
export function lossOf(
  journal: Journal,
  turnEventIds: readonly string[],
): { readonly paths: readonly string[]; readonly isPartial: boolean } {
  const { entries, damaged, gaps, missing } = journal
  const isOther = (entry: JournalEntry) =>
    'turnEventId' in entry && !turnEventIds.includes(entry.turnEventId ?? '')
  const from = Math.min(positionOf(journal, turnEventIds), entries.findLastIndex(isOther) + 1)
  const ofTurns = damaged.filter(
    ({ position, turnEventId = '' }) => position >= from || turnEventIds.includes(turnEventId),
  )
  const paths = [...new Set(ofTurns.flatMap((line) => line.paths))].sort()
  const isGapped = missing > 0 || gaps.some(({ position }) => position >= from)
  return { paths, isPartial: isGapped || ofTurns.length > 0 }
}

export async function openJournal(fs: SessionFs, dir: string): Promise<Journal> {
  const path = inSession(dir, 'changes')
  // Read first: what is added meanwhile is no less than it says.
  const end = await readJournalEnd(fs, dir)
  const bytes = (await fs.read(path)) ?? new Uint8Array()
  const sealer = await openSealer(fs)
  const lines = readLines(bytes, { sealer, dir })
  const entries: JournalEntry[] = []
  const foreign: JournalEntry[] = []
  const damaged: DamagedLine[] = []
  const gaps: PlacedLine[] = []
  for (const [index, read] of lines.entries()) {
    const { state, entry, line } = read
    const place = { number: index + 1, position: entries.length }
    if (read.isBehindGap) gaps.push(place)
    const isAltered = state === 'damaged' || (entries.length > 0 && isOddlyForeign(read))
    if (isAltered || entry === undefined) damaged.push({ ...place, ...partsOf(line) })
    else (state === 'ours' ? entries : foreign).push(entry)
  }
  const unchecked = lines.filter(({ checked }) => checked === 'absent').length
  const isCut = end !== undefined && !lines.some(({ link }) => link === end.link)
  const missing = isCut ? Math.max(1, end.lines - lines.length) : 0
  const isSound = damaged.length + gaps.length + missing === 0
  const isWhole = isSound && end !== undefined && unchecked === 0
  let size = bytes.lastIndexOf(0x0a) + 1
  let count = lines.length
  // What was cut stays known as a gap before the next line, and half a line of it stays as it is.
  let link = isCut ? end.link : (lines.at(-1)?.link ?? '')
  let torn = isCut && size < bytes.length ? bytes.subarray(size) : undefined
  return {
    entries,
    damaged,
    gaps,
    missing,
    unchecked,
    hasEnd: end !== undefined,
    isWhole,
    foreign,
    isCurrent: async () => ((await fs.stat(path))?.size ?? 0) === size + (torn?.length ?? 0),
    async append(entry) {
      const text = JSON.stringify(entry)
      const check = checkOf(text, link)
      const line = await printLine(text, check, (payload) =>
        sealer.seal(aboutJournal(dir), payload),
      )
      const chunks = [...(torn === undefined ? [] : [torn, NEWLINE]), encodeText(`${line}\n`)]
      const file = await fs.openAppend(path)
      try {
        await file.truncate(size)
        await file.write(chunks, size)
        await file.sync()
      } finally {
        await file.close()
      }
      for (const chunk of chunks) size += chunk.length
      count += torn === undefined ? 1 : 2
      torn = undefined
      link = check
      entries.push(entry)
      // Behind the line and not synced: it may say less than the journal has, and never more.
      await writeJournalEnd(fs, dir, { lines: count, link }).catch(() => {}) // the line is there
    },
  }
}

/** Behind lines of this home a line that was written before there were checks is none of another's: it was altered. */
const isOddlyForeign = ({ state, checked, seal }: JournalLine): boolean =>
  state === 'foreign' && checked === 'absent' && seal !== NO_SEAL

const NEWLINE = encodeText('\n')

export function readLines(
  bytes: Uint8Array,
  reading: { readonly sealer: Sealer; readonly dir: string },
): JournalLine[] {
  const lines: JournalLine[] = []
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
  for (const line of decodeText(whole).split('\n'))
    if (line !== '') lines.push(readLine(line, lines.at(-1)?.link ?? '', reading))
  return lines
}

/** Only to be named: what a damaged line says is not believed. */
function partsOf(line: string): Pick<DamagedLine, 'turnEventId' | 'paths'> {
  const texts = (name: string) =>
    [...line.matchAll(new RegExp(`"${name}":"([^"\\\\]{1,1024})"`, 'g'))].map(([, text]) => text)
  return { turnEventId: texts('turnEventId')[0], paths: texts('path').filter(isProjectPath) }
}

type JournalEnd = { readonly lines: number; readonly link: string }

export const printJournalEnd = (end: JournalEnd): Uint8Array =>
  encodeText(`${JSON.stringify(withChecksum({ version: 1, ...end }))}\n`)

const writeJournalEnd = (fs: SessionFs, dir: string, end: JournalEnd): Promise<void> =>
  fs.writeAtomic(inSession(dir, 'changesEnd'), printJournalEnd(end), { durable: false })

/** Undefined when there is none, as in sessions of earlier versions, or when a power cut left half of it. */
async function readJournalEnd(fs: SessionFs, dir: string): Promise<JournalEnd | undefined> {
  const bytes = await fs.read(inSession(dir, 'changesEnd'))
  const known = fieldsOf(bytes && parsed(decodeText(bytes)))
  const { version, lines, link, checksum } = known
  const isRight = checked({ version, lines, link, checksum }) === 'right'
  return isRight && version === 1 && typeof lines === 'number' && typeof link === 'string'
    ? { lines, link }
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Half of it: it says nothing, as if it were not there.
    return undefined
  }
}
