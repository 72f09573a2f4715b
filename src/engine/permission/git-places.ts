/** The repositories of a project, and what git runs by itself in them: hooks, and the settings that name programs. */
import { dirname, join } from 'node:path'
import { findGitFolders, type GitFolders } from '../../lib/git-files.ts'
import { makeFolder } from '../../lib/sandbox/places.ts'
import type { Found } from '../../lib/sandbox/find-places.ts'
import { isLaterItself } from './runs-later.ts'

const GIT = '.git'
const OWN = '.reprise'

export const isOwnFolder = (path: string): boolean => path.toLowerCase().endsWith(`/${OWN}`)
/** Repositories, folders of Reprise, and what other programs run. */
export const isKept = ({ name, path }: Found): boolean =>
  name === GIT || name.toLowerCase() === OWN || isLaterItself(path)

export const isRepository = (path: string): boolean => path.endsWith(`/${GIT}`)

/** Nested repositories, submodules and other work trees. */
export async function repositoriesIn(found: readonly Found[]): Promise<readonly GitFolders[]> {
  const own = found.filter(({ path }) => isRepository(path))
  const folders = await Promise.all(own.map(({ path }) => findGitFolders(dirname(path))))
  return folders.flatMap((each) => each ?? [])
}

/** Programs that git runs by itself. A folder for hooks is made where there is none, so that none can be put there. */
export function runLater(repositories: readonly GitFolders[]): readonly string[] {
  const hooks = [...new Set(repositories.map(({ commonDir }) => join(commonDir, 'hooks')))]
  for (const folder of hooks) makeFolder(folder)
  const settings = repositories.flatMap(({ gitDir, commonDir }) => [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
  ])
  return [...hooks, ...settings]
}
