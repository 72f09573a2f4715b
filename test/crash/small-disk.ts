/** A disk of a few hundred KiB, mounted for a test and gone with it. */
import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why this machine cannot, or false: for `skip`. */
export const cannotMount: string | false =
  process.platform !== 'linux'
    ? 'tmpfs is for Linux'
    : process.getuid?.() === 0
      ? tryMount()
      : 'only root may mount a disk'

export type SmallDisk = AsyncDisposable & {
  readonly path: string
  /** Leaves so many bytes free. Again with more, to make room. */
  leaveFree(bytes: number): Promise<void>
}

export async function mountSmallDisk(kibibytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'reprise-small-'))
  mount(path, kibibytes)
  const ballast = join(path, 'ballast')
  return {
    path,
    async leaveFree(bytes) {
      await rm(ballast, { force: true })
      const { bavail, bsize } = statfsSync(path)
      const size = Math.max(0, bavail * bsize - bytes)
      await writeFile(ballast, Buffer.alloc(size))
    },
    async [Symbol.asyncDispose]() {
      unmount(path)
      await rm(path, { recursive: true, force: true })
    },
  }
}

function mount(path: string, kibibytes: number): void {
  const { status, stderr } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${kibibytes}k`,
    'tmpfs',
    path,
  ])
  if (status !== 0) throw new Error(`no disk could be mounted: ${stderr?.toString() ?? ''}`)
}

function unmount(path: string): void {
  if (spawnSync('umount', [path]).status !== 0) spawnSync('umount', ['-l', path])
}

function tryMount(): string | false {
  // A container may have root and no right to mount.
  const path = tmpdir()
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', path]).status === 0
    ? false
    : 'mounting is not allowed here'
}
