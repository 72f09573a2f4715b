/** Where instruction files, custom agents and skills are looked for: the project, the user's own folder, named folders. */
import { dirname, isAbsolute, join } from 'node:path'
import { isBelow } from '../lib/is-below.ts'
import { realPath } from '../lib/real-path.ts'
import { readSmallText } from '../lib/small-text.ts'

export type GuidancePlaces = {
  readonly cwd: string
  readonly gitRoot?: string | undefined
  /** The user's own folder, as `~`. Without it nothing of theirs is read. */
  readonly userHome?: string | undefined
  /** Where Reprise keeps the user's own files. */
  readonly repriseHome?: string | undefined
  /** Folders that were named besides, absolute or from the working directory. */
  readonly directories?: readonly string[] | undefined
}

const MOST_FOLDERS = 32

type ProjectFolders = {
  /** Nothing is read through a link that leads out of it. */
  readonly root: string
  /** From the root down to the working directory. */
  readonly folders: readonly string[]
}

/** Links resolved. What is nearer comes later, and counts more. */
export async function projectFolders({ cwd, gitRoot }: GuidancePlaces): Promise<ProjectFolders> {
  const here = await realPath(cwd)
  const root = gitRoot === undefined ? here : await realPath(gitRoot)
  if (!isBelow(root, here)) return { root: here, folders: [here] }
  const folders = [here]
  for (let at = here; at !== root && folders.length < MOST_FOLDERS;) {
    at = dirname(at)
    folders.unshift(at)
  }
  return { root, folders }
}

export const namedFolders = ({ cwd, directories = [] }: GuidancePlaces): readonly string[] =>
  directories.map((folder) => (isAbsolute(folder) ? folder : join(cwd, folder)))

export type FoundText = {
  /** As it was looked for. */
  readonly path: string
  /** Where it leads. */
  readonly place: string
  readonly text: string
}

/** Undefined for what is missing, empty, or leads out of `within`: it goes to a provider without being asked for. */
export async function textWithin(path: string, within?: string): Promise<FoundText | undefined> {
  const place = await realPath(path)
  if (within !== undefined && !isBelow(within, place)) return undefined
  const text = (await readSmallText(place))?.trim()
  return text === undefined || text === '' || text.includes('\0')
    ? undefined
    : { path, place, text }
}
