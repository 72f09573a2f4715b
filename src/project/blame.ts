/**
 * Who last wrote each line, from the recorded contents of its file and not from times: every version is laid
 * beside the one before it, through renames and restores. What the record does not hold is said, not guessed.
 */
import { defined } from '../lib/defined.ts'
import { keptLines } from '../lib/line-diff.ts'
import { linesOfState, type GetContent } from './describe.ts'
import type { Absent, FileState } from './file-state.ts'
import type { FileChange, ProjectEntry, ToolEntry } from './journal-entry.ts'

export type LineAuthor =
  | ({ readonly kind: 'call' } & Pick<
      ToolEntry,
      'turnEventId' | 'toolCallId' | 'at' | 'alongside' | 'interrupted'
    >)
  /** The line was there before the first recorded change of the file. */
  | { readonly kind: 'older' }
  /** Changed outside of any recorded call; `after` is the last recorded change before it. */
  | { readonly kind: 'outside'; readonly after?: string }
  /** The content of a version in between was not kept. */
  | { readonly kind: 'unrecorded' }

export type FileBlame =
  | { readonly kind: 'lines'; readonly authors: readonly LineAuthor[] }
  | { readonly kind: 'noSuchFile' }
  | { readonly kind: 'binary' }

type Blamed = {
  readonly entries: readonly ProjectEntry[]
  readonly getContent: GetContent
  /** What stands in the project now. */
  readonly now: FileState | Absent
  readonly nowLines: readonly string[] | 'binary' | undefined
}

export async function blame(path: string, blamed: Blamed): Promise<FileBlame> {
  const { now, nowLines } = blamed
  if (now?.type !== 'file' || nowLines === undefined) return { kind: 'noSuchFile' }
  if (nowLines === 'binary') return { kind: 'binary' }
  return { kind: 'lines', authors: await authorsOf(path, blamed, nowLines) }
}

type Version = {
  readonly lines: readonly string[]
  readonly authors: readonly LineAuthor[]
}

async function authorsOf(
  path: string,
  { entries, getContent, now }: Blamed,
  nowLines: readonly string[],
): Promise<readonly LineAuthor[]> {
  const seen = new Map<string, Version>()
  let version: Version | undefined
  let last: FileState | Absent | undefined
  let lastAt: string | undefined
  for (const { entry, change } of trailOf(path, entries)) {
    const outside: LineAuthor = {
      kind: 'outside',
      ...defined({ after: lastAt }),
    }
    const isFirst = last === undefined
    if (isFirst || keyOf(last) !== keyOf(change.before)) {
      await advance(change.before, isFirst ? { kind: 'older' } : outside)
    }
    await advance(change.after, authorOf(entry), entry.kind === 'restore')
    lastAt = entry.at
  }
  if (last === undefined) return nowLines.map(() => ({ kind: 'older' }))
  if (keyOf(last) !== keyOf(now) || version === undefined) {
    const outside: LineAuthor = {
      kind: 'outside',
      ...defined({ after: lastAt }),
    }
    return follow(version, nowLines, version === undefined ? { kind: 'unrecorded' } : outside)
      .authors
  }
  return version.authors

  /** A restore writes nothing of its own: the lines are those of the version that it brought back. */
  async function advance(state: FileState | Absent, author: LineAuthor, isRestore = false) {
    last = state
    const known = isRestore ? seen.get(keyOf(state)) : undefined
    const lines = known?.lines ?? (await linesOfState(state, getContent))
    if (lines === undefined || lines === 'binary') {
      version = undefined
      return
    }
    // After a version that is missing nobody can tell who wrote what differs.
    const isGap = version === undefined && seen.size > 0
    version = known ?? follow(version, lines, isGap ? { kind: 'unrecorded' } : author)
    seen.set(keyOf(state), version)
  }
}

function follow(
  before: Version | undefined,
  lines: readonly string[],
  author: LineAuthor,
): Version {
  if (before === undefined) return { lines, authors: lines.map(() => author) }
  const kept = keptLines(before.lines, lines)
  return { lines, authors: lines.map((_, index) => before.authors[kept[index] ?? -1] ?? author) }
}

/** The changes that led to what is at the path, oldest first, under the names it had. */
function trailOf(
  path: string,
  entries: readonly ProjectEntry[],
): { entry: ProjectEntry; change: FileChange }[] {
  const trail: { entry: ProjectEntry; change: FileChange }[] = []
  let name = path
  for (const entry of entries.toReversed()) {
    const change = entry.changes.find((each) => each.path === name)
    if (change === undefined) continue
    const origin = entry.changes.find((each) => each.path === change.from)
    if (change.from === undefined || origin === undefined) {
      trail.push({ entry, change })
    } else {
      trail.push({ entry, change: { ...change, before: origin.before } })
      name = change.from
    }
  }
  return trail.reverse()
}

function authorOf(entry: ProjectEntry): LineAuthor {
  // A restore to a content that no recorded version had.
  if (entry.kind === 'restore') return { kind: 'unrecorded' }
  const { turnEventId, toolCallId, at, alongside, interrupted } = entry
  return {
    kind: 'call',
    turnEventId,
    toolCallId,
    at,
    ...defined({ alongside, interrupted }),
  }
}

/** Equal for contents that read the same; modes do not matter here. */
function keyOf(state: FileState | Absent | undefined): string {
  if (state === null || state === undefined) return 'absent'
  if (state.type === 'file') return state.sha256
  return state.type === 'link' ? `link ${state.target}` : state.type
}
