/** What can be taken back and what cannot, by name. */
import type { Baseline } from './baseline.ts'
import type { Contents } from './contents.ts'
import type { UncoveredReason } from './file-state.ts'
import type { Journal } from './journal.ts'

export type CoverageReport = {
  readonly coveredFiles: number
  /** Seen and not yet read. */
  readonly pendingFiles: number
  readonly storedBytes: number
  readonly quotaBytes: number
  /** In the order of their paths. A folder stands for all in it. */
  readonly notCovered: readonly { readonly path: string; readonly reason: UncoveredReason }[]
  /** Recorded changes that cannot be taken back any more, or never could. */
  readonly lost: readonly {
    readonly turnEventId: string
    readonly toolCallId: string
    readonly paths: readonly string[]
  }[]
  /** Lines of the journal that could not be read. */
  readonly damagedLines: number
}

export function coverage({
  baseline,
  contents,
  journal,
}: {
  baseline: Baseline
  contents: Contents
  journal: Journal
}): CoverageReport {
  const notCovered = new Map(baseline.uncovered)
  let coveredFiles = 0
  for (const [path, { state, blob }] of baseline.known) {
    if (state.type === 'unknown') notCovered.set(path, state.reason)
    else if (state.type === 'file' && blob === undefined && !contents.has(state.sha256))
      notCovered.set(path, 'quota')
    else if (state.type !== 'folder') coveredFiles++
  }
  return {
    coveredFiles,
    pendingFiles: baseline.pending.size,
    storedBytes: contents.bytes,
    quotaBytes: contents.quotaBytes,
    notCovered: [...notCovered]
      .map(([path, reason]) => ({ path, reason }))
      .sort((one, other) => (one.path < other.path ? -1 : 1)),
    lost: lostOf(journal, contents),
    damagedLines: journal.damaged.length,
  }
}

function lostOf(journal: Journal, contents: Contents): CoverageReport['lost'] {
  return journal.entries.flatMap((entry) => {
    if (entry.kind !== 'tool') return []
    const paths = entry.changes
      .filter(({ before, after }) => {
        if (before?.type === 'unknown' || after?.type === 'unknown') return true
        const isSame =
          before?.type === 'file' && after?.type === 'file' && before.sha256 === after.sha256
        return before?.type === 'file' && !isSame && !contents.has(before.sha256)
      })
      .map(({ path }) => path)
    const { turnEventId, toolCallId } = entry
    return paths.length === 0 ? [] : [{ turnEventId, toolCallId, paths }]
  })
}
