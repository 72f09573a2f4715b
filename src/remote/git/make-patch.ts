/**
 * What is changed in a work tree against a commit, as one patch that is never altered: ignored files stay out, and so do
 * links, repositories inside of this one and every file in whose changes a secret was found. All are named. The work tree
 * and its index are not touched.
 */
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { openDisk } from '../../fs/disk.ts'
import { git } from './git.ts'

type LeftOut = { readonly path: string; readonly why: string }

export type Patch = {
  readonly base: string
  /** Empty when nothing is changed. */
  readonly text: string
  readonly files: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Of the files with these changes, in the repository. */
  readonly tree: string
}

type PatchOptions = {
  readonly cwd: string
  /** A commit. */
  readonly base: string
  readonly redactText: (text: string) => string
  readonly signal?: AbortSignal
}

const SECRET = 'a secret was found in its changes'
const MOST_NAMED = 50

export async function makePatch(options: PatchOptions): Promise<Patch> {
  const { cwd, base, redactText } = options
  const name = createHash('sha256').update(`${cwd} ${crypto.randomUUID()}`).digest('hex')
  const file = `reprise-index-${name.slice(0, 16)}`
  const index = join(tmpdir(), file)
  const settings = await ownExcludes(cwd)
  const run = (args: readonly string[]) =>
    git(args, { cwd, settings, env: { GIT_INDEX_FILE: index } })
  const staged = async (without: readonly LeftOut[]): Promise<readonly Changed[]> => {
    // What the index knows of files that nobody touched, or that are not checked out, stays so.
    await copyIndex(cwd, file)
    await run(['read-tree', '--reset', base])
    const exclude = without.map(({ path }) => `:(exclude,literal)${path}`)
    await run(['add', '-A', '--', '.', ...exclude])
    return changedIn(await run(['diff', '--cached', '--raw', '--no-renames', '-z', base]))
  }
  try {
    const changed = await staged([])
    const unfit: LeftOut[] = []
    for (const { path, why } of changed) {
      if (why !== undefined) {
        unfit.push({ path, why })
        continue
      }
      const diff = await run([...DIFF, '-U0', '--no-renames', base, '--', `:(literal)${path}`])
      const added = diff
        .split('\n')
        .filter((line) => line.startsWith('+'))
        .join('\n')
      if (redactText(added) !== added) unfit.push({ path, why: SECRET })
    }
    const files = (unfit.length === 0 ? changed : await staged(unfit)).map(({ path }) => path)
    const text = await run([...DIFF, '--binary', '--full-index', '--no-renames', base])
    const tree = (await run(['write-tree'])).trim()
    const ignored = namesIn(
      await run(['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']),
    )
    const leftOut = [
      ...unfit,
      ...ignored.slice(0, MOST_NAMED).map((path) => ({ path, why: 'git ignores it' })),
    ]
    return { base, text, files, leftOut, tree }
  } finally {
    await openDisk(tmpdir(), { ofAnyone: true }).remove(file)
  }
}

/** As it is here, whatever is configured for people who read diffs. */
const DIFF = ['diff', '--cached', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative']

/** What the person has git ignore in every repository is ignored here, too. */
async function ownExcludes(cwd: string): Promise<readonly string[]> {
  const asked = ['config', '--type=path', '--get', 'core.excludesFile']
  const path = await git(asked, { cwd, isOwn: true }).catch(() => '') // none is named
  return path.trim() === '' ? [] : [`core.excludesFile=${path.trim()}`]
}

async function copyIndex(cwd: string, to: string): Promise<void> {
  const said = await git(['rev-parse', '--git-path', 'index'], { cwd })
  const path = resolve(cwd, said.trim())
  const bytes = await openDisk(dirname(path), { ofAnyone: true }).read(basename(path))
  // A repository without one: all is looked at.
  if (bytes === undefined) return
  await openDisk(tmpdir(), { ofAnyone: true }).writeAtomic(to, bytes, { durable: false })
}

/** `why`: no patch may have it; a worker refuses one that does. */
type Changed = { readonly path: string; readonly why: string | undefined }

/** `:old-mode new-mode … status`, and the name behind it. */
function changedIn(raw: string): readonly Changed[] {
  const parts = namesIn(raw)
  return parts.flatMap((head, at) => {
    const path = parts[at + 1]
    return at % 2 === 1 || path === undefined ? [] : { path, why: whyNot(head, path) }
  })
}

function whyNot(head: string, path: string): string | undefined {
  const modes = head.slice(1).split(' ', 2)
  if (modes.includes('120000')) return 'it is a link'
  if (modes.includes('160000')) return 'it is a repository of its own'
  return path.split('/').at(-1) === '.gitmodules' ? 'it belongs to git itself' : undefined
}

const namesIn = (text: string): readonly string[] => text.split('\0').filter(Boolean)
