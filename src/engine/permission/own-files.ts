/**
 * What belongs to Reprise itself: its home with configuration, keys and logs, `.reprise` folders, the files of hooks.
 * Nothing but a person allows a tool to write there, whatever rules and modes say.
 */
import { layout } from '../../format/layout.ts'
import { folderOf } from '../../format/paths.ts'
import { isBelow } from '../../lib/is-below.ts'
import { realPath } from '../../lib/real-path.ts'
import type { Subjects } from './places.ts'

type OwnFiles = {
  /** Undefined where sessions lie on no disk of this machine. */
  readonly home: string | undefined
  /** Files that the configuration has run. */
  readonly hookFiles: readonly string[]
  readonly workspacePath: string
}

/** The first file of ours that a request would write. */
export async function ownFileIn(
  { all, cwd }: Subjects,
  { home, hookFiles, workspacePath }: OwnFiles,
): Promise<string | undefined> {
  const places = all.flatMap((subject) => (subject.kind === 'write' ? (subject.places ?? []) : []))
  if (places.length === 0) return undefined
  const root = home === undefined ? undefined : await realPath(home)
  const hooks = await Promise.all(hookFiles.map(realPath))
  const workspace = await realPath(workspacePath)
  return places.find((place) => {
    if (isAgents(workspace, place)) return false
    // A project may lie in the home; its files are the user's all the same.
    const isProject = isBelow(cwd, place)
    const way = isProject ? place.slice(cwd.length) : place
    return (
      way.split('/').some((name) => name.toLowerCase() === '.reprise') ||
      (!isProject && root !== undefined && isBelow(root, place)) ||
      (isProject && root !== undefined && isBelow(cwd, root) && isBelow(root, place)) ||
      hooks.some((hook) => isBelow(place, hook))
    )
  })
}

/** plan.md, files/ and research/ are the agent's to keep. */
const isAgents = (workspace: string, place: string): boolean =>
  place === `${workspace}/${layout.session.plan.path}` ||
  [layout.session.files, layout.session.research].some((row) =>
    isBelow(`${workspace}/${folderOf(row)}`, place),
  )
