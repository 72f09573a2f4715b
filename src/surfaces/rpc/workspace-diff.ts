/** What differs in the project of a session, in the three ways that a client can ask for. */
import type { Session } from '../../engine/session.ts'
import type { FilePair } from '../../engine/history/file-changes.ts'
import { branchDiff, unstagedDiff } from '../../lib/git-diff.ts'
import { unifiedDiff } from '../../lib/unified-diff.ts'

type Of = { readonly ops: Session; readonly cwd: string }
type Mode = 'unstaged' | 'branch' | 'session'

export async function diffOf(
  of: Of,
  requestedMode: Mode,
  options: { readonly ignoreWhitespace?: boolean },
) {
  if (requestedMode === 'session')
    return { requestedMode, mode: 'session', changes: await changedBy(of), isFallback: false }
  if (requestedMode === 'branch') {
    const found = await branchDiff(of.cwd, options)
    const { base: baseBranch = 'main', changes } = found ?? {}
    if (changes !== undefined)
      return { requestedMode, mode: 'branch', changes, baseBranch, isFallback: false }
    const instead = (await unstagedDiff(of.cwd, options)) ?? []
    return { requestedMode, mode: 'unstaged', changes: instead, baseBranch, isFallback: true }
  }
  const changes = (await unstagedDiff(of.cwd, options)) ?? []
  return { requestedMode, mode: 'unstaged', changes, isFallback: false }
}

/** From before the first message to what was recorded last, for the files that the session changed. */
async function changedBy({ ops }: Of) {
  const { files } = await ops.changes(SESSION)
  const own = files.filter(({ of }) => of === 'project').slice(0, MOST_FILES)
  const changes = []
  for (const file of own) {
    // A content that is gone is named by its file alone.
    const pair = await ops.changedFile(SESSION, file).catch(() => undefined)
    const diff = pair === undefined ? undefined : gitDiff(file.path, pair)
    const isTold = diff !== undefined && diff.length <= MOST_CHARS
    changes.push({
      path: file.path,
      diff: isTold ? diff : '',
      changeType: file.change === 'created' ? 'added' : file.change,
      ...(!isTold && { isTruncated: true }),
    })
  }
  return changes
}

const SESSION = { kind: 'session' } as const
const MOST_FILES = 1000
const MOST_CHARS = 256 * 1024

/** Undefined where a content was not kept. */
function gitDiff(path: string, { before, after, told = [] }: FilePair): string | undefined {
  const name = (side: FilePair['before'], prefix: string) =>
    side.kind === 'absent' ? '/dev/null' : `${prefix}/${path}`
  const [old, next] = [textOf(before), textOf(after)]
  const head = `diff --git a/${path} b/${path}`
  const names = `${name(before, 'a')}\n+++ ${name(after, 'b')}`
  if (told.length > 0) return [head, `--- ${names}`, ...told.map(({ diff }) => diff)].join('\n')
  if (before.kind === 'unknown' || after.kind === 'unknown') return undefined
  if (old === undefined || next === undefined)
    return `${head}\nBinary files ${names.replace('\n+++', ' and')} differ`
  return [head, `--- ${names}`, unifiedDiff(old, next)].join('\n')
}

const textOf = (side: FilePair['before']): string | undefined =>
  side.kind === 'text' ? side.text : side.kind === 'absent' ? '' : undefined
