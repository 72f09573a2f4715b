/**
 * References to pull requests, issues, commits and branches, from the arguments of GitHub tools, from
 * commands and from what they print. Of the session's own repository a number stands alone; of another one
 * it is `owner/name#12`.
 */
import { clean } from './text.ts'

export type Ref = { readonly type: 'pr' | 'issue' | 'commit' | 'branch'; readonly value: string }

/** Of one text; each end of a long one is looked at. */
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

/** `command` is what was run, when it is known: only git says what it did in its own words. */
export function refsOfOutput(output: string, repository: string | undefined): Ref[] {
  const found: Ref[] = []
  for (const text of windows(output)) {
    if (text.includes('github.com/')) found.push(...refsOfUrls(text, repository))
    if (!text.includes('[')) continue
    for (const [, branch = '', commit = ''] of text.matchAll(COMMITTED)) {
      found.push({ type: 'commit', value: commit })
      if (branch !== 'detached HEAD') found.push({ type: 'branch', value: branch })
    }
  }
  return unique(found)
}

export const refsOfPrompt = (text: string, repository: string | undefined): Ref[] =>
  text.includes('github.com/') ? unique(refsOfUrls(text.slice(0, WINDOW), repository)) : []

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
  const found = text.includes('github.com/') ? refsOfUrls(text, repository) : []
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
  return Array.from(text.matchAll(URLS)).flatMap(([, owner, name, kind, rest = '']): Ref[] => {
    const other = `${owner}/${name}`
    const [first = ''] = rest.split('/')
    switch (kind) {
      case 'commit':
        return /^[0-9a-f]{7,40}$/.test(first) ? [{ type: 'commit', value: first }] : []
      case 'tree':
        return [{ type: 'branch', value: rest.replace(/[./]+$/, '') }]
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
