/**
 * Leaves out of the home's packs what no session needs any more. Only packs to which
 * nobody appends are rewritten: those of sessions that are gone for good, and those of the caller. A new pack is whole and synced before the old one goes, so a crash leaves both.
 */
import { SESSIONS, TRASH, inSession } from '../format/paths.ts'
import { isInTheWay } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText } from '../lib/bytes.ts'
import {
  indexPath,
  listPacks,
  packPath,
  packed,
  readChunk,
  syncFile,
  writeAt,
  type PackName,
} from './home-contents.ts'
import { readIndex, type PackPlace } from './pack-index.ts'
import { readTree, removeTrees, treeOf } from './shared-trees.ts'
import { sha256Of } from './sha256.ts'

type Collected = { readonly packs: number; readonly bytesFreed: number }

/** `own` is the folder of a session whose right to write the caller has: its packs are looked at too. */
export async function collectContents(fs: SessionFs, own?: string): Promise<Collected> {
  await removeTrees(fs)
  const { dirs, names } = await sessionsOf(fs)
  if (own !== undefined) names.delete(idOf(own))
  const orphans = (await listPacks(fs)).filter(({ owner }) => !names.has(owner))
  if (orphans.length === 0) return { packs: 0, bytesFreed: 0 }
  const needed = await neededBy(fs, dirs)
  if (needed === undefined) return { packs: 0, bytesFreed: 0 }
  let bytesFreed = 0
  for (const pack of orphans) bytesFreed += await leaveOut(fs, pack, (sha256) => needed.has(sha256))
  return { packs: orphans.length, bytesFreed }
}

/** In the trash too: they can come back. */
async function sessionsOf(fs: SessionFs) {
  const dirs: string[] = []
  for (const folder of [SESSIONS, TRASH]) {
    for (const { name } of await fs.list(folder)) dirs.push(`${folder}/${name}`)
  }
  return { dirs, names: new Set(dirs.map(idOf)) }
}

const idOf = (dir: string): string => dir.slice(dir.lastIndexOf('/') + 1).split('~')[0] ?? ''

/**
 * What sessions know of their projects. What is in their records is in their own folders. Undefined while a session cannot be
 * entered: what it needs is not known, and everything stays.
 */
async function neededBy(
  fs: SessionFs,
  dirs: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  try {
    return await needs(fs, dirs)
  } catch (error) {
    if (!isInTheWay(error)) throw error
    return undefined
  }
}

async function needs(fs: SessionFs, dirs: readonly string[]): Promise<ReadonlySet<string>> {
  const needed = new Set<string>()
  const trees = new Set<string>()
  for (const dir of dirs) {
    const bytes = await fs.read(inSession(dir, 'baseline'))
    if (bytes === undefined) continue
    for (const [, sha256 = ''] of decodeText(bytes).matchAll(NAMED)) needed.add(sha256)
    const name = await treeOf(fs, dir)
    if (name !== undefined) trees.add(name)
  }
  for (const name of trees) {
    const found = await readTree(fs, name)
    for (const sha256 of found?.tree.hashes() ?? []) needed.add(sha256)
  }
  return needed
}

const NAMED = /"sha256":"([0-9a-f]{64})"/g

type PackedContent = {
  readonly pack: PackName
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** Every content of every pack of the home, decompressed, one chunk at a time. What is damaged is passed over. */
export async function* eachContent(fs: SessionFs): AsyncGenerator<PackedContent> {
  for (const pack of await listPacks(fs)) {
    for (const chunk of inChunks([...(await readIndex(fs, indexPath(pack)))])) {
      for (const [sha256, bytes] of await contentsOf(fs, pack, chunk)) yield { pack, sha256, bytes }
    }
  }
}

/** Contents of a pack, by their hashes, that are not what its index says. */
export async function damagedIn(
  fs: SessionFs,
  pack: PackName,
): Promise<{ readonly contents: number; readonly damaged: ReadonlySet<string> }> {
  const index = await readIndex(fs, indexPath(pack))
  const damaged = new Set(index.keys())
  for (const chunk of inChunks([...index])) {
    const [, of] = chunk[0] ?? []
    const whole = await contentsOf(fs, pack, chunk)
    for (const [sha256, { length }] of chunk)
      if (whole.has(sha256) && length === of?.length) damaged.delete(sha256)
  }
  return { contents: index.size, damaged }
}

/**
 * Writes a pack anew with only what is to be kept; answers how many bytes of the disk that gave back. Nobody may
 * append to it meanwhile: its session is gone, or the caller has the right to write to it.
 */
export async function leaveOut(
  fs: SessionFs,
  pack: PackName,
  isKept: (sha256: string) => boolean,
): Promise<number> {
  const index = await readIndex(fs, indexPath(pack))
  const before = (await fs.stat(packPath(pack)))?.size ?? 0
  const kept = [...index].filter(([sha256]) => isKept(sha256))
  if (kept.length === index.size && kept.length > 0) return 0
  const after = kept.length === 0 ? 0 : await rewrite(fs, pack, kept)
  // The index first: a pack without one is nothing.
  await fs.remove(indexPath(pack))
  await fs.remove(packPath(pack))
  return before - after
}

async function rewrite(fs: SessionFs, pack: PackName, kept: readonly Kept[]): Promise<number> {
  const next = { owner: pack.owner, n: pack.n + 1 }
  await fs.remove(indexPath(next))
  await fs.remove(packPath(next))
  let size = 0
  const index: Buffer[] = []
  for (const chunk of inChunks(kept)) {
    const contents = await contentsOf(fs, pack, chunk)
    if (contents.size === 0) continue
    const written = packed(contents, size)
    await writeAt(fs, packPath(next), written.bytes, size)
    size += written.bytes.length
    index.push(written.index)
  }
  await syncFile(fs, packPath(next))
  await fs.writeAtomic(indexPath(next), Buffer.concat(index), { durable: true })
  return size
}

/** Those of one chunk that are whole. */
async function contentsOf(
  fs: SessionFs,
  pack: PackName,
  chunk: readonly Kept[],
): Promise<Map<string, Uint8Array>> {
  const [first] = chunk
  const bytes = first && (await readChunk(fs, pack, first[1]))
  const contents = new Map<string, Uint8Array>()
  for (const [sha256, { offset, size }] of bytes === undefined ? [] : chunk) {
    const content = bytes?.subarray(offset, offset + size) ?? new Uint8Array()
    if (content.length === size && sha256Of(content) === sha256) contents.set(sha256, content)
  }
  return contents
}

type Kept = readonly [string, PackPlace]

function inChunks(kept: readonly Kept[]): Iterable<readonly Kept[]> {
  const chunks = new Map<number, Kept[]>()
  for (const each of kept) {
    const { start } = each[1]
    const chunk = chunks.get(start)
    if (chunk === undefined) chunks.set(start, [each])
    else chunk.push(each)
  }
  return chunks.values()
}
