/**
 * What a shell command is held up by in a project of 50,000 files: the look at the tree before it runs, and the
 * detection of what it changed after. Beside it the system calls that no detection without a watcher can do without.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDisk } from '../../src/fs/disk.ts'
import { openTimeTravel } from '../../src/project/time-travel.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

type Place = { readonly home: string; readonly root: string }

const FOLDERS = 2500
const FILES_IN_EACH = 20
const CHANGED = 'area-1/part-2/file-3.ts'

const travelAt = ({ home, root }: Place) =>
  openTimeTravel({
    fs: openDisk(home),
    sessionDir: 'session-state/one',
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

export const scanCase: Case = {
  name: 'scan',
  async figures({ scratch, measure }) {
    const args = { home: join(scratch, 'scan-home'), root: join(scratch, 'scan-project') }
    writeProject(args.root)
    const { ours: first } = await measure(1, {
      ours: { module: 'cases/scan', probe: 'warm', args },
    })
    const { ours, bare } = await measure(9, {
      ours: { module: 'cases/scan', probe: 'detect', args },
      bare: { module: 'limits', probe: 'statTree', args: { folder: args.root } },
    })
    const limit = { name: 'readdir + 50,000 stats', measured: bare('ms') }
    return [
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
        name: 'read 50,000 files, once a session',
        unit: 'ms',
        target: 'none',
        measured: first('ms'),
      },
    ]
  },
}

/** With rules as a project has them: each name is held against them. */
function writeProject(root: string): void {
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\n.env*\ncoverage\n/build\n**/tmp-*\n')
  for (let index = 0; index < FOLDERS; index++) {
    const folder = join(root, `area-${index % 50}`, `part-${Math.floor(index / 50)}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < FILES_IN_EACH; file++)
      writeFileSync(join(folder, `file-${file}.ts`), `export const value = ${index * 100 + file}\n`)
  }
}
