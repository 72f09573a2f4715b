/**
 * References to pull requests, issues, commits and branches, from what people say, from the arguments of GitHub
 * tools, from commands and from what they print; of GitHub, GitLab and Azure DevOps. Of the session's own repository a number stands alone; of another one
 * it is `owner/name#12`.
 */
import { clean } from './text.ts'

export type Ref = { readonly type: 'pr' | 'issue' | 'commit' | 'branch'; readonly value: string }

/** So much of one text is looked at, at each end of a long one. */
const WINDOW = 16 * 1024
const MOST = 50

export function refsOfCall(tool: string, args: unknown, repository: string | undefined): Ref[] {
  if (typeof args !== 'object' || args === null) return []
  const fields = args as Record<string, unknown>
  const found = GITHUB_TOOL.test(tool) ? refsOfFields(fields, repository) : []
  const { command } = fields
  if (typeof command === 'string') found.push(...refsOfCommand(command, repository))
  return unique(found)
}

/** Only git says what it did in its own words. */
export function refsOfOutput(output: string, repository: string | undefined): Ref[] {
  const found: Ref[] = []
  for (const text of windows(output)) {
    if (text.includes('://')) found.push(...refsOfUrls(text, repository))
    // The newest of a long history are what the work was about.
    const logged = text.matchAll(ONE_LINE_EACH.test(text.trim()) ? LOGGED_SHORT : LOGGED)
    for (const [, commit = ''] of [...logged].slice(0, MOST_LOGGED))
      found.push({ type: 'commit', value: commit })
    if (!text.includes('[')) continue
    for (const [, branch = '', commit = ''] of text.matchAll(COMMITTED)) {
      found.push({ type: 'commit', value: commit })
      if (branch !== 'detached HEAD') found.push({ type: 'branch', value: branch })
    }
  }
  return unique(found)
}

/** What a person names: an address, or `#123` and `GH-7` of the session's own repository. */
export function refsOfPrompt(text: string, repository: string | undefined): Ref[] {
  const start = text.slice(0, WINDOW)
  const found = start.includes('://') ? refsOfUrls(start, repository) : []
  for (const [, kind = '', number = ''] of start.matchAll(NUMBERED))
    found.push({ type: /^p|^merge|^!/i.test(kind) ? 'pr' : 'issue', value: number })
  return unique(found)
}

