/**
 * What is changed in a work tree against a commit, as one patch that is never altered: ignored files stay out, and so does
 * every file in whose changes a secret was found. Both are named. The work tree and its index are not touched.
 */
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const run = (args: readonly string[]) => git(args, { cwd, env: { GIT_INDEX_FILE: index } })
  const staged = async (without: readonly string[]): Promise<readonly string[]> => {
    await run(['read-tree', base])
    await run(['add', '-A', '--', '.', ...without.map((path) => `:(exclude,literal)${path}`)])
    return namesIn(await run(['diff', '--cached', '--name-only', '--no-renames', '-z', base]))
  }
  try {
    const changed = await staged([])
    const secret: string[] = []
    for (const path of changed) {
      const diff = await run([
        'diff',
        '--cached',
        '-U0',
        '--no-renames',
        base,
        '--',
        `:(literal)${path}`,
      ])
      const added = diff
        .split('\n')
        .filter((line) => line.startsWith('+'))
        .join('\n')
      if (redactText(added) !== added) secret.push(path)
    }
    const files = secret.length === 0 ? changed : await staged(secret)
    const text = await run(['diff', '--cached', '--binary', '--full-index', '--no-renames', base])
    const tree = (await run(['write-tree'])).trim()
    const ignored = namesIn(
      await run(['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']),
    )
    const leftOut = [
      ...secret.map((path) => ({ path, why: SECRET })),
      ...ignored.slice(0, MOST_NAMED).map((path) => ({ path, why: 'git ignores it' })),
    ]
    return { base, text, files, leftOut, tree }
  } finally {
    await openDisk(tmpdir()).remove(file)
  }
}

const namesIn = (text: string): readonly string[] => text.split('\0').filter(Boolean)
