/**
 * What a sandbox lets the commands of a session do to files: the project, temporary folders and package caches may be
 * written; what rules deny is masked or read-only; what runs later by itself, and what belongs to Reprise, is read-only.
 */
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { layout } from '../../format/layout.ts'
import { folderOf, rowsAt } from '../../format/paths.ts'
import {
  allowedFolders,
  deniedPatterns,
  finderFor,
  notNamed,
  searched,
  type Finders,
} from './denied-places.ts'
import { isKept, isOwnFolder, isRepository, repositoriesIn, runLater } from './git-places.ts'
import { findGitFolders } from '../../lib/git-files.ts'
import { isBelow } from '../../lib/is-below.ts'
import { namesIn } from '../../lib/names-in.ts'
import { cacheFolders, daemonSockets, temporaryFolders } from '../../lib/sandbox/known-places.ts'
import { placeNow, placesNow } from '../../lib/sandbox/places.ts'
import { wallsOf, type Place, type Walls } from '../../lib/sandbox/walls.ts'
import type { PermissionRules } from '../turn/permission-rules.ts'

export type Enclosed = {
  readonly cwd: string
  readonly workspacePath: string
  /** Undefined where sessions lie on no disk of this machine. */
  readonly home: string | undefined
  readonly hookFiles: readonly string[]
  readonly rules: PermissionRules
}

/** A place that is masked, and why. */
type Masked = { readonly path: string; readonly why: string }

type KnownWalls = {
  readonly walls: Walls
  readonly masked: readonly Masked[]
  /** False where a project has more names than are looked at for what rules deny. */
  readonly isWhole: boolean
}

export interface WallBuilder {
  /** As the disk is now. `command` tells which package caches are needed. */
  build(command: string, env: NodeJS.ProcessEnv): Promise<KnownWalls>
}

/** Finders are kept, so that a command pays for what changed since the last one. */
export function wallBuilder(given: Enclosed): WallBuilder {
  const finders: Finders = new Map()
  const rules = {
    read: deniedPatterns(given, 'read'),
    write: deniedPatterns(given, 'write'),
    allowed: allowedFolders(given),
  }
  return {
    async build(command, env) {
      const git = await findGitFolders(given.cwd)
      const cwd = placeNow(given.cwd) ?? given.cwd
      const roots = rootsOf(cwd, git?.workTree)
      const [root = cwd] = roots
      const search = { root, finders }
      const [reads, writes, seen] = await Promise.all([
        searched(await rules.read, search),
        searched(await rules.write, search),
        finderFor(finders, { base: root, key: '', isWanted: isKept }).find(),
      ])
      const repositories = [
        ...(git === undefined ? [] : [git]),
        ...(await repositoriesIn(seen.found)),
      ]
      const later = await notNamed(
        seen.found.flatMap(({ path }) => (isRepository(path) || isOwnFolder(path) ? [] : [path])),
        { rules: given.rules, cwd },
      )
      const gitFolders = repositories.flatMap(({ gitDir, commonDir }) => [gitDir, commonDir])
      const masked = [
        ...reads.found.map(({ path, rule }) => ({ path, why: `the rule ${rule} denies it` })),
        ...(await secretsOf(given.home)).map((path) => ({ path, why: 'it is a key of Reprise' })),
        ...placesNow(daemonSockets(env), 'masked').map(({ path }) => ({
          path,
          why: 'its daemon would act outside of the sandbox',
        })),
      ]
      const allPlaces = [
        ...placesNow(
          [
            ...temporaryFolders(),
            ...cacheFolders(command, env),
            ...(await rules.allowed),
            ...ownFolders(given.workspacePath),
          ],
          'writable',
        ),
        ...placesNow([...roots, ...gitFolders, ...later.flatMap(hiddenParent)], 'writable').map(
          (place) => ({ ...place, isPinned: true }),
        ),
        ...placesNow(
          [
            ...(given.home === undefined ? [] : [given.home]),
            ...given.hookFiles,
            ...seen.found.flatMap(({ path, isFolder }) =>
              isOwnFolder(path) || (isRepository(path) && !isFolder) ? [path] : [],
            ),
            ...later,
            ...runLater(repositories),
          ],
          'read-only',
        ),
        ...placesNow(
          writes.found.map(({ path }) => path),
          'read-only',
        ).flatMap((place) => [
          { ...place, isFinal: true, isPinned: true },
          ...around(place, roots),
        ]),
        // Without the whole disk no program starts.
        ...placesNow(
          masked.flatMap(({ path }) => (path === '/' ? [] : [path])),
          'masked',
        ),
      ]
      const network = !(given.rules.deny ?? []).some((rule) => rule.trim() === 'url')
      return {
        walls: wallsOf(allPlaces, { network }),
        masked,
        isWhole: reads.isWhole && writes.isWhole && seen.isWhole,
      }
    },
  }
}

/** The repository around a project is written too, unless it is the user's home or holds it. */
function rootsOf(cwd: string, workTree: string | undefined): readonly string[] {
  const home = placeNow(homedir()) ?? homedir()
  return workTree === undefined || isBelow(workTree, home) ? [cwd] : [workTree, cwd]
}

/** `.github` around `workflows`: it cannot be moved away, and another one put there. */
const hiddenParent = (path: string): readonly string[] =>
  basename(dirname(path)).startsWith('.') ? [dirname(path)] : []

/** Folders around a place that is kept: were they moved, another place could be put under its name. */
const around = ({ path }: Place, roots: readonly string[]): readonly Place[] => {
  const found: Place[] = []
  const isInside = (folder: string) =>
    roots.some((root) => root !== folder && isBelow(root, folder))
  for (let folder = dirname(path); isInside(folder); folder = dirname(folder))
    found.push({ path: folder, access: 'writable', isFolder: true, isPinned: true })
  return found
}

/** Of the session's folder a command may change what is the agent's to keep. */
const ownFolders = (workspace: string): readonly string[] => [
  join(workspace, layout.session.plan.path),
  ...[layout.session.files, layout.session.research].map((row) => join(workspace, folderOf(row))),
]

const SECRETS: ReadonlySet<string> = new Set(
  (
    [
      'config',
      'redactionKey',
      'sealKey',
      'webToken',
      'guestKey',
      'serverToken',
      'controlDatabase',
    ] satisfies (keyof typeof layout.home)[]
  ).map((name) => `home.${name}`),
)

/** Files of the home that hold keys and tokens. */
async function secretsOf(home: string | undefined): Promise<readonly string[]> {
  if (home === undefined) return []
  const folders = [layout.home.config, layout.home.controlDatabase].map(folderOf)
  const found = folders.map(async (folder) =>
    (await namesIn(join(home, folder))).map((name) => `${folder}/${name}`),
  )
  return (await Promise.all(found))
    .flat()
    .flatMap((path) =>
      rowsAt(path).some(({ name }) => SECRETS.has(name)) ? [join(home, path)] : [],
    )
}
