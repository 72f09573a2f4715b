/** Reads and writes the configuration of a home, 0600, replaced in one step. */
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { errorText } from '../lib/error-text.ts'
import { BadConfig, parseConfig, type Config } from './config-file.ts'
import { withPlugins } from './copilot-plugins.ts'
import { withExtensions, type Loaded } from './extensions.ts'
import { withGithub } from './github-server.ts'
import { brokenRule, withRules } from './rule-texts.ts'

export const CONFIG = inHome('config')

/** The file alone. */
export async function readConfig(fs: SessionFs): Promise<Config> {
  const path = fs.nativePath(CONFIG)
  const bytes = await fs.read(CONFIG).catch((cause: unknown) => {
    throw new BadConfig(path, errorText(cause))
  })
  return bytes === undefined ? {} : parseConfig(decodeText(bytes), path)
}

/** The file, the extensions and plugins that it enables, plugins in further folders, and GitHub's server. */
export async function loadConfig(
  fs: SessionFs,
  env: NodeJS.ProcessEnv = process.env,
  pluginFolders: readonly string[] = [],
): Promise<Loaded> {
  const file = withGithub(await readConfig(fs), env)
  const loaded = await withPlugins(fs, await withExtensions(fs, file), env, pluginFolders)
  // One that denies, and is dropped because it cannot be read, would let through what it was written against.
  const broken = brokenRule(loaded.config)
  if (broken !== undefined) throw new BadConfig(fs.nativePath(CONFIG), broken)
  return { ...loaded, config: withRules(loaded.config) }
}

export async function writeConfig(fs: SessionFs, config: Config): Promise<void> {
  await fs.writeAtomic(CONFIG, encodeText(`${JSON.stringify(config, null, 2)}\n`), {
    durable: true,
  })
}
