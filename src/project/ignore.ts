/**
 * The rules of .gitignore files: the last rule that fits decides, a deeper file goes before an outer one, `!`
 * takes back, `/` at the end means folders only, any other `/` binds to the file's own folder. Matching takes
 * time proportional to pattern times name whatever a repository brings.
 */
import { fits, fitsName, tokensOf } from '../lib/match-glob.ts'

export type IgnoreRules = {
  readonly rules: readonly Rule[]
  /** The folder of the .gitignore, '' for the root. */
  readonly folder: string
  readonly outer: IgnoreRules | undefined
}

type Rule = {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** Looks at the name alone, or at the path from the .gitignore's folder. */
  readonly fits: (name: string, path: string) => boolean
}

export function readRules(
  text: string,
  folder: string,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const rules = text.split(/\r?\n/).flatMap((line) => compile(line) ?? [])
  return rules.length === 0 ? outer : { rules, folder, outer }
}

export function isIgnored(
  innermost: IgnoreRules | undefined,
  path: string,
  name: string,
  isFolder: boolean,
): boolean {
  for (let at = innermost; at !== undefined; at = at.outer) {
    const inside = at.folder === '' ? path : path.slice(at.folder.length + 1)
    for (let index = at.rules.length - 1; index >= 0; index--) {
      const rule = at.rules[index]
      if (rule === undefined || (rule.foldersOnly && !isFolder)) continue
      if (rule.fits(name, inside)) return !rule.isNegated
    }
  }
  return false
}

function compile(line: string): Rule | undefined {
  let pattern = line.replace(/^\uFEFF/, '').replace(/(?:(?<![\\\s])|(?<=\\\s))\s+$/, '')
  if (pattern === '' || pattern.startsWith('#')) return undefined
  const isNegated = pattern.startsWith('!')
  if (isNegated) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  if (pattern === '' || pattern.length > MAX_PATTERN) return undefined
  const fits = pattern.includes('/') ? pathMatcher(pattern) : nameMatcher(pattern)
  return { isNegated, foldersOnly, fits }
}

const MAX_PATTERN = 1000

function nameMatcher(pattern: string): Rule['fits'] {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern
  const [, ending] = /^\*([^*?[\\]+)$/.exec(pattern) ?? []
  if (ending !== undefined) return (name) => name.endsWith(ending)
  const mayFit = endsOf(pattern)
  const tokens = tokensOf(pattern)
  return (name) => mayFit(name) && fitsName(tokens, [...name])
}

/** Most names are told apart by the plain letters at the ends of a pattern: far cheaper than to match it. */
function endsOf(segment: string): (name: string) => boolean {
  const startsRight = startOf(segment)
  const [end = ''] = /(?<![^*?[\]\\])[^*?[\]\\]*$/.exec(segment) ?? []
  return (name) => startsRight(name) && name.endsWith(end)
}

function startOf(segment: string): (name: string) => boolean {
  const [start = ''] = /^[^*?[\\]*/.exec(segment) ?? []
  return (name) => name.startsWith(start)
}

function pathMatcher(pattern: string): Rule['fits'] {
  const names = pattern.replace(/^\//, '').split('/')
  const startsRight = startOf(names[0] ?? '')
  const endsRight = endsOf(names.at(-1) ?? '')
  const segments = names.map((segment) => (segment === '**' ? ('any' as const) : tokensOf(segment)))
  // 'a/**' is everything inside a, and not a itself.
  const last = segments.at(-1)
  const steps = last === 'any' ? [...segments.slice(0, -1), tokensOf('*'), last] : segments
  return (name, path) =>
    startsRight(path) &&
    endsRight(name) &&
    fits(
      steps,
      path.split('/').map((part) => [...part]),
      fitsName,
    )
}
