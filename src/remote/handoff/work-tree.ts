/**
 * The work tree that a session is taken over in: looked at first, with the branch and the changes tried out beside it, so
 * that it is changed as a whole or not at all.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../engine/errors.ts'
import type { WholeTask } from '../../format/task.ts'
import { openDisk } from '../../fs/disk.ts'
import { errorText } from '../../lib/error-text.ts'
import { checkPatch } from '../git/check-patch.ts'
import { git } from '../git/git.ts'
import { checkBranch } from '../git/ref-name.ts'

/** Where the session goes on: a branch that is here, or one of the remote; without one, where the work tree is. */
type Place = {
  readonly root: string
  readonly branch: string | undefined
  readonly commit: string
  /** What the work tree is on now. */
  readonly now: string
  readonly isHere: boolean
}

export async function refuseChanges(root: string): Promise<void> {
  const changed = (await git(['status', '--porcelain', '-z'], { cwd: root, isOwn: true })).split(
    '\0',
  )
  const names = changed.filter(Boolean).map((line) => line.slice(3))
  if (names.length > 0)
    throw new EngineError(
      'conflict',
      `There are changes here that are not committed: ${names.slice(0, 5).join(', ')}. Nothing was changed. Commit or stash them first.`,
      { details: { files: names } },
    )
}

export async function placeOf(root: string, branch: string | undefined): Promise<Place> {
  const options = { cwd: root, mayBeLocal: true, isOwn: true }
  const commitOf = async (name: string): Promise<string> =>
    (
      await git(
        ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
        options,
      )
    ).trim()
  const now = (await git(['branch', '--show-current'], options)).trim()
  if (branch === undefined || branch === now)
    return { root, branch, commit: 'HEAD', now, isHere: true }
  checkBranch(branch)
  const here = await commitOf(`refs/heads/${branch}`).catch(() => undefined) // looked for at the remote, below
  if (here !== undefined) return { root, branch, commit: here, now, isHere: true }
  await git(['fetch', '--no-tags', 'origin', `refs/heads/${branch}`], options)
  return { root, branch, commit: await commitOf('FETCH_HEAD'), now, isHere: false }
}

/** What a worker changed there and nobody has committed, as a patch that fits this place. */
export async function fittingDiff(
  { root, branch, commit }: Place,
  task: WholeTask | undefined,
): Promise<string | undefined> {
  const { diff = '' } = task?.result ?? {}
  checkPatch(diff)
  if (diff === '') return undefined
  const file = `reprise-index-${crypto.randomUUID()}`
  const run = (args: readonly string[], input = '') =>
    git(args, { cwd: root, input, env: { GIT_INDEX_FILE: join(tmpdir(), file) } })
  try {
    await run(['read-tree', commit])
    await run([...APPLY, '--cached', '-'], diff)
    return diff
  } catch (cause) {
    const unmerged = await run(['diff', '--name-only', '--diff-filter=U', '-z', '--cached'])
    const names = unmerged.split('\0').filter(Boolean)
    throw new EngineError(
      'conflict',
      `What was changed there does not fit ${branch ?? 'what is here'}: ${names.length > 0 ? names.slice(0, 5).join(', ') : errorText(cause)}. Nothing was changed. They were made on ${task?.result?.base?.slice(0, 10) ?? 'another commit'}; "reprise tasks show ${task?.id.slice(0, 8) ?? ''} --diff | git apply --3way" puts them in by hand.`,
      { details: { files: names }, cause },
    )
  } finally {
    await openDisk(tmpdir(), { ofAnyone: true }).remove(file)
  }
}

const APPLY = ['apply', '--3way', '--whitespace=nowarn']

/** What cannot be applied, as a new file where an ignored one lies, leaves the work tree where it was. */
export async function checkOut(
  { root, branch, commit, now, isHere }: Place,
  diff: string | undefined,
): Promise<void> {
  const options = { cwd: root, isOwn: true }
  const before = now === '' ? (await git(['rev-parse', 'HEAD'], options)).trim() : now
  const isElsewhere = branch !== undefined && branch !== now
  if (isElsewhere)
    await git(isHere ? ['switch', '--', branch] : ['switch', '-c', branch, commit], options)
  if (diff === undefined) return
  try {
    await git([...APPLY, '-'], { ...options, input: diff })
  } catch (cause) {
    if (isElsewhere) await git(['switch', ...(now === '' ? ['--detach'] : []), before], options)
    throw new EngineError(
      'conflict',
      `What was changed there cannot be put into this work tree (${errorText(cause)}). Nothing was changed.`,
      { cause },
    )
  }
}
