/** What differs in the project of a session, in the three ways that a client can ask for. */
import type { Session } from '../../engine/session.ts'
import { branchDiff, unstagedDiff } from '../../lib/git-diff.ts'

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

/** The files are named; what stood in them is told by `session.history.previewRewind` and a rewind. */
async function changedBy({ ops }: Of) {
  const first = (await ops.rewindPoints()).at(-1)
  const all = first === undefined ? [] : (await ops.previewRewind(first.eventId)).files
  return all
    .filter(({ of }) => of === 'project')
    .map(({ path, change }) => ({
      path,
      diff: '',
      changeType: change === 'created' ? 'added' : change,
      isTruncated: true,
    }))
}
