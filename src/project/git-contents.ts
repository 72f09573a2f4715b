/**
 * Contents that the project's own git repository has and that are therefore not kept a second time. A blob is believed
 * only after it was read and is, byte for byte, the file on the disk: what filters, line ends or LFS changed is not.
 * Packs and loose objects are held open while a tool runs, so that what it changes can still be had if it removes them.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FsError } from '../fs/fs-error.ts'
import { openGitLoose, type GitLoose } from './git-loose.ts'
import { openGitPack, type GitPack } from './git-pack.ts'
import { sha256Of } from './sha256.ts'

export interface GitContents {
  /** Opens the packs as they are now, and answers with what they are known by. `needed`: blobs of known files. */
  hold(needed: () => Iterable<string>): string
  release(): void
  /** The name of the blob that is these bytes. */
  find(bytes: Uint8Array): string | undefined
  has(blob: string): boolean
  /** Says under which name a content is asked for later. */
  note(sha256: string, blob: string): void
  /** Only while it is held, or still there. */
  get(sha256: string): Buffer | undefined
}

/** More would cost more than it saves: memory for indexes, and files held open. */
const MOST_PACKS = 64
const MOST_INDEX_BYTES = 64 * 1024 * 1024

export function openGitContents(root: string): GitContents {
  const noted = new Map<string, string>()
  let held: Held | undefined

  return {
    hold(needed) {
      release()
      const { loose, mark } = opened()
      // Another mark: what could not be held may be gone when it is needed, and is kept by us.
      return loose?.hold(needed) === false ? `${mark} in part` : mark
    },
    release,
    find(bytes) {
      const blob = blobOf(bytes)
      const found = read(blob)
      return found !== undefined && found.equals(bytes) ? blob : undefined
    },
    has: (blob) => opened().packs.some((pack) => pack.has(blob)),
    note: (sha256, blob) => void noted.set(sha256, blob),
    get(sha256) {
      const blob = noted.get(sha256)
      const bytes = blob === undefined ? undefined : read(blob)
      return bytes !== undefined && sha256Of(bytes) === sha256 ? bytes : undefined
    },
  }

  function opened() {
    held ??= openPacks(root)
    return held
  }

  function release(): void {
    for (const pack of held?.packs ?? []) pack.close()
    held = undefined
  }

  function read(blob: string): Buffer | undefined {
    for (const pack of opened().packs) {
      try {
        const bytes = pack.read(blob)
        if (bytes !== undefined) return bytes
      } catch {
        // Damaged there: another pack may have it, or it is kept by us.
      }
    }
    return undefined
  }
}

const blobOf = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

type Held = {
  readonly packs: readonly GitPack[]
  /** One of them. */
  readonly loose?: GitLoose
  readonly mark: string
}

const NONE: Held = { packs: [], mark: '' }

function openPacks(root: string): Held {
  // There a file that is held cannot be removed: git would fail to tidy up.
  if (process.platform === 'win32') return NONE
  const packs: GitPack[] = []
  try {
    const objects = objectsOf(root)
    const folder = join(objects, 'pack')
    const names = readdirSync(folder)
      .filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name))
      .sort()
    const bytes = names.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0)
    if (names.length > MOST_PACKS || bytes > MOST_INDEX_BYTES) return NONE
    for (const name of names) packs.push(openGitPack(join(folder, name.slice(0, -'.idx'.length))))
    const loose = openGitLoose(objects)
    packs.push(loose)
    const mark = JSON.stringify([folder, names, packs.map((pack) => pack.mark)])
    return { packs, loose, mark: sha256Of(Buffer.from(mark)) }
  } catch {
    // No repository, or one that is being changed: its contents are kept by us.
    for (const pack of packs) pack.close()
    return NONE
  }
}

/** The objects of a worktree are those of the repository that it belongs to. */
function objectsOf(root: string): string {
  const place = join(root, '.git')
  if (lstatSync(place).isDirectory()) return join(place, 'objects')
  const own = resolve(root, readLine(place).replace(/^gitdir: /, ''))
  const shared = join(own, 'commondir')
  const isWorktree = lstatSync(shared, { throwIfNoEntry: false }) !== undefined
  return join(isWorktree ? resolve(own, readLine(shared)) : own, 'objects')
}

function readLine(place: string): string {
  const stats = lstatSync(place)
  if (!stats.isFile() || stats.size > 4096)
    throw new FsError('EINVAL', place, 'this is no file of git')
  return readFileSync(place, 'utf8').trimEnd()
}
