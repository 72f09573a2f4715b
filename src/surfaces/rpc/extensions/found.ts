/**
 * Extensions: folders with an `extension.mjs`, which joins the session that it is started for as one more client. The
 * user's own lie in `extensions/` of the home, a plugin's in its own `extensions/`, a project's in `.github/extensions/`,
 * those of one session in its folder. Of two with one name the project's counts, then the user's.
 */
import { join } from 'node:path'
import { pluginsInUse } from '../../../config/copilot-plugins.ts'
import { homeFolder, sessionDir } from '../../../format/paths.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { namesIn } from '../../../lib/names-in.ts'
import { readSmallText } from '../../../lib/small-text.ts'
import type { ServerParts } from '../parts.ts'

export type FoundExtension = {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly source: 'user' | 'project' | 'plugin' | 'session'
  readonly plugin?: string
}

const FOLDER = homeFolder('programs')
const ENTRY = 'extension.mjs'

/** Those that every session of the home would have. */
export async function extensionsOfHome({
  catalogue,
  settings,
  namedPlugins,
}: ServerParts): Promise<readonly FoundExtension[]> {
  const { fs } = catalogue
  const plugins = await pluginsInUse(fs, await settings.read(), namedPlugins)
  const found = await Promise.all([
    ...plugins.map(({ name, folder }) => foundIn(join(folder, FOLDER), 'plugin', name)),
    foundIn(fs.nativePath(FOLDER), 'user'),
  ])
  return found.flat()
}

export async function extensionsOf(
  parts: ServerParts,
  id: SessionId,
  cwd: string,
): Promise<readonly FoundExtension[]> {
  const { catalogue } = parts
  const { gitRoot = cwd } = await catalogue.project(cwd)
  const own = catalogue.fs.diskPath(sessionDir(id))
  const [ofHome, ofProject, ofSession] = await Promise.all([
    extensionsOfHome(parts),
    foundIn(join(gitRoot, '.github', 'extensions'), 'project'),
    own === undefined ? [] : foundIn(join(own, 'extensions'), 'session'),
  ])
  const taken = new Set(ofProject.map(({ name }) => name))
  return [
    ...ofHome.filter(({ name, source }) => source !== 'user' || !taken.has(name)),
    ...ofProject,
    ...ofSession,
  ]
}

async function foundIn(
  folder: string,
  source: FoundExtension['source'],
  plugin?: string,
): Promise<readonly FoundExtension[]> {
  const found: FoundExtension[] = []
  for (const name of await namesIn(folder)) {
    const path = join(folder, name, ENTRY)
    if ((await readSmallText(path)) === undefined) continue
    const id = plugin === undefined ? `${source}:${name}` : `${source}:${plugin}:${name}`
    found.push({ id, name, path, source, ...defined({ plugin }) })
  }
  return found
}
