/**
 * What the project says about itself to agents: AGENTS.md, CLAUDE.md and .github/copilot-instructions.md, from the git
 * root down to the working directory. Bounded in size, each text once, and never read through a link that leads out of
 * the project: what is found here goes to a provider without being asked for.
 */
import { dirname, join, relative, sep } from 'node:path'
import { realPath } from '../../lib/real-path.ts'
import { headAndTail } from '../../state/preview.ts'
import { readText } from '../tools/files.ts'

export type InstructionFile = { readonly path: string; readonly text: string }

const NAMES = ['AGENTS.md', 'CLAUDE.md', join('.github', 'copilot-instructions.md')]
const MAX_FOLDERS = 32
const MAX_CHARS = 32 * 1024
const MAX_CHARS_IN_ALL = 96 * 1024

export async function findInstructions(
  cwd: string,
  gitRoot: string | undefined,
): Promise<readonly InstructionFile[]> {
  const here = await realPath(cwd)
  const root = gitRoot === undefined ? here : await realPath(gitRoot)
  const found: InstructionFile[] = []
  const seen = new Set<string>()
  let left = MAX_CHARS_IN_ALL
  for (const folder of foldersBetween(root, here)) {
    for (const name of NAMES) {
      const place = await realPath(join(folder, name))
      if (!isBelow(root, place) || seen.has(place)) continue
      const text = await textOf(place)
      if (text === undefined || seen.has(text)) continue
      seen.add(place).add(text)
      const kept = headAndTail(text, Math.min(MAX_CHARS, left))
      if (left < 100) return found
      left -= kept.length
      found.push({ path: relative(root, join(folder, name)).replaceAll(sep, '/'), text: kept })
    }
  }
  return found
}

/** The outermost first: what is nearer is read later and counts more. */
function foldersBetween(root: string, here: string): string[] {
  const folders = [here]
  if (!isBelow(root, here)) return folders
  for (let folder = here; folder !== root && folders.length < MAX_FOLDERS;) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const textOf = async (place: string): Promise<string | undefined> => {
  // Most of these files are not there, and one that cannot be read instructs nobody.
  const text = await readText(place).catch(() => undefined)
  return text?.trim() === '' ? undefined : text?.trim()
}