/** What `git log`, `show` and `rev-parse` print: `commit <id>` or an id alone on its line. */
const LOGGED = /^(?:commit )?([0-9a-f]{40})(?: \([^)\n]*\))?$/gm
/** What `git log --oneline` and `reflog` print: nothing but lines that begin with a short id. */
const ONE_LINE_EACH = /^(?:[0-9a-f]{7,12} \S[^\n]*(?:\n|$)){1,10000}$/
const LOGGED_SHORT = /^([0-9a-f]{7,12}) \S/gm
const MOST_LOGGED = 10
/** `#12`, `GH-12`, `PR #12`, `issue 12`, `!12` of GitLab: never a part of a word, a colour or an address. */
const NUMBERED =
  /(?<![\w/&#!-])(pr #?|pull request #?|merge request !?|issue #?|gh-|#|!)(\d{1,6})(?![\w-])/gi

const GITHUB_TOOL = /github|pull_request|(?:^|_)issue|(?:^|_)commit/i
/** What `git commit` prints: `[main 1a2b3c4] Message`, `[main (root-commit) 1a2b3c4] Message`. */
const COMMITTED = /^\[([\w./-]{1,200}|detached HEAD)(?: \(root-commit\))? ([0-9a-f]{7,40})\]/gm
const URLS =
  /github\.com\/([\w.-]{1,100})\/([\w.-]{1,100})\/(pull|issues|commit|tree)\/([\w./-]{1,200})/g
const GH = /\bgh (pr|issue) [a-z-]{1,20} (?:#?(\d{1,9}))\b/g
const NEW_BRANCH = /\bgit (?:checkout -[bB]|switch (?:-[cC]|--create)) ([\w./-]{1,200})/g

function refsOfFields(fields: Record<string, unknown>, repository: string | undefined): Ref[] {
  const { owner, repo } = fields
  const other =
    typeof owner === 'string' && typeof repo === 'string' ? `${owner}/${repo}` : undefined
  const found: Ref[] = []
  const numbered = (type: 'pr' | 'issue', ...names: string[]) => {
    for (const name of names) {
      const value = fields[name]
      if (typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value))) {
        found.push({ type, value: named(String(value), other, repository) })
      }
    }
  }
  numbered('pr', 'pullNumber', 'pull_number', 'prNumber', 'pr_number')
  numbered('issue', 'issueNumber', 'issue_number')
  const { sha, branch, head } = fields
  if (typeof sha === 'string' && /^[0-9a-f]{7,40}$/.test(sha)) {
    found.push({ type: 'commit', value: sha })
  }
  for (const value of [branch, head]) {
    if (typeof value === 'string' && /^[\w./-]{1,200}$/.test(value)) {
      found.push({ type: 'branch', value })
    }
  }
  return found
}

function refsOfCommand(command: string, repository: string | undefined): Ref[] {
  const text = command.slice(0, WINDOW)
  const found = text.includes('://') ? refsOfUrls(text, repository) : []
  if (!/\bg(?:it|h) /.test(text)) return found
  for (const [, kind, number = ''] of text.matchAll(GH)) {
    found.push({ type: kind === 'pr' ? 'pr' : 'issue', value: number })
  }
  for (const [, branch = ''] of text.matchAll(NEW_BRANCH)) {
    found.push({ type: 'branch', value: branch })
  }
  return found
}

function refsOfUrls(text: string, repository: string | undefined): Ref[] {
  return [...gitHubUrls(text, repository), ...otherUrls(text, repository)]
}

/** GitLab, of any host: `/group/name/-/merge_requests/7`; Azure DevOps: `/org/project/_git/name/pullrequest/7`. */
const GITLAB =
  /:\/\/[\w.-]{1,200}\/([\w./-]{1,200}?)\/-\/(merge_requests|issues|commit|tree)\/([\w./-]{1,200})/g
const AZURE =
  /(?:dev\.azure\.com\/([\w.%-]{1,100})|([\w-]{1,100})\.visualstudio\.com)\/([\w.%-]{1,100})\/(?:_git\/([\w.%-]{1,100})\/(pullrequest|commit)|(_workitems)\/edit)\/([\w]{1,64})/g

function otherUrls(text: string, repository: string | undefined): Ref[] {
  const found: Ref[] = []
  const add = (kind: string, value: string, other: string) => {
    if (kind === 'commit') {
      if (/^[0-9a-f]{7,40}$/.test(value)) found.push({ type: 'commit', value })
    } else if (kind === 'tree')
      found.push({ type: 'branch', value: value.replace(/(?<![./])[./]+$/, '') })
    else if (/^\d{1,9}$/.test(value))
      found.push({
        type: kind === 'merge_requests' || kind === 'pullrequest' ? 'pr' : 'issue',
        value: named(value, other, repository),
      })
  }
  if (text.includes('/-/'))
    for (const [, path = '', kind = '', rest = ''] of text.matchAll(GITLAB))
      add(kind, kind === 'tree' ? rest : (rest.split('/')[0] ?? ''), path)
  if (text.includes('azure.com/') || text.includes('visualstudio.com/'))
    for (const [, org, old, project, name, kind, item, value = ''] of text.matchAll(AZURE))
      add(kind ?? item ?? '', value, [org ?? old, project, ...(name ? [name] : [])].join('/'))
  return found
}

function gitHubUrls(text: string, repository: string | undefined): Ref[] {
  if (!text.includes('github.com/')) return []
  return Array.from(text.matchAll(URLS)).flatMap(([, owner, name, kind, rest = '']): Ref[] => {
    const other = `${owner}/${name}`
    const [first = ''] = rest.split('/')
    switch (kind) {
      case 'commit':
        return /^[0-9a-f]{7,40}$/.test(first) ? [{ type: 'commit', value: first }] : []
      case 'tree':
        return [{ type: 'branch', value: rest.replace(/(?<![./])[./]+$/, '') }]
      default:
        if (!/^\d{1,9}$/.test(first)) return []
        return [{ type: kind === 'pull' ? 'pr' : 'issue', value: named(first, other, repository) }]
    }
  })
}

function named(number: string, other: string | undefined, own: string | undefined): string {
  const isOwn = other === undefined || other.toLowerCase() === own?.toLowerCase()
  return isOwn ? number : `${other}#${number}`
}

const windows = (text: string): string[] =>
  text.length <= 2 * WINDOW ? [text] : [text.slice(0, WINDOW), text.slice(-WINDOW)]

function unique(refs: readonly Ref[]): Ref[] {
  const seen = new Map<string, Ref>()
  for (const { type, value } of refs) {
    if (value !== '' && seen.size < MOST)
      seen.set(`${type} ${value}`, { type, value: clean(value) })
  }
  return [...seen.values()]
}
