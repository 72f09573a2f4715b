/**
 * What a shell command is held up by in a project of 50,000 files: the look at the tree before it runs, and the
 * detection of what it changed after. Beside it the system calls that no detection without a watcher can do without.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDisk } from '../../src/fs/disk.ts'
import { openTimeTravel } from '../../src/project/time-travel.ts'
import type { Case } from '../case.ts'
import type { Figure } from '../figure.ts'
import type { Measure, Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

type Place = { readonly home: string; readonly root: string; readonly sessionDir?: string }

const FOLDERS = 2500
const FILES_IN_EACH = 20
const CHANGED = 'area-1/part-2/file-3.ts'

const travelAt = ({ home, root, sessionDir = 'session-state/one' }: Place) =>
  openTimeTravel({
    fs: openDisk(home),
    sessionDir,
    root,
    clock: () => new Date(),
  })

/** A session that knows every content, as one that worked here before does. */
export async function warm(place: Place): Promise<Sample> {
  const { ms } = await timedAsync(async () => (await travelAt(place)).warm())
  return { ms }
}

export async function detect(place: Place): Promise<Sample> {
  const opened = await timedAsync(() => travelAt(place))
  const travel = opened.result
  const call = { toolCallId: crypto.randomUUID(), turnEventId: 'turn' }
  const before = await timedAsync(() => travel.before(call))
  appendFileSync(join(place.root, CHANGED), 'one more line\n')
  const after = await timedAsync(() => travel.after(call.toolCallId))
  const found = after.result.map(({ path }) => path)
  if (found.join() !== CHANGED) throw new Error(`Detected ${found.join() || 'nothing'}.`)
  return { open: opened.ms, before: before.ms, after: after.ms }
}

/** A session that nobody has worked in yet, in a project that another session knows. */
export async function first(place: Place): Promise<Sample> {
  const sessionDir = `session-state/${crypto.randomUUID()}`
  // Its log is there before its first command.
  mkdirSync(join(place.home, sessionDir, '.reprise/files'), { recursive: true, mode: 0o700 })
  const { open = 0, before = 0, after = 0 } = await detect({ ...place, sessionDir })
  return { before: open + before, all: open + before + after }
}

export const scanCase: Case = {
  name: 'scan',
  async figures({ scratch, measure }) {
    const args = { home: join(scratch, 'scan-home'), root: join(scratch, 'scan-project') }
    writeProject(args.root, FOLDERS)
    const { ours: reading } = await measure(1, {
      ours: { module: 'cases/scan', probe: 'warm', args },
    })
    const { ours, bare } = await measure(9, {
      ours: { module: 'cases/scan', probe: 'detect', args },
      bare: { module: 'limits', probe: 'statTree', args: { folder: args.root } },
    })
    const limit = { name: 'readdir + 50,000 stats', measured: bare('ms') }
    return [
      ...(await firstCommand(measure, args, '50,000')),
      ...(await firstCommand(measure, await smallProject(measure, scratch), '10,000')),
      {
        name: 'detect what a command changed in 50,000 files',
        unit: 'ms',
        target: { atMost: 300 },
        measured: ours('after'),
        limit,
      },
      {
        name: 'look at 50,000 files before a command',
        unit: 'ms',
        target: { atMost: 300 },
        measured: ours('before'),
        limit,
      },
      {
        name: 'recall 50,000 files, once a process',
        unit: 'ms',
        target: 'none',
        measured: ours('open'),
      },
      {
        name: 'read 50,000 files, once a project',
        unit: 'ms',
        target: 'none',
        measured: reading('ms'),
      },
    ]
  },
}

async function smallProject(measure: Measure, scratch: string): Promise<Place> {
  const args = { home: join(scratch, 'small-home'), root: join(scratch, 'small-project') }
  writeProject(args.root, FOLDERS / 5)
  await measure(1, { ours: { module: 'cases/scan', probe: 'warm', args } })
  return args
}

async function firstCommand(measure: Measure, args: Place, files: string): Promise<Figure[]> {
  const { ours, bare } = await measure(9, {
    ours: { module: 'cases/scan', probe: 'first', args },
    bare: { module: 'limits', probe: 'statTree', args: { folder: args.root } },
  })
  const limit = { name: `readdir + ${files} stats`, measured: bare('ms') }
  const name = `what the first command of a session adds in a known project of ${files} files`
  return [
    { name, unit: 'ms', target: { times: 2.5 }, measured: ours('all'), limit },
    {
      name: 'of it before the command',
      unit: 'ms',
      target: 'none',
      measured: ours('before'),
      limit,
    },
  ]
}

/** With rules as a project has them: each name is held against them. */
function writeProject(root: string, folders: number): void {
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\n.env*\ncoverage\n/build\n**/tmp-*\n')
  for (let index = 0; index < folders; index++) {
    const folder = join(root, `area-${index % 50}`, `part-${Math.floor(index / 50)}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < FILES_IN_EACH; file++)
      writeFileSync(join(folder, `file-${file}.ts`), `export const value = ${index * 100 + file}\n`)
  }
}
