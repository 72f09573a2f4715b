/** An ext4 in a file, whose power can be cut: what was not synced is gone when it comes back. */
import { spawnSync } from 'node:child_process'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type CuttableDisk = AsyncDisposable & {
  readonly path: string
  /** Everything so far is on the disk. */
  settle(): void
  /** From here on nothing reaches the disk. */
  cut(): void
  /** The disk as it is after the machine has started again. */
  comeBack(): void
}

/** Why this machine cannot, or false. */
export const cannotCutPower: string | false = whyNot()

const SHUTDOWN =
  'import fcntl,os,struct,sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))'

export async function openCuttableDisk(folder: string): Promise<CuttableDisk> {
  const image = join(folder, 'image')
  const path = join(folder, 'disk')
  await writeFile(image, '')
  await truncate(image, 64 * 1024 * 1024)
  await mkdir(path)
  must('mkfs.ext4', ['-q', image])
  must('mount', ['-o', 'loop', image, path])
  return {
    path,
    settle: () => must('sync', ['-f', path]),
    cut: () =>
      has('xfs_io')
        ? must('xfs_io', ['-x', '-c', 'shutdown', path])
        : must('python3', ['-c', SHUTDOWN, path]),
    comeBack() {
      must('umount', [path])
      must('mount', ['-o', 'loop', image, path])
    },
    async [Symbol.asyncDispose]() {
      if (spawnSync('umount', [path]).status !== 0) spawnSync('umount', ['-l', path])
    },
  }
}

function must(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args)
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.toString()}`)
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function whyNot(): string | false {
  if (process.platform !== 'linux') return 'only Linux can cut the power of a disk'
  if (process.getuid?.() !== 0) return 'only root may mount a disk'
  const missing = ['mkfs.ext4', 'mount', 'umount'].find((program) => !has(program))
  if (missing !== undefined) return `${missing} is not installed`
  if (!has('xfs_io') && !has('python3')) return 'neither xfs_io nor python3 is installed'
  return spawnSync('losetup', ['-f']).status === 0 ? false : 'there is no loop device'
}
