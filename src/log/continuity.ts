/**
 * Checks that each record follows the one before it. A record that was written twice is left out; any other
 * break of the chain is named and the record kept.
 */
import type { EventId } from '../format/ids.ts'
import type { ReadFile } from '../fs/session-fs.ts'
import { textOf } from './parse-record.ts'
import { readRange, type Range } from './range.ts'
import { finding, type Gathered, type LogRecord } from './record.ts'

/** How far back a repeated record is looked for. */
const WINDOW = 1024

/** `previousId` is undefined where reading begins in the middle and the record before is not known. */
export function createContinuity(file: ReadFile, previousId: EventId | null | undefined) {
  const ids: string[] = []
  // Places, not records: those would keep a thousand events alive for no use.
  const starts: number[] = []
  const ends: number[] = []
  let seen = 0
  let previous = previousId

  /** The same id, newest first. A repeated record always breaks the chain, so this is asked only then. */
  function earlier(id: string): Range | undefined {
    for (let back = 1; back <= Math.min(seen, WINDOW); back++) {
      const slot = (seen - back) % WINDOW
      if (ids[slot] === id) return { start: starts[slot] ?? 0, end: ends[slot] ?? 0 }
    }
    return undefined
  }

  return async function check(gathered: Gathered): Promise<void> {
    let kept: LogRecord[] | undefined
    let at = -1
    for (const record of gathered.records) {
      at += 1
      const { id, parentId } = record.event
      if (parentId !== previous && previous !== undefined) {
        const twin = earlier(id)
        if (twin !== undefined && (await isSame(file, twin, record))) {
          const message = `the record at byte ${twin.start} again`
          gathered.findings.push(finding('duplicate', record, true, message))
          kept ??= gathered.records.slice(0, at)
          continue
        }
        // Some writers leave parentId out; that is no claim, so it cannot be wrong.
        if (parentId !== undefined) gathered.findings.push(chainBreak(record, previous))
      }
      ids[seen % WINDOW] = id
      starts[seen % WINDOW] = record.start
      ends[seen % WINDOW] = record.end
      seen += 1
      previous = id
      kept?.push(record)
    }
    if (kept !== undefined) gathered.records = kept
  }
}

function chainBreak(record: LogRecord, previous: EventId | null) {
  const message = `event ${record.event.id} follows ${record.event.parentId}, but stands behind ${previous}`
  return finding('chain_break', record, true, message)
}

/** As readers understand them: one may lack its newline, or have NULs in it. */
export async function isSame(file: ReadFile, one: Range, other: Range): Promise<boolean> {
  return textOf(await readRange(file, one)) === textOf(await readRange(file, other))
}
