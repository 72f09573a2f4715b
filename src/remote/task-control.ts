/** Tasks as people of this home leave and look at them. */
import { EngineError } from '../engine/errors.ts'
import { detectProject } from '../engine/sessions/project.ts'
import type { TaskControl, TaskDraft } from '../engine/remote-control.ts'
import { defined } from '../lib/defined.ts'
import { publicAddress } from '../lib/git-remote.ts'
import { asEngineErrors } from './engine-errors.ts'
import { git } from './git/git.ts'
import { poolOf } from './kickstart.ts'
import { makePatch } from './git/make-patch.ts'
import type { Server } from './control-client.ts'

export const taskControl = (
  { tasks }: Server,
  redactText: (text: string) => string,
): TaskControl => ({
  draft: (cwd) => draftOf(cwd, redactText),
  place: placeOf,
  start: ({ machine, ...wish }) =>
    asEngineErrors(() =>
      tasks.start(machine === undefined ? wish : { ...wish, pool: poolOf(machine) }),
    ),
  list: (query) => asEngineErrors(() => tasks.list(query)),
  show: async (id) => asEngineErrors(async () => tasks.show(await whole(tasks, id))),
  cancel: async (id) => asEngineErrors(async () => tasks.cancel(await whole(tasks, id))),
  archive: async (id, isArchived) =>
    asEngineErrors(async () => tasks.archive(await whole(tasks, id), isArchived)),
  workers: () => asEngineErrors(() => tasks.workers()),
})

const LENGTH = 36

/** The id that begins so. */
async function whole(tasks: Server['tasks'], word: string): Promise<string> {
  if (word.length >= LENGTH) return word
  const all = [
    ...(await tasks.list({ isArchived: false })),
    ...(await tasks.list({ isArchived: true })),
  ]
  const fitting = all.filter(({ id }) => id.startsWith(word))
  const [only] = fitting
  if (fitting.length === 1 && only !== undefined) return only.id
  throw new EngineError(
    fitting.length > 1 ? 'ambiguous' : 'not_found',
    fitting.length > 1
      ? `${fitting.length} tasks begin with "${word}". Nothing was changed.`
      : `There is no task "${word}". "reprise tasks list" shows those that exist.`,
  )
}

async function placeOf(cwd: string): Promise<TaskDraft> {
  const { gitRoot, branch } = await detectProject(cwd)
  if (gitRoot === undefined)
    throw new EngineError(
      'invalid',
      'This directory is in no repository: the other machine could not find the project. Nothing was started.',
    )
  const url = await originOf(gitRoot)
  return { wish: { repository: { url, ...defined({ branch }) } }, files: [], leftOut: [] }
}

async function originOf(gitRoot: string): Promise<string> {
  // As the person's own settings spell it in full.
  const url = await said(['remote', 'get-url', 'origin'], gitRoot, { isOwn: true })
  if (url !== undefined) return publicAddress(url)
  throw new EngineError(
    'invalid',
    'This repository has no remote "origin" by which another machine could know it. Nothing was started.',
  )
}

/** The repository, and all that is changed against what others can clone of it. */
async function draftOf(cwd: string, redactText: (text: string) => string): Promise<TaskDraft> {
  const { gitRoot, branch } = await detectProject(cwd)
  if (gitRoot === undefined) return { wish: {}, files: [], leftOut: [] }
  const url = await originOf(gitRoot)
  const base = await sharedCommit(gitRoot, branch)
  const patch = await makePatch({ cwd: gitRoot, base, redactText })
  const { text, files, leftOut } = patch
  return {
    wish: {
      repository: { url, commit: base, ...defined({ branch }) },
      ...defined({ patch: text === '' ? undefined : text }),
    },
    files,
    leftOut,
  }
}

/** The newest commit of this work tree that the remote has, as far as is known here. */
async function sharedCommit(cwd: string, branch: string | undefined): Promise<string> {
  const head = await said(['rev-parse', 'HEAD'], cwd)
  if (head === undefined)
    throw new EngineError('invalid', 'This repository has no commit yet. Nothing was started.')
  const holders = await said(['branch', '-r', '--contains', head], cwd)
  if (holders !== undefined && holders !== '') return head
  const upstreams = [...(branch === undefined ? [] : [`origin/${branch}`]), 'origin/HEAD']
  for (const upstream of upstreams) {
    const base = await said(['merge-base', head, upstream], cwd)
    if (base !== undefined) return base
  }
  throw new EngineError(
    'invalid',
    'Nothing of this branch is at its remote: a worker could not clone it. Nothing was started; push it, or fetch the remote first.',
  )
}

const said = (
  args: readonly string[],
  cwd: string,
  more: { readonly isOwn?: boolean } = {},
): Promise<string | undefined> =>
  git(args, { cwd, ...more }).then(
    (text) => text.trim(),
    () => undefined,
  )
