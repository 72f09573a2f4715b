/**
 * Contents and trees of projects that hold a text: found in what all sessions of the home share, and left out of it. All
 * of it is derived: what a session knew of its project by them is seen again with its next tool call.
 */
import { SESSIONS, TRASH, homeFolder, inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { eachApart } from '../lib/each-apart.ts'
import { eachContent, leaveOut } from './collect-contents.ts'
import { packPath, type PackName } from './home-contents.ts'
import { readTree, treeOf } from './shared-trees.ts'

type Held = {
  readonly path: string
  /** How often the text stands there. */
  readonly count: number
}
type HeldContents = Held & {
  readonly pack: PackName
  readonly sha256s: ReadonlySet<string>
}

type CountIn = (bytes: Buffer) => number

export async function contentsThatHold(
  fs: SessionFs,
  countIn: CountIn,
): Promise<readonly HeldContents[]> {
  const held = new Map<string, HeldContents>()
  for await (const { pack, sha256, bytes } of eachContent(fs)) {
    const times = countIn(Buffer.from(bytes))
    if (times === 0) continue
    const path = packPath(pack)
    const { sha256s = [], count = 0 } = held.get(path) ?? {}
    held.set(path, { pack, path, sha256s: new Set([...sha256s, sha256]), count: count + times })
  }
  return [...held.values()]
}

/** A tree holds names of files. */
export async function treesThatHold(fs: SessionFs, countIn: CountIn): Promise<readonly Held[]> {
  const held: Held[] = []
  for (const name of await treeNames(fs)) {
    const found = await readTree(fs, name)
    const count = found === undefined ? 0 : countIn(Buffer.from([...found.tree.paths()].join('\n')))
    if (count > 0) held.push({ path: pathOf(name), count })
  }
  return held
}

/** Nobody may append to the pack meanwhile. */
export async function dropContents(fs: SessionFs, { pack, sha256s }: HeldContents): Promise<void> {
  await leaveOut(fs, pack, (sha256) => !sha256s.has(sha256))
  const trees: string[] = []
  for (const name of await treeNames(fs)) {
    const hashes = (await readTree(fs, name))?.tree.hashes() ?? []
    if ([...hashes].some((sha256) => sha256s.has(sha256))) trees.push(name)
  }
  await dropTrees(fs, trees.map(pathOf), sha256s)
}

/** With what sessions knew by them. */
export async function dropTrees(
  fs: SessionFs,
  paths: readonly string[],
  sha256s: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const folder of [SESSIONS, TRASH]) {
    // What a session that cannot be entered knew by them holds their hashes, and no word of them.
    await eachApart(await fs.list(folder), async ({ name }) => {
      const dir = `${folder}/${name}`
      const tree = await treeOf(fs, dir)
      const baseline = inSession(dir, 'baseline')
      const bytes = Buffer.from((await fs.read(baseline)) ?? [])
      const isNamed = [...sha256s].some((sha256) => bytes.includes(sha256))
      if (isNamed || (tree !== undefined && paths.includes(pathOf(tree)))) await fs.remove(baseline)
    })
  }
  for (const path of paths) await fs.remove(path)
}

const treeNames = async (fs: SessionFs): Promise<readonly string[]> =>
  (await fs.list(homeFolder('tree'))).map(({ name }) => name)

const pathOf = (name: string): string => `${homeFolder('tree')}/${name}`
