/** A project and a session in temporary folders, for tests. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDisk } from '../../src/fs/disk.ts'
import {
  openTimeTravel,
  type TimeTravel,
  type TimeTravelOptions,
} from '../../src/project/time-travel.ts'

export type SampleProject = Disposable & {
  readonly root: string
  readonly home: string
  /** Another process on the same session. */
  open(options?: Partial<TimeTravelOptions>): Promise<TimeTravel>
  write(path: string, content: string | Uint8Array): void
  read(path: string): string
  /** One tool call that does this. */
  call(
    travel: TimeTravel,
    id: string,
    work: () => void,
    paths?: readonly string[],
  ): ReturnType<TimeTravel['after']>
}

export const SESSION_DIR = 'session-state/one'

export function sampleProject(files: Record<string, string> = {}): SampleProject {
  const base = mkdtempSync(join(tmpdir(), 'reprise-project-'))
  const root = join(base, 'project')
  const home = join(base, 'home')
  mkdirSync(root)
  mkdirSync(home, { mode: 0o700 })
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  let now = Date.parse('2026-01-01T00:00:00Z')
  return {
    root,
    home,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    open: (options = {}) =>
      openTimeTravel({
        fs: openDisk(home),
        sessionDir: SESSION_DIR,
        root,
        clock: () => new Date((now += 1000)),
        ...options,
      }),
    call: async (travel, id, work, paths) => {
      await travel.before({
        toolCallId: id,
        turnEventId: `turn of ${id}`,
        ...(paths && { paths, reach: 'paths' }),
      })
      work()
      return travel.after(id)
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Everything that a restore answers for: names, kinds, modes, contents, targets of links. */
export function treeOf(root: string, folder = ''): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`
    const stats = lstatSync(join(root, path))
    const mode = (stats.mode & 0o7777).toString(8)
    if (stats.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(root, path))}`
    else if (stats.isDirectory())
      Object.assign(tree, { [path]: `folder ${mode}` }, treeOf(root, path))
    else tree[path] = `${mode} ${readFileSync(join(root, path)).toString('latin1')}`
  }
  return tree
}
