/**
 * What differs in a work tree, as git tells it. A repository's configuration can name programs for git to run; none of
 * them is: neither hooks and watchers nor other differs, converters and filters.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { defined } from './defined.ts'

type FileDiff = {
  readonly path: string
  readonly diff: string
  readonly changeType: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly oldPath?: string
  readonly isTruncated?: true
}

type DiffOptions = { readonly ignoreWhitespace?: boolean }

const MOST_BYTES = 256 * 1024
const MOST_FILES = 1000

/** Staged, not staged and new files, against the last commit. Undefined where there is no repository. */
export async function unstagedDiff(
  cwd: string,
  options: DiffOptions = {},
): Promise<readonly FileDiff[] | undefined> {
  const git = await safeGit(cwd)
  const root = await git('rev-parse', '--show-toplevel')
  if (root === undefined) return undefined
  const head = (await git('rev-parse', '--verify', '--quiet', 'HEAD')) ?? EMPTY_TREE
  return diffAgainst(git, root.trim(), head.trim(), options)
}

/** Everything since the work tree left the branch that all others start from. */
export async function branchDiff(
  cwd: string,
  options: DiffOptions = {},
): Promise<
  { readonly base: string; readonly changes: readonly FileDiff[] | undefined } | undefined
> {
  const git = await safeGit(cwd)
  const root = await git('rev-parse', '--show-toplevel')
  if (root === undefined) return undefined
  const base = await defaultBranch(git)
  const from = await git('merge-base', base.ref, 'HEAD')
  const changes =
    from === undefined ? undefined : await diffAgainst(git, root.trim(), from.trim(), options)
  return { base: base.name, changes }
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Undefined when git fails: there is no repository, or no such commit. */
type Git = (...args: readonly string[]) => Promise<string | undefined>

async function safeGit(cwd: string): Promise<Git> {
  const run =
    (config: readonly string[]): Git =>
    (...args) =>
      new Promise((resolve) => {
        const all = [...config.flatMap((each) => ['-c', each]), '--no-optional-locks', ...args]
        const how = {
          cwd,
          maxBuffer: 64 * 1024 * 1024,
          env: { ...childEnvironment(), LC_ALL: 'C' },
        }
        execFile('git', all, how, (error, stdout) => resolve(error === null ? stdout : undefined))
      })
  const fixed = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false']
  const found = await run(fixed)('config', '--name-only', '--get-regexp', '^filter\\.')
  const filters = (found ?? '').split('\n').filter((name) => name !== '')
  return run([
    ...fixed,
    ...filters.map((name) => (name.endsWith('.required') ? `${name}=false` : `${name}=`)),
  ])
}

async function defaultBranch(git: Git): Promise<{ readonly name: string; readonly ref: string }> {
  const remote = (await git('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'))?.trim()
  if (remote !== undefined)
    return { name: remote.replace(/^refs\/remotes\/origin\//, ''), ref: remote }
  for (const name of ['main', 'master'])
    if ((await git('rev-parse', '--verify', '--quiet', `refs/heads/${name}`)) !== undefined)
      return { name, ref: `refs/heads/${name}` }
  return { name: 'main', ref: 'refs/heads/main' }
}

async function diffAgainst(
  git: Git,
  root: string,
  commit: string,
  { ignoreWhitespace = false }: DiffOptions,
): Promise<readonly FileDiff[]> {
  const safe = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames']
  const how = ignoreWhitespace ? [...safe, '--ignore-all-space'] : safe
  const text = await git('-C', root, 'diff', ...how, commit, '--')
  const known = (text ?? '').split(/^(?=diff --git )/m).flatMap(fileDiff)
  const listed = await git('-C', root, 'ls-files', '--others', '--exclude-standard', '-z')
  const fresh = (listed ?? '').split('\0').filter((path) => path !== '')
  const added = await Promise.all(
    fresh.slice(0, MOST_FILES).map(async (path) => addedFile(path, await textAt(join(root, path)))),
  )
  return [...known, ...added].slice(0, MOST_FILES)
}

function fileDiff(text: string): FileDiff[] {
  const head = text.split(/^@@ /m, 1)[0] ?? ''
  const path = /^\+\+\+ b\/(.+?)\t?$/m.exec(head)?.[1] ?? /^--- a\/(.+?)\t?$/m.exec(head)?.[1]
  const renamed = /^rename from (.+)\nrename to (.+)$/m.exec(head)
  const named = renamed?.[2] ?? path ?? /^diff --git a\/(.+) b\/\1$/m.exec(head)?.[1]
  if (named === undefined) return []
  const changeType = /^new file mode/m.test(head)
    ? 'added'
    : /^deleted file mode/m.test(head)
      ? 'deleted'
      : renamed === null
        ? 'modified'
        : 'renamed'
  const oldPath = renamed?.[1]
  return [
    bounded({
      path: named,
      diff: text.replace(/\n$/, ''),
      changeType,
      ...defined({ oldPath }),
    }),
  ]
}

function addedFile(path: string, text: string | undefined): FileDiff {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n`
  if (text === undefined)
    return { path, diff: `${head}Binary files /dev/null and b/${path} differ`, changeType: 'added' }
  const lines = text.replace(/\n$/, '').split('\n')
  const body = text === '' ? [] : lines.map((line) => `+${line}`)
  const end = text === '' || text.endsWith('\n') ? [] : ['\\ No newline at end of file']
  const hunk = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${body.length} @@`
  return bounded({ path, diff: head + [hunk, ...body, ...end].join('\n'), changeType: 'added' })
}

const bounded = (file: FileDiff): FileDiff =>
  file.diff.length > MOST_BYTES ? { ...file, diff: '', isTruncated: true } : file

/** Undefined for what is no text, or cannot be read. */
async function textAt(path: string): Promise<string | undefined> {
  // Gone meanwhile, or not ours to read: git names it, and that is all that can be said.
  const bytes = await readFile(path).catch(() => undefined)
  return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString('utf8')
}
