/**
 * npm run torture -- --planted [part of a name …]
 * Plants each bug of the list in a copy of the sources and runs what has to catch it, which must pass without it.
 * Prints which were caught, and exits with 1 when one was missed.
 */
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planted, type Catcher, type PlantedBug } from './planted.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = [
  'src',
  'test',
  'scripts',
  'bin',
  'dist',
  'schema',
  'docs',
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
]
const LONGEST_MS = 10 * 60_000

type Outcome = 'caught' | 'MISSED' | 'NO ANSWER'

export async function runPlanted(parts: readonly string[]): Promise<boolean> {
  const bugs = planted.filter(
    ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
  )
  const copy = await mkdtemp(join(tmpdir(), 'reprise-planted-'))
  try {
    for (const name of COPIED)
      await cp(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const bug of bugs) await textOf(copy, bug)
    const outcomes: Outcome[] = []
    const sound = new Set<string>()
    for (const bug of bugs) {
      const outcome = await attempt(copy, bug, sound)
      outcomes.push(outcome)
      console.log(`${outcome.padEnd(9)}  ${bug.name}  (${nameOf(bug.caughtBy)})`)
    }
    const caught = outcomes.filter((outcome) => outcome === 'caught').length
    console.log(`${caught} of ${bugs.length} planted bugs were caught`)
    return caught === bugs.length
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function attempt(copy: string, bug: PlantedBug, sound: Set<string>): Promise<Outcome> {
  const { caughtBy, file, isBuilt } = bug
  if (!sound.has(nameOf(caughtBy))) {
    const { status, output } = run(copy, caughtBy)
    if (status !== 0) throw new Error(`${nameOf(caughtBy)} fails without a bug:\n${output}`)
    sound.add(nameOf(caughtBy))
  }
  const { text, changed } = await textOf(copy, bug)
  await writeFile(join(copy, file), changed)
  try {
    if (isBuilt) build(copy)
    const { status } = run(copy, caughtBy)
    if (status === null) return 'NO ANSWER'
    return status === 0 ? 'MISSED' : 'caught'
  } finally {
    await writeFile(join(copy, file), text)
    if (isBuilt) build(copy)
  }
}

/** A text that is not there any more, or more than once, says that the list has to follow the sources. */
async function textOf(
  copy: string,
  { name, file, find, replace }: PlantedBug,
): Promise<{ readonly text: string; readonly changed: string }> {
  const text = await readFile(join(copy, file), 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1)
    throw new Error(
      `"${name}" cannot be planted: its text stands ${times} times in ${file}, not once.`,
    )
  return { text, changed: text.replace(find, () => replace) }
}

function run(copy: string, catcher: Catcher): { status: number | null; output: string } {
  const args =
    'test' in catcher
      ? [
          '--test',
          '--test-timeout=300000',
          ...(catcher.named === undefined ? [] : [`--test-name-pattern=${catcher.named}`]),
          catcher.test,
        ]
      : ['test/torture/run.ts', '--minutes', String(catcher.minutes), catcher.torture]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    timeout: LONGEST_MS,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  return { status, output: `${String(stdout)}${String(stderr)}` }
}

function build(copy: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: copy })
  if (status !== 0) throw new Error(`the copy cannot be built: ${String(stderr)}`)
}

const nameOf = (catcher: Catcher): string =>
  'test' in catcher
    ? [catcher.test, ...(catcher.named === undefined ? [] : [`"${catcher.named}"`])].join(' ')
    : `torture ${catcher.torture}, ${catcher.minutes} minutes`
