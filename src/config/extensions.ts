/**
 * Extensions are folders of the user's own, `.reprise/extensions/<name>/`, each with an `extension.json` (hooks,
 * MCP servers) and perhaps an `instructions.md`, `commands/<name>.md` and `skills/<name>/SKILL.md`. Only those that the configuration enables by name are read, and
 * none ever from a repository.
 */
import { homeFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText } from '../lib/bytes.ts'
import { BadConfig, parseConfig, type Config, type HookConfig } from './config-file.ts'

const EXTENSIONS = homeFolder('extension')

export type Loaded = {
  readonly config: Config
  /** Texts for every session, from extensions. */
  readonly instructions: readonly string[]
  readonly extensions: readonly string[]
  /** Why no turn may start: a rule of permissions that can be none. */
  readonly broken?: string
}

export async function withExtensions(fs: SessionFs, config: Config): Promise<Loaded> {
  const extensions = config.extensions?.enabled ?? []
  const instructions: string[] = []
  let merged = config
  for (const name of extensions) {
    if (!isName(name))
      throw new BadConfig(fs.nativePath(EXTENSIONS), `"${name}" is not the name of an extension`)
    const folder = folderOf(name)
    const bytes = await fs.read(`${folder}/extension.json`)
    if (bytes === undefined) {
      throw new BadConfig(
        fs.nativePath(folder),
        'the extension is enabled, but has no extension.json',
      )
    }
    merged = mergeExtension(
      merged,
      parseConfig(decodeText(bytes), fs.nativePath(`${folder}/extension.json`)),
    )
    const text = await fs.read(`${folder}/instructions.md`)
    if (text !== undefined) instructions.push(decodeText(text))
  }
  return { config: merged, instructions, extensions }
}

/** Folders of those that are enabled. */
export const extensionFolders = ({ extensions }: Config): readonly string[] =>
  (extensions?.enabled ?? []).filter(isName).map(folderOf)

const isName = (name: string): boolean => /^[\w-]+$/.test(name)
const folderOf = (name: string): string => `${EXTENSIONS}/${name}`

/** What an extension may add to the configuration: hooks and servers, and nothing that decides who answers or what is allowed. */
export function mergeExtension(config: Config, extension: Config): Config {
  const hooks: Record<string, HookConfig[]> = { ...config.hooks }
  for (const [type, added] of Object.entries(extension.hooks ?? {})) {
    hooks[type] = [...(hooks[type] ?? []), ...(added ?? [])]
  }
  return { ...config, hooks, mcpServers: { ...extension.mcpServers, ...config.mcpServers } }
}
