/**
 * Whether a path fits a pattern: `*` and `?` within a name, `[a-z]`, `[!a-z]`, `**` for any folders, `{a,b}`.
 * Takes time proportional to pattern times path whatever the pattern is, which a translation to a regular
 * expression does not.
 */
type Glob = (path: string) => boolean

const MAX_ALTERNATIVES = 256

/** Undefined when the pattern stands for too many alternatives. */
export function compileGlob(pattern: string): Glob | undefined {
  const alternatives = expandBraces(pattern)
  if (alternatives === undefined) return undefined
  const compiled = alternatives.map((each) =>
    each
      .replace(/^(?:\.\/)+/, '')
      .split('/')
      .map((name) => (name === '**' ? ('any' as const) : tokensOf(name))),
  )
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name))
    return compiled.some((segments) => fits(segments, names, fitsName))
  }
}

/**
 * Whether what the pattern means and what a text may become, in which `wild` stands for any text, have anything in
 * common. A slash is a letter like any other, but for `*` where the pattern is one of paths.
 */
export function compileOverlap(
  pattern: string,
  wild: string,
  { ofPaths }: { readonly ofPaths: boolean } = { ofPaths: false },
): Glob | undefined {
  const alternatives = expandBraces(pattern)?.map((each) =>
    ofPaths
      ? each.split('**').flatMap((part, at) => [...(at > 0 ? ANY_PATH : []), ...namesOf(part)])
      : tokensOf(each),
  )
  if (alternatives === undefined) return undefined
  return (text) => alternatives.some((tokens) => overlaps(tokens, text, wild))
}

const ANY_PATH = ['any'] as const

const namesOf = (part: string) =>
  tokensOf(part).map((token) => (token === 'any' ? ('any name' as const) : token))

function overlaps(tokens: readonly (Token | 'any name')[], text: string, wild: string): boolean {
  let reached = skipAny(tokens, new Set([0]))
  for (const character of text) {
    const next = new Set<number>()
    for (const at of reached) {
      const token = tokens[at]
      if (character === wild) for (let to = at; to <= tokens.length; to++) next.add(to)
      else if (token === 'any' || (token === 'any name' && character !== '/')) next.add(at)
      else if (typeof token === 'function' && token(character)) next.add(at + 1)
    }
    if (next.size === 0) return false
    reached = skipAny(tokens, next)
  }
  return reached.has(tokens.length)
}

/** Where the pattern can also be, as `*` stands for nothing as well. */
function skipAny(tokens: readonly (Token | 'any name')[], reached: Set<number>): Set<number> {
  for (const at of reached) if (typeof tokens[at] === 'string') reached.add(at + 1)
  return reached
}

type Token = 'any' | ((character: string) => boolean)

/**
 * Both levels are the same game: a run of things, and a pattern in which `any` stands for any number of
 * them. Only the last `any` has ever to be tried again with one thing more.
 */
export function fits<Step, Thing>(
  pattern: readonly (Step | 'any')[],
  things: readonly Thing[],
  matches: (step: Step, thing: Thing) => boolean,
): boolean {
  let step = 0
  let at = 0
  let retryStep = -1
  let retryAt = -1
  while (at < things.length) {
    const wanted = pattern[step]
    const thing = things[at] as Thing
    if (wanted === 'any') {
      retryStep = ++step
      retryAt = at
    } else if (wanted !== undefined && matches(wanted as Step, thing)) {
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

export const fitsName = (tokens: readonly Token[], name: readonly string[]): boolean =>
  fits<Exclude<Token, 'any'>, string>(tokens, name, (token, character) => token(character))

export function tokensOf(name: string): Token[] {
  const tokens: Token[] = []
  const parts = name.matchAll(
    /\\(.)|\[([!^]?)((?:\]|\\.|[^\]])(?:\\.|[^\]\\])*)\]|(\*+)|(\?)|(.)/gsu,
  )
  for (const [, escaped, negation, set, star, question, plain] of parts) {
    if (star !== undefined) tokens.push('any')
    else if (question !== undefined) tokens.push(() => true)
    else if (set !== undefined) tokens.push(oneOf(set, negation !== ''))
    else tokens.push((character) => character === (escaped ?? plain))
  }
  return tokens
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

/** `{a,b{c,d}}` as the list of what it stands for; a brace without its partner stands for itself. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = []
  const waiting = [pattern]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next)
    if (found === null) {
      done.push(next)
    } else {
      const [whole, inner = ''] = found
      const [head, tail] = [next.slice(0, found.index), next.slice(found.index + whole.length)]
      waiting.push(...inner.split(',').map((choice) => head + choice + tail))
    }
    if (done.length + waiting.length > MAX_ALTERNATIVES) return undefined
  }
  return done.reverse()
}
