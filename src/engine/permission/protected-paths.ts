/**
 * What belongs to Reprise itself: its home with configuration, keys and logs, `.reprise` folders, the files of hooks.
 * Nothing but a person allows a tool to write there, whatever rules and modes say.
 */
import { layout } from '../../format/layout.ts'
import { folderOf } from '../../format/paths.ts'
import { isBelow } from '../../lib/is-below.ts'
import { realPath } from '../../lib/real-path.ts'
import { ANY } from '../../lib/shell/word.ts'
import type { Subjects } from './rule-words.ts'

type OwnFiles = {
  /** Undefined where sessions lie on no disk of this machine. */
  readonly home: string | undefined
  /** Files that the configuration has run. */
  readonly hookFiles: readonly string[]
  readonly workspacePath: string
}

/** The first file of ours that a request would write, or by all that can be told may write. */
export async function ownFileIn(
  { all, cwd, handled = [] }: Subjects,
  { home, hookFiles, workspacePath }: OwnFiles,
): Promise<string | undefined> {
  const written = all.flatMap((subject) => (subject.kind === 'write' ? (subject.places ?? []) : []))
  if (written.length + handled.length === 0) return undefined
  const root = home === undefined ? undefined : await realPath(home)
  const hooks = await Promise.all(hookFiles.map(realPath))
  const workspace = await realPath(workspacePath)
  const isOurs = (place: string): boolean => {
    if (isAgents(workspace, place)) return false
    // A project may lie in the home; its files are the user's all the same.
    const isProject = isBelow(cwd, place)
    const way = isProject ? place.slice(cwd.length) : place
    return (
      way.split('/').some((name) => name.toLowerCase() === OWN) ||
      (!isProject && root !== undefined && isBelow(root, place)) ||
      (isProject && root !== undefined && isBelow(cwd, root) && isBelow(root, place))
    )
  }
  return (
    written.find((place) => isOurs(place) || hooks.some((hook) => isBelow(place, hook))) ??
    handled.flatMap(({ places }) => places ?? []).find(isOurs) ??
    namedIn(
      handled.flatMap(({ texts }) => texts),
      { homes: [root, home], cwd, workspaces: [workspace, workspacePath] },
    )
  )
}

const OWN = '.reprise'

/** plan.md, files/ and research/ are the agent's to keep. */
const isAgents = (workspace: string, place: string): boolean =>
  place === `${workspace}/${layout.session.plan.path}` ||
  agentsFolders(workspace).some((folder) => isBelow(folder, place))

const agentsFolders = (workspace: string): string[] =>
  [layout.session.files, layout.session.research].map((row) => `${workspace}/${folderOf(row)}`)

/** Texts that only a program makes a path of: code for an interpreter, a variable, a pattern for files. */
function namedIn(
  texts: readonly string[],
  {
    homes,
    cwd,
    workspaces,
  }: {
    readonly homes: readonly (string | undefined)[]
    readonly cwd: string
    readonly workspaces: readonly string[]
  },
): string | undefined {
  const agents = workspaces.flatMap((workspace) => [
    `${workspace}/${layout.session.plan.path}`,
    ...agentsFolders(workspace),
  ])
  // A home around the project is in every path of it.
  const ours = homes.flatMap((home) => (home === undefined || isBelow(home, cwd) ? [] : [home]))
  const without = (text: string, parts: readonly string[]) =>
    parts.reduce((left, part) => left.replaceAll(part, ''), text)
  const named = texts.find((text) => {
    const rest = without(text, agents)
    const inProject = without(rest, [cwd])
    return (
      NAMES.test(inProject) ||
      inProject.split('/').some(mayBecomeOurs) ||
      ours.some((home) => rest.includes(home))
    )
  })
  return named === undefined ? undefined : (NAMES.exec(named)?.[0] ?? named)
}

/** The name of a folder of ours, and the variables that lead to the home. */
const NAMES = /(?<![\w.-])\.reprise(?![\w-]|\.\w)|\b(?:REPRISE|COPILOT)_HOME\b/i

/** A pattern matches a name that begins with a dot only if it begins with one. */
function mayBecomeOurs(name: string): boolean {
  const pieces = name.split(ANY)
  if (!name.startsWith('.') || pieces.length === 1) return false
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  let at = first.length
  if (!OWN.startsWith(first) || !OWN.slice(at).endsWith(last)) return false
  return pieces.slice(1, -1).every((piece) => {
    const found = OWN.indexOf(piece, at)
    at = found + piece.length
    return found !== -1
  })
}
