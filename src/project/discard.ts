/**
 * The record of files without some turns, and the contents that nothing needs any more then. The only place that knows
 * where contents of a session lie when they are to go.
 */
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { openContents } from './contents.ts'
import { openJournal } from './journal.ts'
import { parseEntry, type JournalEntry } from './journal-entry.ts'
import { rewriteJournal, type RewrittenJournal } from './rewrite-journal.ts'

type DiscardedEntries = {
  readonly turns: ReadonlySet<string>
  /** Ids of restores that took them back. */
  readonly restores: ReadonlySet<string>
}

export async function withoutEntries(
  fs: SessionFs,
  dir: string,
  { turns, restores }: DiscardedEntries,
): Promise<{
  /** Undefined when it stays as it is. */
  readonly journal: RewrittenJournal | undefined
  /** Paths that are to be removed. */
  readonly contents: readonly string[]
}> {
  const { entries } = await openJournal(fs, dir)
  const isGone = (entry: JournalEntry): boolean =>
    'turnEventId' in entry
      ? turns.has(entry.turnEventId ?? '')
      : 'id' in entry && (restores.has(entry.id) || restores.has(entry.of ?? ''))
  const kept = entries.filter((entry) => !isGone(entry))
  if (kept.length === entries.length) return { journal: undefined, contents: [] }
  const needed = new Set(kept.flatMap(hashesOf))
  const dropped = new Set(entries.filter(isGone).flatMap(hashesOf))
  const contents = [...(await openContents(fs, dir, Infinity)).recorded().keys()]
    .filter((sha256) => dropped.has(sha256) && !needed.has(sha256))
    .map((sha256) => inSession(dir, 'content', { xx: sha256.slice(0, 2), sha256 }))
  const journal = await rewriteJournal(fs, dir, dir, (line) => {
    const entry = parseEntry(line)
    return entry !== undefined && isGone(entry) ? undefined : line
  })
  return { journal, contents }
}

const hashesOf = ({ changes }: JournalEntry): readonly string[] =>
  changes.flatMap(({ before, after }) =>
    [before, after].flatMap((state) => (state?.type === 'file' ? [state.sha256] : [])),
  )
