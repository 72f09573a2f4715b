/** Reads and writes the configuration of a home, 0600, replaced in one step. */
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { attempt } from '../lib/each-apart.ts'
import { errorText } from '../lib/error-text.ts'
import { BadConfig, parseConfig, type Config } from './config-file.ts'
import { withPlugins } from './copilot-plugins.ts'
import { withExtensions, type Loaded } from './extensions.ts'
import { withGithub } from './github-server.ts'
import { brokenRule, withRules } from './rule-texts.ts'
import { nearestSetting, unknownNames } from './setting-names.ts'

export const CONFIG = inHome('config')

/** The file alone. */
export async function readConfig(fs: SessionFs): Promise<Config> {
  const path = fs.nativePath(CONFIG)
  const bytes = await fs.read(CONFIG).catch((cause: unknown) => {
    throw new BadConfig(path, errorText(cause))
  })
  return bytes === undefined ? {} : parseConfig(decodeText(bytes), path)
}

/** Sentences about names in the file that are no settings; none where it cannot be read, which is said elsewhere. */
export async function unknownSettings(fs: SessionFs): Promise<readonly string[]> {
  const read = await attempt(async () => JSON.parse(decodeText((await fs.read(CONFIG)) ?? NOTHING)))
  if (!('ok' in read)) return []
  return unknownNames(read.ok).map((name) => {
    const near = nearestSetting(name)
    const hint = near === undefined ? '' : ` Did you mean ${near}?`
    return `${fs.nativePath(CONFIG)}: there is no setting "${name}"; it does nothing.${hint}`
  })
}

const NOTHING = encodeText('{}')

/** The file, the extensions and plugins that it enables, plugins in further folders, and GitHub's server. */
export async function loadConfig(
  fs: SessionFs,
  env: NodeJS.ProcessEnv = process.env,
  pluginFolders: readonly string[] = [],
): Promise<Loaded> {
  const file = withGithub(await readConfig(fs), env)
  const loaded = await withPlugins(fs, await withExtensions(fs, file), env, pluginFolders)
  // One that denies, and is dropped because it cannot be read, would let through what it was written against.
  const rule = brokenRule(loaded.config)
  return {
    ...loaded,
    config: withRules(loaded.config),
    ...(rule !== undefined && { broken: new BadConfig(fs.nativePath(CONFIG), rule).message }),
  }
}

export async function writeConfig(fs: SessionFs, config: Config): Promise<void> {
  await fs.writeAtomic(CONFIG, encodeText(`${JSON.stringify(config, null, 2)}\n`), {
    durable: true,
  })
}
