/**
 * Plugins that the Copilot CLI installed, `installed-plugins/<marketplace>/<name>/` in its own home, are read as
 * extensions are: only those that the user's configuration enables, by `name` or `name@marketplace`. They add hooks,
 * tool servers, custom agents, skills and commands, and nothing that decides who answers or what is allowed.
 */
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { homeFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { isBelow } from '../lib/is-below.ts'
import { namesIn } from '../lib/names-in.ts'
import { realPath } from '../lib/real-path.ts'
import { readSmallText } from '../lib/small-text.ts'
import { BadConfig, parseConfig, type Config } from './config-file.ts'
import { mergeExtension, type Loaded } from './extensions.ts'
import { hooksFrom } from './plugin-hooks.ts'

const paths = z.union([z.string(), z.array(z.string())]).optional()
const manifestSchema = z.looseObject({
  agents: paths,
  skills: paths,
  commands: paths,
  hooks: z.union([z.string(), z.looseObject({})]).optional(),
  mcpServers: z.union([z.string(), z.looseObject({})]).optional(),
})

type Plugin = {
  readonly folder: string
  readonly manifest: z.output<typeof manifestSchema>
  /** Absolute. */
  readonly agents: readonly string[]
  readonly skills: readonly string[]
  readonly commands: readonly string[]
}

/** The shelf of this home, and that of the Copilot CLI. */
export const pluginFolders = (
  fs: SessionFs,
  env: NodeJS.ProcessEnv = process.env,
): readonly string[] => {
  const theirs = join(env['COPILOT_HOME'] || join(homedir(), '.copilot'), SHELF)
  const own = fs.diskPath(SHELF)
  return own === undefined ? [theirs] : [...new Set([own, theirs])]
}

/** Plugins that came from a folder by themselves. */
export const DIRECT = '_direct'
const SHELF = homeFolder('copilotPlugins')

/** Those that are enabled, and those in folders that a program names for its own sessions. */
export async function withPlugins(
  fs: SessionFs,
  loaded: Loaded,
  env: NodeJS.ProcessEnv,
  folders: readonly string[] = [],
): Promise<Loaded> {
  let { config } = loaded
  const named = await Promise.all(folders.map(pluginIn))
  const enabled = await enabledPlugins(config, pluginFolders(fs, env))
  for (const plugin of [...enabled, ...named.filter((each) => each !== undefined)]) {
    config = mergeExtension(config, await partsOf(plugin))
    const { skills, customAgents } = config
    config = {
      ...config,
      skills: { ...skills, directories: [...(skills?.directories ?? []), ...plugin.skills] },
      customAgents: { directories: [...(customAgents?.directories ?? []), ...plugin.agents] },
    }
  }
  return { ...loaded, config }
}

export async function enabledPlugins(
  { plugins }: Config,
  roots: readonly string[],
): Promise<readonly Plugin[]> {
  const found: Plugin[] = []
  for (const name of plugins?.enabled ?? []) found.push(await readPlugin(roots, name))
  return found
}

/** Enabled plugins, and those that a program names. */
export async function pluginsInUse(
  fs: SessionFs,
  config: Config,
  named: { readonly builtin: readonly string[]; readonly additional: readonly string[] },
): Promise<readonly PluginInUse[]> {
  const given = await Promise.all([...named.builtin, ...named.additional].map(pluginIn))
  const enabled = await enabledPlugins(config, pluginFolders(fs))
  return [...enabled, ...given.filter((each) => each !== undefined)].map(
    ({ folder, manifest, agents }) => ({
      name: typeof manifest['name'] === 'string' ? manifest['name'] : basename(folder),
      folder,
      agents,
    }),
  )
}

type PluginInUse = { readonly name: string } & Pick<Plugin, 'folder' | 'agents'>

async function readPlugin(roots: readonly string[], given: string): Promise<Plugin> {
  const [last = ''] = roots.slice(-1)
  const [, name, marketplace] = /^([\w-][\w.-]*)(?:@([\w-][\w.-]*))?$/.exec(given) ?? []
  if (name === undefined) throw new BadConfig(last, `"${given}" is not the name of a plugin`)
  for (const root of roots) {
    const shops = marketplace === undefined ? await namesIn(root) : [marketplace]
    for (const shop of shops) {
      const folder = join(root, shop, name)
      const manifest = await manifestIn(folder)
      if (manifest !== undefined) return withFolders(await realPath(folder), manifest)
    }
  }
  throw new BadConfig(last, `the plugin "${given}" is enabled, but not installed there`)
}

async function pluginIn(folder: string): Promise<Plugin | undefined> {
  const manifest = await manifestIn(folder)
  return manifest && withFolders(await realPath(folder), manifest)
}

/** Undefined where no plugin is. */
export async function manifestIn(folder: string): Promise<Plugin['manifest'] | undefined> {
  for (const place of MANIFESTS) {
    const file = join(folder, place)
    const text = await readSmallText(file)
    if (text === undefined) continue
    const manifest = manifestSchema.safeParse(read(text, file))
    if (!manifest.success) throw new BadConfig(file, 'it is no manifest of a plugin')
    return manifest.data
  }
  return undefined
}

const MANIFESTS = ['plugin.json', '.plugin/plugin.json', '.github/plugin/plugin.json'].concat(
  '.claude-plugin/plugin.json',
)

async function withFolders(folder: string, manifest: Plugin['manifest']): Promise<Plugin> {
  const named = (given: string | readonly string[] | undefined, usual: string) =>
    Promise.all([given ?? usual].flat().map((each) => within(folder, each)))
  const [agents, skills, commands] = await Promise.all([
    named(manifest.agents, 'agents'),
    named(manifest.skills, 'skills'),
    named(manifest.commands, 'commands'),
  ])
  return { folder, manifest, agents, skills, commands }
}

/** A manifest that leads out of its own folder is refused: its author is not the user. */
async function within(folder: string, path: string): Promise<string> {
  const place = await realPath(join(folder, path))
  if (isBelow(folder, place)) return place
  throw new BadConfig(folder, `its manifest names "${path}", which lies outside of the plugin`)
}

/** In the words of our own configuration, by its own schema. */
async function partsOf({ folder, manifest }: Plugin): Promise<Config> {
  const hooks = await partOf(folder, manifest.hooks, ['hooks.json', 'hooks/hooks.json'])
  const servers = await partOf(folder, manifest.mcpServers, ['.mcp.json', '.github/mcp.json'])
  const mcpServers = servers?.['mcpServers'] ?? servers
  const ours = hooks && hooksFrom(hooks, folder)
  if (hooks !== undefined && ours === undefined)
    throw new BadConfig(folder, 'its hooks are not written as hooks are')
  const parts = defined({ hooks: ours, mcpServers })
  return parseConfig(
    JSON.stringify(parts).replaceAll(ROOT, () => inJson(folder)),
    folder,
  )
}

const ROOT = /\$\{(?:CLAUDE_|COPILOT_)?PLUGIN_ROOT\}/g
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

async function partOf(
  folder: string,
  given: string | Readonly<Record<string, unknown>> | undefined,
  usual: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (typeof given === 'object') return given
  for (const name of given === undefined ? usual : [given]) {
    const file = await within(folder, name)
    const text = await readSmallText(file)
    if (text !== undefined) return read(text, file)
    if (given !== undefined) throw new BadConfig(file, 'the manifest names it, and it is missing')
  }
  return undefined
}

function read(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return z.looseObject({}).parse(JSON.parse(text))
  } catch {
    // Not the parser's own words: they quote the file.
    throw new BadConfig(file, 'it is not an object in JSON')
  }
}
