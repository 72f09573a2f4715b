/**
 * A work tree of its own for a task, of a repository that is cloned once. One that a worker before this one left here is
 * gone on with as it is; elsewhere the last that it told of the files is put in its place.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { EngineError } from '../../engine/errors.ts'
import type { TaskResult, TaskWish } from '../../format/task.ts'
import { openDisk } from '../../fs/disk.ts'
import { checkAddress, whereItIs, type Allowed } from '../git/address.ts'
import { checkPatch } from '../git/check-patch.ts'
import { git, type GitOptions } from '../git/git.ts'
import { checkBranch, checkCommit } from '../git/ref-name.ts'

export type Checkout = {
  readonly cwd: string
  /** What its changes are told against. */
  readonly base: string
  /** Where the branch with the result goes. */
  readonly repository: string
  readonly isLocal: boolean
  /** Left by a worker before this one. */
  readonly isFound: boolean
}

type CheckoutWish = {
  readonly id: string
  readonly projects: string
  readonly allowed: Allowed
  readonly wish: TaskWish
  readonly result: TaskResult | null
  readonly signal: AbortSignal
}

export async function checkOut(wanted: CheckoutWish): Promise<Checkout> {
  const { id, projects, wish, result, signal } = wanted
  const { commit, branch } = wish.repository ?? {}
  if (commit !== undefined) checkCommit(commit)
  if (branch !== undefined) checkBranch(branch)
  const disk = openDisk(projects)
  const name = folderOf(id)
  const tree = `tasks/${name}`
  const cwd = join(projects, tree)
  const { repository, isLocal } = await cloned(wanted)
  const base = await baseOf(repository, wish, signal)
  const ready = `tasks/${name}.ready`
  const isFound = (await disk.stat(ready)) !== undefined
  if (!isFound) {
    await disk.remove(tree)
    await git(['worktree', 'prune'], { cwd: repository, signal })
    await git(['worktree', 'add', '--detach', '--force', cwd, base], { cwd: repository, signal })
    const patch = result?.diff ?? wish.patch ?? ''
    checkPatch(patch)
    if (patch !== '')
      await git(['apply', '--whitespace=nowarn', '-'], { cwd, input: patch, signal })
    await disk.writeAtomic(ready, new Uint8Array(), { durable: true })
  }
  return { cwd, base, repository, isLocal, isFound }
}

/** A task may have been given any id: what is no name of a folder or a branch everywhere goes by its hash. */
export const folderOf = (id: string): string =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? id
    : createHash('sha256').update(id).digest('hex').slice(0, 36)

/** It is done: what is left of it is its branch. */
export async function removeCheckout(
  projects: string,
  id: string,
  repository: string,
): Promise<void> {
  const disk = openDisk(projects)
  const name = folderOf(id)
  await disk.remove(`tasks/${name}.ready`)
  await disk.remove(`tasks/${name}`)
  await git(['worktree', 'prune'], { cwd: repository })
}

/** A bare copy; without an address an empty one. */
async function cloned({
  projects,
  allowed,
  wish,
  id,
  signal,
}: CheckoutWish): Promise<{ readonly repository: string; readonly isLocal: boolean }> {
  const disk = openDisk(projects)
  await disk.mkdir('repositories')
  await disk.mkdir('tasks')
  const url = wish.repository?.url
  const name = createHash('sha256')
    .update(url ?? `task ${id}`)
    .digest('hex')
  const folder = `repositories/${name.slice(0, 24)}.git`
  const repository = join(projects, folder)
  const isThere = (await disk.stat(`${folder}/HEAD`)) !== undefined
  if (url === undefined) {
    if (!isThere)
      await git(['init', '--bare', '--template=', repository], { cwd: projects, signal })
    return { repository, isLocal: true }
  }
  const address = await whereItIs(checkAddress(url, allowed), allowed, { signal })
  const options: GitOptions = { cwd: projects, signal, mayBeLocal: address.isLocal }
  if (!isThere) await git(['init', '--bare', '--template=', repository], options)
  const from = ['config', 'remote.origin.url']
  const known = await git(from, { ...options, cwd: repository }).catch(() => '') // it is new
  if (known.trim() !== address.url)
    await git([...from, address.url], { ...options, cwd: repository })
  const fetch = ['fetch', '--no-recurse-submodules', '--no-tags', '--force', 'origin']
  await git([...fetch, '+refs/heads/*:refs/remotes/origin/*'], { ...options, cwd: repository })
  const { commit } = wish.repository ?? {}
  if (commit !== undefined && !(await has(repository, commit)))
    await git([...fetch, commit], { ...options, cwd: repository })
  return { repository, isLocal: address.isLocal }
}

const has = (repository: string, commit: string): Promise<boolean> =>
  git(['cat-file', '-e', `${commit}^{commit}`], { cwd: repository }).then(
    () => true,
    () => false,
  )

async function baseOf(repository: string, wish: TaskWish, signal: AbortSignal): Promise<string> {
  const { commit, branch, url } = wish.repository ?? {}
  const from =
    url === undefined
      ? await emptyCommit(repository)
      : (commit ?? `refs/remotes/origin/${branch ?? (await headOf(repository))}`)
  const options = { cwd: repository, signal }
  return (
    await git(['rev-parse', '--verify', '--end-of-options', `${from}^{commit}`], options)
  ).trim()
}

/** Of a task without a repository: always the same. */
async function emptyCommit(cwd: string): Promise<string> {
  const when = {
    GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  }
  const tree = (await git(['hash-object', '-t', 'tree', '-w', '--stdin'], { cwd })).trim()
  return (await git(['commit-tree', tree, '-m', 'Nothing yet'], { cwd, env: when })).trim()
}

async function headOf(cwd: string): Promise<string> {
  const told = await git(['ls-remote', '--symref', 'origin', 'HEAD'], { cwd, mayBeLocal: true })
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(told)?.[1]
  if (branch !== undefined) return checkBranch(branch)
  throw new EngineError('invalid', 'The repository does not say which branch is its own. Name one.')
}
