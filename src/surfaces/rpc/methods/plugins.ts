/**
 * Plugins of the home: on the shelf, switched on and off, from marketplaces that are folders of this machine. They count
 * for sessions that are opened from then on.
 */
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../../config/config-file.ts'
import {
  BadPlugin,
  keyOf,
  pluginAt,
  pluginsOn,
  readMarketplace,
  shelve,
  sourceOf,
  unshelve,
  type ShelfPlugin,
} from '../../../config/plugin-store.ts'
import { EngineError } from '../../../engine/errors.ts'
import { homeFolder } from '../../../format/paths.ts'
import { errorText } from '../../../lib/error-text.ts'
import { realPath } from '../../../lib/real-path.ts'
import { reloadHooks } from '../join-session.ts'
import { method, sessionId, sessionMethod, type Methods } from '../method.ts'
import type { ServerParts } from '../parts.ts'

const names = { names: z.array(z.string().min(1)) }
const name = { name: z.string().min(1) }
const source = { source: z.string().min(1) }

const installed = z.looseObject({
  name: z.string(),
  enabled: z.boolean(),
  cache_path: z.string().optional(),
})

export const pluginMethods: Methods = {
  'plugins.list': method('Plugins that are installed.', async ({ server }) => ({
    plugins: await listed(server.parts),
  })),
  'plugins.install': method(
    'Installs a plugin and switches it on: name@marketplace, or a folder of this machine.',
    source,
    ({ server: { parts } }, given) =>
      refusing(async () => {
        const found = await sourceOf(given.source, await parts.settings.read(), parts.cwd)
        const { skills, ...plugin } = await shelve(shelfOf(parts), found)
        await changePlugins(parts, (plugins) => ({
          ...plugins,
          enabled: [...new Set([...(plugins.enabled ?? []), keyOf(plugin)])],
          ...(plugin.marketplace === '' && {
            sources: { ...plugins.sources, [plugin.name]: found.folder },
          }),
        }))
        return { plugin, skillsInstalled: skills }
      }),
  ),
  'plugins.uninstall': method('Takes a plugin away.', name, ({ server: { parts } }, given) =>
    refusing(async () => {
      for (const plugin of await meant(parts, [given.name])) {
        await unshelve(shelfOf(parts), plugin)
        await changePlugins(parts, (plugins) => without(plugins, plugin))
      }
      return null
    }),
  ),
  'plugins.update': method(
    'Installs a plugin anew from where it came from.',
    name,
    ({ server: { parts } }, given) =>
      refusing(async () => {
        const [plugin] = await meant(parts, [given.name])
        if (plugin === undefined)
          throw new BadPlugin(given.name, 'no plugin of this name is installed')
        return updated(parts, plugin)
      }),
  ),
  'plugins.updateAll': method(
    'Installs every plugin anew from where it came from.',
    async ({ server: { parts } }) => {
      const results: object[] = []
      for (const plugin of await listed(parts)) {
        const of = { name: plugin.name, marketplace: plugin.marketplace }
        try {
          results.push({ ...of, success: true, ...(await updated(parts, plugin)) })
        } catch (error) {
          // The others are updated all the same.
          results.push({ ...of, success: false, error: errorText(error) })
        }
      }
      return { results }
    },
  ),
  'plugins.enable': method('Switches plugins on.', names, ({ server: { parts } }, given) =>
    switched(parts, given.names, true),
  ),
  'plugins.disable': method('Switches plugins off.', names, ({ server: { parts } }, given) =>
    switched(parts, given.names, false),
  ),
  'plugins.builtin.set': method(
    'Names folders of plugins that every session of this server has. Refused while sessions are open.',
    { paths: z.array(z.string().max(4096)).max(64) },
    ({ server }, { paths }) => {
      const relative = paths.findIndex((path) => !isAbsolute(path))
      if (relative !== -1)
        throw new EngineError(
          'invalid',
          `plugins.builtin.set: paths[${relative}] must be absolute.`,
        )
      if (server.open().length > 0)
        throw new EngineError(
          'conflict',
          'Built-in plugins are set before the first session. Sessions are open; nothing was changed.',
        )
      namePlugins(server.parts, { builtin: paths })
    },
  ),
  'sessions.setAdditionalPlugins': method(
    'Names plugins that sessions have which are opened from then on.',
    { plugins: z.array(installed) },
    ({ server }, { plugins }) => {
      const additional = plugins.flatMap(({ enabled, cache_path: folder }) =>
        enabled && folder !== undefined && isAbsolute(folder) ? [folder] : [],
      )
      namePlugins(server.parts, { additional })
      return {}
    },
  ),
  'sessions.reloadPluginHooks': method(
    'Lets hooks that were configured since run in a session that is open.',
    { sessionId, deferRepoHooks: z.boolean().optional() },
    async ({ server }, { sessionId: id }) => {
      const session = server.find(id)
      server.parts.settings.forget()
      if (session !== undefined) await reloadHooks(session)
      return {}
    },
  ),
  'plugins.marketplaces.list': method('Where plugins come from.', async ({ server }) => ({
    marketplaces: Object.entries(await marketplacesOf(server.parts)).map(([each, folder]) => ({
      name: each,
      source: `Local: ${folder}`,
      isDefault: false,
    })),
  })),
  'plugins.marketplaces.add': method(
    'Adds a folder of this machine that lists plugins.',
    source,
    ({ server: { parts } }, given) =>
      refusing(async () => {
        const path = isAbsolute(given.source) ? given.source : resolve(parts.cwd, given.source)
        const folder = await realPath(path)
        const { name: own } = await readMarketplace(folder)
        if ((await marketplacesOf(parts))[own] !== undefined)
          throw new BadPlugin(own, 'this marketplace is there already')
        await changePlugins(parts, (plugins) => ({
          ...plugins,
          marketplaces: { ...plugins.marketplaces, [own]: folder },
        }))
        return { name: own }
      }),
  ),
  'plugins.marketplaces.browse': method(
    'What a marketplace lists.',
    name,
    ({ server: { parts } }, given) =>
      refusing(async () => {
        const { plugins } = await readMarketplace(await marketplace(parts, given.name))
        return {
          plugins: plugins.map(({ name: own, description, version }) => ({
            name: own,
            description,
            version,
          })),
        }
      }),
  ),
  'plugins.marketplaces.refresh': method(
    'Reads marketplaces again and says which cannot be.',
    { name: z.string().optional() },
    async ({ server: { parts } }, given) => {
      const all = Object.entries(await marketplacesOf(parts))
      const wanted = all.filter(([own]) => given.name === undefined || given.name === own)
      const results = wanted.map(async ([own, folder]) => {
        try {
          await readMarketplace(folder)
          return { name: own, success: true }
        } catch (error) {
          return { name: own, success: false, error: errorText(error) }
        }
      })
      return { results: await Promise.all(results) }
    },
  ),
  'plugins.marketplaces.remove': method(
    'Forgets a marketplace. Plugins that came from it stay.',
    name,
    ({ server: { parts } }, given) =>
      refusing(async () => {
        await marketplace(parts, given.name)
        await changePlugins(parts, ({ marketplaces = {}, ...plugins }) => {
          const { [given.name]: _gone, ...others } = marketplaces
          return { ...plugins, marketplaces: others }
        })
        return { removed: true }
      }),
  ),
  'session.plugins.list': sessionMethod('Plugins that are installed.', async ({ parts }) => ({
    plugins: [...(await listed(parts)), ...(await named(parts))],
  })),
  'session.plugins.reload': sessionMethod(
    'Reads plugins again; the agent has them with its next message.',
    async (session) => {
      session.parts.settings.forget()
      session.agent.renew()
      await reloadHooks(session)
    },
  ),
}

