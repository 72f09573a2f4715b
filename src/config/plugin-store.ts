/**
 * Plugins on the shelf of a home: `installed-plugins/<marketplace>/<name>/`, where the Copilot CLI puts its own. A
 * marketplace is a folder of this machine that lists plugins; what is installed is a copy, so that nothing changes
 * before it is updated. A plugin works once the configuration enables it.
 */
import { basename, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { isBelow } from '../lib/is-below.ts'
import { namesIn } from '../lib/names-in.ts'
import { realPath } from '../lib/real-path.ts'
import { removeFolder, replaceFolder } from '../lib/replace-folder.ts'
import { readSmallText } from '../lib/small-text.ts'
import type { Config } from './config-file.ts'
import { DIRECT, manifestIn } from './copilot-plugins.ts'

/** Nothing was changed. */
export class BadPlugin extends Error {
  override readonly name = 'BadPlugin'
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}. Nothing was changed.`)
  }
}

export type ShelfPlugin = {
  readonly name: string
  /** Empty for one that came from a folder by itself. */
  readonly marketplace: string
  readonly version?: string
  readonly enabled: boolean
}

const NAME = /^[\w-][\w.-]*$/
const listing = z.looseObject({
  name: z.string().regex(NAME),
  plugins: z.array(
    z.looseObject({
      name: z.string().regex(NAME),
      source: z.string(),
      description: z.string().optional(),
      version: z.string().optional(),
    }),
  ),
})

type Marketplace = z.output<typeof listing>

const LISTINGS = ['.claude-plugin', '.github/plugin', '.plugin', '.'].map((folder) =>
  join(folder, 'marketplace.json'),
)

export async function readMarketplace(folder: string): Promise<Marketplace> {
  for (const place of LISTINGS) {
    const text = await readSmallText(join(folder, place))
    if (text === undefined) continue
    const read = listing.safeParse(parsed(text))
    if (read.success) return read.data
    throw new BadPlugin(join(folder, place), 'it is no list of plugins')
  }
  throw new BadPlugin(folder, 'there is no marketplace.json in it')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Said by the schema, without the parser's words: they quote the file.
    return undefined
  }
}

/** All that are on the shelf, by their names. */
export async function pluginsOn(root: string, { plugins }: Config): Promise<ShelfPlugin[]> {
  const enabled = new Set(plugins?.enabled ?? [])
  const found: ShelfPlugin[] = []
  for (const shop of (await namesIn(root)).toSorted()) {
    for (const name of (await namesIn(join(root, shop))).toSorted()) {
      const plugin = await pluginAt(join(root, shop, name))
      if (plugin === undefined) continue
      const marketplace = shop === DIRECT ? '' : shop
      found.push({
        ...plugin,
        name,
        marketplace,
        enabled: enabled.has(keyOf({ name, marketplace })) || enabled.has(name),
      })
    }
  }
  return found
}

export async function pluginAt(
  folder: string,
): Promise<Pick<ShelfPlugin, 'name' | 'version'> | undefined> {
  // A plugin that cannot be read is told when it is enabled.
  const manifest = await manifestIn(folder).catch(() => undefined)
  const { name, version } = (manifest ?? {}) as { readonly name?: unknown; version?: unknown }
  return (
    manifest && {
      name: typeof name === 'string' ? name : basename(folder),
      ...(typeof version === 'string' && { version }),
    }
  )
}

/** As the configuration names it. */
export const keyOf = ({ name, marketplace }: Pick<ShelfPlugin, 'name' | 'marketplace'>): string =>
  `${name}@${marketplace === '' ? DIRECT : marketplace}`

/** Where a plugin comes from: `name@marketplace`, or a folder. */
export async function sourceOf(
  given: string,
  { plugins }: Config,
  cwd: string,
): Promise<{ readonly folder: string; readonly marketplace: string }> {
  const [, name, marketplace] = /^([\w-][\w.-]*)@([\w-][\w.-]*)$/.exec(given) ?? []
  if (name === undefined || marketplace === undefined) {
    const folder = await realPath(isAbsolute(given) ? given : resolve(cwd, given))
    return { folder, marketplace: '' }
  }
  const shop = plugins?.marketplaces?.[marketplace]
  if (shop === undefined) throw new BadPlugin(given, `there is no marketplace "${marketplace}"`)
  const { plugins: listed } = await readMarketplace(shop)
  const wanted = listed.find((each) => each.name === name)
  if (wanted === undefined) {
    const names = listed.map((each) => each.name).join(', ')
    throw new BadPlugin(shop, `it lists no plugin "${name}", but: ${names}`)
  }
  const root = await realPath(shop)
  const folder = await realPath(join(root, wanted.source))
  if (isBelow(root, folder)) return { folder, marketplace }
  throw new BadPlugin(shop, `its plugin "${name}" lies outside of it`)
}

/** Puts a copy on the shelf, in one step. What stood there before goes. */
export async function shelve(
  root: string,
  { folder, marketplace }: { readonly folder: string; readonly marketplace: string },
): Promise<ShelfPlugin & { readonly skills: number }> {
  const manifest = await manifestIn(folder)
  const { name, version } = (manifest ?? {}) as {
    readonly name?: unknown
    readonly version?: unknown
  }
  if (typeof name !== 'string' || !NAME.test(name))
    throw new BadPlugin(folder, 'there is no manifest of a plugin with a name in it')
  const place = join(root, marketplace === '' ? DIRECT : marketplace, name)
  await replaceFolder(folder, place)
  const skills = (await namesIn(join(place, 'skills'))).length
  return {
    name,
    marketplace,
    ...(typeof version === 'string' && { version }),
    enabled: true,
    skills,
  }
}

export const unshelve = (root: string, { name, marketplace }: ShelfPlugin): Promise<void> =>
  removeFolder(join(root, marketplace === '' ? DIRECT : marketplace, name))
