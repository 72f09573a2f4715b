/**
 * Says what directory, repository and branch a session works in, from the files alone: no program is
 * run, and nothing here fails because a repository is odd or broken.
 */
import { homedir } from 'node:os'
import { defined } from '../../lib/defined.ts'
import { parseGitConfig, type GitConfigEntry } from '../../lib/git-config.ts'
import {
  findGitFolders,
  readFirstReflogLine,
  readGitConfig,
  readGitHead,
  readUserGitConfig,
  type GitFolders,
} from '../../lib/git-files.ts'
import { identifyRemote, remoteKey, type RemoteIdentity } from '../../lib/git-remote.ts'

export type Project = {
  readonly cwd: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly hostType?: 'github' | 'ado'
  readonly repositoryHost?: string
  /** Missing when HEAD is detached. */
  readonly branch?: string
  readonly headCommit?: string
  /** The same for every work tree and every place of one repository, as far as its files can tell. */
  readonly repositoryKey?: string
}

export async function detectProject(
  cwd: string,
  { home = homedir() }: { home?: string } = {},
): Promise<Project> {
  const folders = await findGitFolders(cwd)
  if (folders === undefined) return { cwd }
  const [head, remote] = await Promise.all([readGitHead(folders), identityOf(folders, home)])
  const branch = head.ref?.startsWith(BRANCHES) ? head.ref.slice(BRANCHES.length) : undefined
  return {
    cwd,
    gitRoot: folders.workTree,
    ...remote,
    ...defined({ branch, headCommit: head.commit }),
    repositoryKey:
      remote === undefined
        ? await localKey(folders)
        : remoteKey(remote.repository, remote.hostType),
  }
}

/** What events tell of a project: all but the key, which the format does not know. */
export function projectContext({
  repositoryKey: _ours,
  ...context
}: Project): Omit<Project, 'repositoryKey'> {
  return context
}

/** The same for workspace.yaml. */
export const whereIn = ({ cwd, gitRoot, repository, hostType, branch }: Project) => ({
  cwd,
  git_root: gitRoot,
  repository,
  host_type: hostType,
  branch,
})

const BRANCHES = 'refs/heads/'

async function identityOf(folders: GitFolders, home: string): Promise<RemoteIdentity | undefined> {
  const [own, user] = await Promise.all([readGitConfig(folders), readUserGitConfig(home)])
  const entries = parseGitConfig(own)
  const url = preferredRemote(entries)
  if (url === undefined) return undefined
  return identifyRemote(rewritten(url, [...parseGitConfig(user), ...entries]))
}

/** `origin`, else `upstream`, else the only one: among several others none speaks for the repository. */
function preferredRemote(entries: readonly GitConfigEntry[]): string | undefined {
  const urls = new Map<string, string>()
  for (const { section, subsection, key, value } of entries) {
    if (section !== 'remote' || key !== 'url' || subsection === undefined) continue
    // Git fetches from the first of several URLs.
    if (!urls.has(subsection)) urls.set(subsection, value)
  }
  const only = urls.size === 1 ? [...urls.values()][0] : undefined
  return urls.get('origin') ?? urls.get('upstream') ?? only
}

/** Applies `url.<base>.insteadOf`: the longest matching beginning is replaced. */
function rewritten(url: string, entries: readonly GitConfigEntry[]): string {
  let best: GitConfigEntry | undefined
  for (const entry of entries) {
    if (entry.section !== 'url' || entry.key !== 'insteadof' || entry.value === '') continue
    if (!url.startsWith(entry.value)) continue
    if (best === undefined || entry.value.length > best.value.length) best = entry
  }
  return best === undefined ? url : (best.subsection ?? '') + url.slice(best.value.length)
}

/** A repository without a remote is known by its first commit, which moves with it, else by its place. */
async function localKey(folders: GitFolders): Promise<string> {
  const line = (await readFirstReflogLine(folders)) ?? ''
  const first = /^0+ ([0-9a-f]{40,64}) .*\tcommit \(initial\)/.exec(line)?.[1]
  return first === undefined ? `dir:${folders.commonDir}` : `root:${first}`
}
