/** What a rewind would do to each file, as a difference from now to then. */
import type { Session } from '../engine/session.ts'
import type { FilePair } from '../engine/history/file-changes.ts'
import type { EventId } from '../format/ids.ts'
import { sizeText } from '../lib/quantities.ts'
import { unifiedDiff } from '../lib/unified-diff.ts'

export type RewindDiff = { readonly path: string; readonly diff: string }

/** More files than anybody reads are named by the preview alone. */
const MOST_FILES = 50

export async function rewindDiffs(session: Session, eventId: EventId): Promise<RewindDiff[]> {
  const scope = { kind: 'rewind', eventId } as const
  // An event within a turn has no files of its own: the preview names them.
  const { files } = await session.changes(scope).catch(() => ({ files: [] }))
  const restored = files.filter(({ verdict }) => verdict === undefined || verdict === 'restore')
  const diffs: RewindDiff[] = []
  for (const file of restored.slice(0, MOST_FILES)) {
    // A content that is gone is said by the restore itself.
    const pair = await session.changedFile(scope, file).catch(() => undefined)
    if (pair !== undefined) diffs.push({ path: file.path, diff: diffOf(pair) })
  }
  return diffs
}

function diffOf({ before, after }: FilePair): string {
  const [old, next] = [textOf(before), textOf(after)]
  if (old !== undefined && next !== undefined) return unifiedDiff(old, next)
  return [...sideLine('-', before), ...sideLine('+', after)].join('\n')
}

const textOf = (side: FilePair['before']): string | undefined =>
  side.kind === 'text' ? side.text : side.kind === 'absent' ? '' : undefined

function sideLine(sign: string, side: FilePair['before']): string[] {
  if (side.kind === 'absent') return []
  if (side.kind === 'binary') return [`${sign}binary, ${sizeText(side.size)}`]
  if (side.kind === 'link') return [`${sign}link to ${side.target}`]
  return [`${sign}${side.kind === 'text' ? 'text' : side.why}`]
}
