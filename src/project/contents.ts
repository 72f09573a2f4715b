/**
 * Contents of files by their hash. Those of the record have a file each in the session's folder, those of the tree as
 * it is now are packed together for all sessions of the home; a content that is damaged counts as missing.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { collectContents } from './collect-contents.ts'
import { openHomeContents, type HomeContents } from './home-contents.ts'
import { openPack } from './pack.ts'
import { inSession, sessionFolder } from '../format/paths.ts'
import { isSha256, sha256Of } from './sha256.ts'

export interface Contents {
  readonly bytes: number
  readonly quotaBytes: number
  /** Those of the tree as it is now, shared by all sessions of the home. */
  readonly tree: HomeContents
  /** False for what may not be written down a second time, such as secrets. It is known by its hash alone. */
  mayKeep(bytes: Uint8Array): boolean
  has(sha256: string): boolean
  get(sha256: string): Promise<Uint8Array | undefined>
  put(sha256: string, bytes: Uint8Array): Promise<void>
  /** Makes a content part of the record; one that `survives` would outlive a power cut when it resolves. */
  record(sha256: string, options: { readonly survives: boolean }): Promise<void>
  remove(sha256: string): Promise<void>
  /** Leaves out of the tree what no session needs any more. What is known of it must be saved before. */
  tidyTree(): Promise<void>
  /** Asks there too for what is not kept here. */
  askAlso(other: (sha256: string) => Uint8Array | undefined): void
  /** Sizes of those that have a file each. */
  recorded(): ReadonlyMap<string, number>
}

export async function openContents(
  fs: SessionFs,
  dir: string,
  quotaBytes: number,
  mayKeep: Contents['mayKeep'] = () => true,
): Promise<Contents> {
  const sizes = await sizesOf(fs, dir)
  const tree = await openHomeContents(fs, dir)
  const older = await openPack(fs, dir)
  const synced = new Set<string>()
  let elsewhere: (sha256: string) => Uint8Array | undefined = () => undefined
  let total = [...sizes.values()].reduce((sum, size) => sum + size, 0)

  return {
    get bytes() {
      return total + tree.bytes + older.bytes
    },
    quotaBytes,
    tree,
    mayKeep,
    has: (sha256) => sizes.has(sha256) || tree.has(sha256) || older.has(sha256),
    recorded: () => sizes,
    askAlso(other) {
      elsewhere = other
    },
    get,
    put: (sha256, bytes) => write(sha256, bytes, false),
    async record(sha256, { survives }) {
      if (survives ? synced.has(sha256) : sizes.has(sha256)) return
      const bytes = await get(sha256)
      if (bytes !== undefined && mayKeep(bytes)) await write(sha256, bytes, survives)
    },
    async remove(sha256) {
      await fs.remove(contentPath(dir, sha256))
      drop(sha256)
    },
    async tidyTree() {
      await tree.flush()
      await collectContents(fs, dir)
      await tree.reopen()
    },
  }

  async function get(sha256: string): Promise<Uint8Array | undefined> {
    if (!isSha256(sha256)) return undefined
    const bytes = await fs.read(contentPath(dir, sha256))
    if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes
    // Torn by a power cut: the next put writes it again.
    drop(sha256)
    return (await tree.get(sha256)) ?? (await older.get(sha256)) ?? elsewhere(sha256)
  }

  async function write(sha256: string, bytes: Uint8Array, durable: boolean): Promise<void> {
    if (sizes.has(sha256) && !durable) return
    await fs.writeAtomic(contentPath(dir, sha256), bytes, { durable })
    if (!sizes.has(sha256)) total += bytes.length
    sizes.set(sha256, bytes.length)
    // What a client acknowledged is as safe as it keeps things.
    if (durable || !fs.isShared) synced.add(sha256)
  }

  function drop(sha256: string): void {
    total -= sizes.get(sha256) ?? 0
    sizes.delete(sha256)
    synced.delete(sha256)
  }
}

async function sizesOf(fs: SessionFs, dir: string): Promise<Map<string, number>> {
  const folder = sessionFolder(dir, 'content')
  const hashes: string[] = []
  for (const { name, kind } of await fs.list(folder)) {
    if (kind !== 'folder') continue
    const inside = await fs.list(`${folder}/${name}`)
    hashes.push(...inside.map((entry) => entry.name).filter(isSha256))
  }
  const stats = await fs.statMany(hashes.map((sha256) => contentPath(dir, sha256)))
  return new Map(hashes.map((sha256, index) => [sha256, stats[index]?.size ?? 0]))
}

const contentPath = (dir: string, sha256: string): string =>
  inSession(dir, 'content', { xx: sha256.slice(0, 2), sha256 })
