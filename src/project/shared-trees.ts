/**
 * Projects as they were last seen, one for each folder, which new sessions begin with: they read only what changed
 * since. A tree is written once and never changed; a newer one has another name. All are derived and safe to lose.
 */
import { layout } from '../format/layout.ts'
import { SESSIONS, TRASH, homeFolder, inHome, inSession, readName } from '../format/paths.ts'
import { isInTheWay } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText } from '../lib/bytes.ts'
import { decodeTree, type Tree } from './tree-file.ts'
import { sha256Of } from './sha256.ts'

export type NamedTree = { readonly name: string; readonly tree: Tree }

/** Undefined when it is gone or damaged. */
export async function readTree(fs: SessionFs, name: string): Promise<NamedTree | undefined> {
  const given = readName(layout.home.tree, name)
  if (given === undefined) return undefined
  try {
    const bytes = await fs.read(inHome('tree', given))
    if (bytes === undefined || sha256Of(bytes).slice(0, KEY) !== given.hex) return undefined
    const tree = decodeTree(bytes)
    return tree && { name, tree }
  } catch {
    // Torn by a power cut, or of another program: the project is read again.
    return undefined
  }
}

/** The newest one of a project. */
export async function findTree(fs: SessionFs, root: string): Promise<NamedTree | undefined> {
  const names = (await listTrees(fs)).filter((name) => isOf(root, name))
  const stats = await fs.statMany(names.map((name) => `${homeFolder('tree')}/${name}`))
  const byAge = names
    .map((name, index) => ({ name, ms: stats[index]?.mtimeMs ?? 0 }))
    .sort((one, other) => other.ms - one.ms)
  for (const { name } of byAge) {
    const found = await readTree(fs, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Paths whose contents no pack has. Undefined when it was seen with other limits. */
export function missingIn(
  { head, paths, get }: Tree,
  { packs, has }: { readonly packs: readonly string[]; has(sha256: string): boolean },
  maxFileBytes: number,
): readonly string[] | undefined {
  if (head.maxFileBytes !== maxFileBytes) return undefined
  if (head.packs.every((name) => packs.includes(name))) return []
  return [...paths()].filter((path) => {
    const { state, blob } = get(path) ?? {}
    return state?.type === 'file' && blob === undefined && !has(state.sha256)
  })
}

/** Older ones of the project that no session begins with are removed. */
export async function writeTree(
  fs: SessionFs,
  root: string,
  bytes: Uint8Array,
): Promise<NamedTree | undefined> {
  const given = { root: keyOf(root), hex: sha256Of(bytes).slice(0, KEY) }
  const path = inHome('tree', given)
  await fs.writeAtomic(path, bytes, { durable: true })
  const name = path.slice(path.lastIndexOf('/') + 1)
  const others = (await listTrees(fs)).filter((other) => isOf(root, other) && other !== name)
  if (others.length > 0) await removeTrees(fs, others)
  const tree = decodeTree(bytes)
  return tree && { name, tree }
}

/** Those of the given ones that no session of the home names. */
export async function removeTrees(fs: SessionFs, names?: readonly string[]): Promise<void> {
  const given = names ?? (await listTrees(fs))
  if (given.length === 0) return
  const named = await namedTrees(fs)
  if (named === undefined) return
  for (const name of given) if (!named.has(name)) await fs.remove(`${homeFolder('tree')}/${name}`)
}

/** Undefined while a session cannot be entered: what it names is not known, and nothing of it may go. */
async function namedTrees(fs: SessionFs): Promise<ReadonlySet<string> | undefined> {
  const named = new Set<string>()
  try {
    for (const folder of [SESSIONS, TRASH])
      for (const { name } of await fs.list(folder)) {
        const tree = await treeOf(fs, `${folder}/${name}`)
        if (tree !== undefined) named.add(tree)
      }
    return named
  } catch (error) {
    if (!isInTheWay(error)) throw error
    return undefined
  }
}

/** The name of the tree that a session begins with: its first line says so. */
export async function treeOf(fs: SessionFs, dir: string): Promise<string | undefined> {
  const file = await fs.openRead(inSession(dir, 'baseline'))
  if (file === undefined) return undefined
  try {
    const start = new Uint8Array(FIRST_BYTES)
    const length = await file.read(start, 0)
    return FIRST_LINE.exec(decodeText(start.subarray(0, length)))?.[1]
  } finally {
    await file.close()
  }
}

export const firstLine = (name: string): string => JSON.stringify({ tree: name })

const FIRST_BYTES = 128
const FIRST_LINE = /^\{"tree":"([0-9a-f]+-[0-9a-f]+\.tree)"\}\n/

const KEY = 16
const keyOf = (root: string): string => sha256Of(Buffer.from(root)).slice(0, KEY)
const isOf = (root: string, name: string): boolean =>
  readName(layout.home.tree, name)?.root === keyOf(root)

async function listTrees(fs: SessionFs): Promise<readonly string[]> {
  const names = (await fs.list(homeFolder('tree'))).map(({ name }) => name)
  return names.filter((name) => readName(layout.home.tree, name) !== undefined)
}
