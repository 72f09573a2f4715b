/**
 * The record of files for a fork: the lines that it takes over, sealed for it, and the contents that they name. A
 * content is never written again, so a fork costs their names and not their bytes. Durable when it resolves.
 */
import { inSession } from '../format/paths.ts'
import { isMissing } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { checkOf } from '../lib/checked-line.ts'
import { type JournalEntry } from './journal-entry.ts'
import { NO_SEAL, aboutJournal, printLine } from './journal-line.ts'
import { printJournalEnd } from './journal.ts'
import { hashesOf } from './quota.ts'
import type { FileRecord } from './record.ts'
import { openSealer } from './record-hmac.ts'

type RecordCopy = {
  readonly from: string
  /** Where the fork is made. */
  readonly building: string
  /** Where it will be: its lines are sealed for that. */
  readonly to: string
  readonly entries: readonly JournalEntry[]
  /** Lines that this home did not write; they stay so. */
  readonly foreign: readonly JournalEntry[]
}

export async function copyRecord(
  fs: SessionFs,
  { contents, journal }: FileRecord,
  { from, building, to, entries, foreign }: RecordCopy,
): Promise<void> {
  if (entries.length === 0 && foreign.length === 0) return
  const states = entries.flatMap(({ changes }) =>
    changes.flatMap(({ before, after }) => [before, after]),
  )
  for (const sha256 of new Set(hashesOf(states))) {
    const name = { xx: sha256.slice(0, 2), sha256 }
    const path = inSession(building, 'content', name)
    if (await isShared(fs, inSession(from, 'content', name), path)) continue
    const bytes = await contents.get(sha256)
    // One that was not kept is missing in the fork too, and named there when it is asked for.
    if (bytes !== undefined) await fs.writeAtomic(path, bytes, { durable: true })
  }
  const sealer = await openSealer(fs)
  const lines: string[] = []
  let link = ''
  const add = async (
    entry: JournalEntry,
    seal: (payload: string) => Promise<string> | string,
  ): Promise<void> => {
    const text = JSON.stringify(entry)
    link = checkOf(text, link)
    lines.push(await printLine(text, link, seal))
  }
  for (const entry of foreign) await add(entry, () => NO_SEAL)
  for (const entry of entries) await add(entry, (payload) => sealer.seal(aboutJournal(to), payload))
  const bytes = encodeText(lines.map((line) => `${line}\n`).join(''))
  await fs.writeAtomic(inSession(building, 'changes'), bytes, { durable: true })
  // Of one that lacks something it is not said that it is whole.
  if (journal.isWhole)
    await fs.writeAtomic(
      inSession(building, 'changesEnd'),
      printJournalEnd({ lines: lines.length, link }),
      { durable: true },
    )
}

async function isShared(fs: SessionFs, from: string, to: string): Promise<boolean> {
  try {
    await fs.share(from, to)
    return true
  } catch (error) {
    // It lies elsewhere, or had to make room just now.
    if (isMissing(error)) return false
    throw error
  }
}
