/**
 * The record of files for a fork: the lines that it takes over, sealed for it, and the contents that they name. A
 * content is never written again, so a fork costs their names and not their bytes. Durable when it resolves.
 */
import { inSession } from '../format/paths.ts'
import { isMissing } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { encodeText } from '../lib/bytes.ts'
import { aboutJournal, sealed, type JournalEntry } from './journal.ts'
import { hashesOf } from './quota.ts'
import type { FileRecord } from './record.ts'
import { openSealer } from './seal.ts'

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
  { contents }: FileRecord,
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
  const lines = foreign.map((entry) => sealed(JSON.stringify(entry), NO_SEAL))
  for (const entry of entries) {
    const text = JSON.stringify(entry)
    lines.push(sealed(text, await sealer.seal(aboutJournal(to), text)))
  }
  const bytes = encodeText(lines.map((line) => `${line}\n`).join(''))
  await fs.writeAtomic(inSession(building, 'changes'), bytes, { durable: true })
}

/** No home has made it: a line without any would count as older than the key. */
const NO_SEAL = '0'.repeat(64)

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
