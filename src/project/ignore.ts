/**
 * The rules of .gitignore files: the last rule that fits decides, a deeper file goes before an outer one, `!`
 * takes back, `/` at the end means folders only, any other `/` binds to the file's own folder. Matching takes
 * time proportional to pattern times name whatever a repository brings.
 */

export type IgnoreRules = {
  readonly rules: readonly Rule[]
  /** The folder of the .gitignore, '' for the root. */
  readonly folder: string
  readonly outer: IgnoreRules | undefined
}

type Rule = {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** Of the name alone, or of the path from the .gitignore's folder. */
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
  let pattern = line.replace(/^\uFEFF/, '').replace(/(?<!\\)\s+$/, '')
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
  const tokens = tokensOf(pattern)
  return (name) => matches(tokens, [...name], (token, character) => token(character))
}

function pathMatcher(pattern: string): Rule['fits'] {
  const segments = pattern
    .replace(/^\//, '')
    .split('/')
    .map((segment) => (segment === '**' ? ('any' as const) : tokensOf(segment)))
  // 'a/**' is everything inside a, and not a itself.
  const last = segments.at(-1)
  const steps = last === 'any' ? [...segments.slice(0, -1), tokensOf('*'), last] : segments
  return (_, path) =>
    matches(
      steps,
      path.split('/').map((name) => [...name]),
      (tokens, name) => matches(tokens, name, (token, character) => token(character)),
    )
}

type Token = (character: string) => boolean

function tokensOf(segment: string): (Token | 'any')[] {
  const parts = segment.matchAll(
    /\\(.)|\[([!^]?)((?:\]|\\.|[^\]])(?:\\.|[^\]\\])*)\]|(\*+)|(\?)|(.)/gsu,
  )
  return Array.from(parts, ([, escaped, negation, set, star, question, plain]) => {
    if (star !== undefined) return 'any'
    if (question !== undefined) return () => true
    if (set !== undefined) return oneOf(set, negation !== '')
    return (character: string) => character === (escaped ?? plain)
  })
}

function oneOf(set: string, isNegated: boolean): Token {
  const ranges = Array.from(
    set.matchAll(/(\\?.)-(\\?.)|(\\?.)/gsu),
    ([, from, to, one = '']): [string, string] => [bare(from ?? one), bare(to ?? one)],
  )
  return (character) =>
    ranges.some(([from, to]) => from <= character && character <= to) !== isNegated
}

const bare = (character: string): string =>
  character.length > 1 && character.startsWith('\\') ? character.slice(1) : character

/** `any` stands for any number of things; only the last one has ever to be tried again with one thing more. */
function matches<Step, Thing>(
  pattern: readonly (Step | 'any')[],
  things: readonly Thing[],
  fits: (step: Step, thing: Thing) => boolean,
): boolean {
  let step = 0
  let at = 0
  let retryStep = -1
  let retryAt = -1
  while (at < things.length) {
    const wanted = pattern[step]
    if (wanted === 'any') {
      retryStep = ++step
      retryAt = at
    } else if (step < pattern.length && fits(wanted as Step, things[at] as Thing)) {
      step++
      at++
    } else if (retryStep !== -1) {
      step = retryStep
      at = ++retryAt
    } else {
      return false
    }
  }
  while (pattern[step] === 'any') step++
  return step === pattern.length
}