function namePlugins(parts: ServerParts, folders: Partial<ServerParts['namedPlugins']>): void {
  Object.assign(parts.namedPlugins, folders)
  parts.settings.forget()
}

/** In folders that clients named. */
async function named({ namedPlugins }: ServerParts): Promise<ShelfPlugin[]> {
  const found: ShelfPlugin[] = []
  for (const folder of [...namedPlugins.builtin, ...namedPlugins.additional]) {
    const plugin = await pluginAt(folder)
    if (plugin !== undefined) found.push({ ...plugin, marketplace: '', enabled: true })
  }
  return found
}

type Plugins = NonNullable<Config['plugins']>

const shelfOf = ({ catalogue: { fs } }: ServerParts): string =>
  fs.nativePath(homeFolder('copilotPlugins'))

const listed = async (parts: ServerParts): Promise<ShelfPlugin[]> =>
  pluginsOn(shelfOf(parts), await parts.settings.read())

const marketplacesOf = async ({
  settings,
}: ServerParts): Promise<Readonly<Record<string, string>>> =>
  (await settings.read()).plugins?.marketplaces ?? {}

async function marketplace(parts: ServerParts, wanted: string): Promise<string> {
  const folder = (await marketplacesOf(parts))[wanted]
  if (folder === undefined) throw new BadPlugin(wanted, 'there is no such marketplace')
  return folder
}

/** By a name alone, or with its marketplace. */
const meant = async (parts: ServerParts, wanted: readonly string[]): Promise<ShelfPlugin[]> =>
  (await listed(parts)).filter(
    (plugin) => wanted.includes(plugin.name) || wanted.includes(keyOf(plugin)),
  )

async function switched(parts: ServerParts, wanted: readonly string[], isOn: boolean) {
  const keys = (await meant(parts, wanted)).map(keyOf)
  const others = new Set([...keys, ...wanted])
  await changePlugins(parts, (plugins) => ({
    ...plugins,
    enabled: [
      ...(plugins.enabled ?? []).filter((each) => !others.has(each)),
      ...(isOn ? keys : []),
    ],
  }))
  return null
}

const without = ({ enabled = [], sources = {}, ...plugins }: Plugins, plugin: ShelfPlugin) => {
  const { [plugin.name]: _gone, ...others } = sources
  return {
    ...plugins,
    enabled: enabled.filter((each) => each !== keyOf(plugin) && each !== plugin.name),
    sources: plugin.marketplace === '' ? others : sources,
  }
}

async function updated(parts: ServerParts, plugin: ShelfPlugin) {
  const config = await parts.settings.read()
  const from = plugin.marketplace === '' ? config.plugins?.sources?.[plugin.name] : keyOf(plugin)
  if (from === undefined)
    throw new BadPlugin(plugin.name, 'it is not known where this plugin came from')
  const { skills, version } = await shelve(shelfOf(parts), await sourceOf(from, config, parts.cwd))
  parts.settings.forget()
  return { skillsInstalled: skills, previousVersion: plugin.version, newVersion: version }
}

const changePlugins = ({ settings }: ServerParts, by: (plugins: Plugins) => Plugins) =>
  settings.change((config) => ({ ...config, plugins: by(config.plugins ?? {}) }))

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BadPlugin) throw new EngineError('invalid', error.message)
    throw error
  }
}
