/**
 * Files that other programs run, or take commands from, later: hooks, settings of editors and agents, work flows, what
 * shells read first. A pattern like `**` does not mean them; a rule that allows writing them has their name in it.
 */
import { isBelow } from '../../lib/is-below.ts'
import { compileGlob, expandBraces } from '../../lib/match-glob.ts'

/** A file, or a folder with everything in it, in any folder. Documented in docs/permissions.md. */
export const RUNS_LATER = [
  // Git, and programs that keep its hooks.
  '.git',
  '.gitconfig',
  '.githooks',
  '.husky',
  '.lefthook',
  '{.,}lefthook{-local,}.{yml,yaml,json,toml}',
  '.pre-commit-config.yaml',
  // Coding agents and their tool servers.
  '.agents',
  '.claude',
  '.codex',
  '.copilot/{config.json,settings.json,mcp-config.json,agents,extensions,hooks,plugins,skills}',
  '.cursor',
  '.gemini',
  '.opencode',
  'opencode.json{,c}',
  '.qwen',
  '.mcp.json',
  // Editors and their containers.
  '.devcontainer{,.json}',
  '.idea',
  '.vscode',
  '.zed',
  '.{exrc,nvimrc,vimrc,nvim.lua,dir-locals.el}',
  // What runs elsewhere for the project.
  '.github/{actions,hooks,workflows}',
  '.{buildkite,circleci,forgejo,gitea,woodpecker}',
  '.{drone,gitlab-ci,travis,woodpecker}.{yml,yaml}',
  '{azure,bitbucket}-pipelines.{yml,yaml}',
  'Jenkinsfile',
  // Package managers and what sets up a shell for a folder.
  '.{npmrc,yarnrc,yarnrc.yml,pnpmfile.cjs,bunfig.toml,curlrc,wgetrc}',
  '.{cargo,yarn}',
  '{.,}mise.toml',
  '.{envrc,direnv}',
  // Shells, and the home.
  '.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,inputrc}',
  '.{zshrc,zshenv,zprofile,zlogin,zlogout}',
  '.ssh',
  '.config/{autostart,fish,git,systemd}',
] as const

const ENTRIES = RUNS_LATER.flatMap((row) => expandBraces(row) ?? []).map((row) =>
  row.toLowerCase().split('/'),
)

/** The name by which a rule has to call it; undefined for any other file. */
export function laterName(place: string, project: string): string | undefined {
  // A project may itself lie in such a folder.
  const way = isBelow(project, place) ? place.slice(project.length) : place
  const names = way.split('/')
  const folded = names.map((name) => name.toLowerCase())
  const at = folded.findIndex((_, from) =>
    ENTRIES.some((entry) => entry.every((name, step) => folded[from + step] === name)),
  )
  return names[at]
}

const LAST_NAMES = new Set(ENTRIES.map((entry) => entry.at(-1)))

/** Whether a path is such a file or folder itself, and not merely in one. */
export function isLaterItself(path: string): boolean {
  const folded = path.toLowerCase()
  if (!LAST_NAMES.has(folded.slice(folded.lastIndexOf('/') + 1))) return false
  return ENTRIES.some((entry) => folded.endsWith(`/${entry.join('/')}`))
}

/** Whether a pattern has the name in it, alone between slashes. */
export const namesIt = (pattern: string, name: string): boolean =>
  expandBraces(pattern)?.some((each) =>
    each.split('/').some((segment) => !isWide(segment) && compileGlob(segment)?.(name) === true),
  ) === true

const isWide = (segment: string): boolean => /[*?[]/.test(segment)
