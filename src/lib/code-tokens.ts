/** Pieces of code with the few colours that most languages share. The pieces joined are the code, letter by letter. */
export type Token = {
  readonly text: string
  readonly kind: 'plain' | 'comment' | 'string' | 'number' | 'keyword'
}

const WORDS =
  'abstract as async await break case catch class const continue def default defer del do done elif else end enum ' +
  'except export extends false fi finally fn for from func function go if impl implements import in interface is ' +
  'lambda let match mod module mut namespace new nil None not null of or package pass private protected pub public ' +
  'raise readonly return select self static struct super switch then this throw trait true try type typeof undefined ' +
  'union use using var void where while with yield True False SELECT FROM WHERE AND OR INSERT UPDATE DELETE CREATE ' +
  'JOIN ON GROUP BY ORDER LIMIT AS DESC ASC LEFT COUNT SUM DISTINCT'

const keywords = new Set(WORDS.split(' '))
const WITH_HASH =
  /^(sh|bash|zsh|shell|py|python|rb|ruby|ya?ml|toml|make(file)?|docker(file)?|perl|r)$/i
const WITH_DASHES = /^(sql|lua|haskell|hs)$/i
const PLAIN = /^(te?xt|plain|md|markdown|console|output)?$/i
/** Beyond this, colours cost more than they give. */
const LONGEST = 100_000

export const codeTokens = (code: string, language: string): Token[] => tokenizer(language)(code)

/** For many pieces in one language. */
export function tokenizer(language: string): (code: string) => Token[] {
  if (PLAIN.test(language)) return plain
  const pattern = patternFor(language)
  return (code) => (code.length > LONGEST ? plain(code) : split(code, pattern))
}

const plain = (code: string): Token[] => [{ text: code, kind: 'plain' }]

function split(code: string, pattern: RegExp): Token[] {
  const tokens: Token[] = []
  let from = 0
  for (const match of code.matchAll(pattern)) {
    const kind = kindOf(match)
    if (kind === undefined) continue
    if (match.index > from) tokens.push({ text: code.slice(from, match.index), kind: 'plain' })
    tokens.push({ text: match[0], kind })
    from = match.index + match[0].length
  }
  if (from < code.length) tokens.push({ text: code.slice(from), kind: 'plain' })
  return tokens
}

function kindOf([, comment, text, number, word]: RegExpExecArray): Token['kind'] | undefined {
  if (comment !== undefined) return 'comment'
  if (text !== undefined) return 'string'
  if (number !== undefined) return 'number'
  return word !== undefined && keywords.has(word) ? 'keyword' : undefined
}

/** What is never closed must not be looked for again from every place: a comment goes to the end, a string is short. */
function patternFor(language: string): RegExp {
  const comment = WITH_HASH.test(language)
    ? '#.*$'
    : WITH_DASHES.test(language)
      ? '--.*$'
      : String.raw`\/\/.*$|\/\*[^]*?(?:\*\/|(?![^]))`
  const text = [String.raw`"(?:[^"\\\n]|\\.)`, String.raw`'(?:[^'\\\n]|\\.)`, '`(?:[^`\\\\]|\\\\.)']
    .map((opened) => `${opened}{0,${LONGEST_STRING}}${opened[0]}`)
    .join('|')
  return new RegExp(String.raw`(${comment})|(${text})|(\b\d[\d_.xa-fA-F]*\b)|([A-Za-z_]\w*)`, 'gm')
}

const LONGEST_STRING = 1000
