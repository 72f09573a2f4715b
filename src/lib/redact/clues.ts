/** Words and signs that a secret follows. What they lead to is looked at elsewhere. */

export type Clue =
  | 'private-key'
  | 'header'
  | 'authorization'
  | 'cookie'
  | 'url'
  | 'flag'
  | 'piped'
  | 'netrc'
  | 'set'
  | 'login'
  | 'option'
  | 'pgpass'
  | 'oracle'
  | 'discord'
  | 'named'

type FoundClue = { readonly clue: Clue; readonly start: number; readonly end: number }

/** Looks at this place only. */
export function clueAt(text: string, start: number): FoundClue | undefined {
  if (text.charCodeAt(start) === DOT && text.charCodeAt(start + 7) !== DOT) return undefined
  ANY_CLUE.lastIndex = start
  const match = ANY_CLUE.exec(text)
  const clue =
    match && CLUE_NAMES[match.findIndex((group, at) => at > 0 && group !== undefined) - 1]
  return clue ? { clue, start, end: start + match[0].length } : undefined
}

const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const NAMED = ['pass', 'pwd?', 'psk', 'secret', 'token', 'key', 'credential'].map(anyCase).join('|')

/** In the order in which they are tried. What follows a clue is left for the next hit. */
export const CLUES: Readonly<Record<Clue, string>> = {
  'private-key': '-----BEGIN(?=[ A-Z0-9]{0,30}PRIVATE KEY)',
  header: '\\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[ \\t]+(?=[\\w+/.=~-]{8})',
  authorization: `(?:[Aa]uthorization|AUTHORIZATION)\\\\{0,3}["']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\{0,3}["']?(?:[Tt]oken[ \\t]+|[Aa]pi[Kk]ey[ \\t]+)?(?=[\\w+/.=~-]{16})`,
  cookie: `(?:[Cc]ookie|COOKIE)\\\\{0,3}["']?:[ \\t]{0,4}(?=\\\\{0,3}["']?[^\\s=;,"']{1,64}=)`,
  url: ':\\/\\/(?=[^\\s/@:"\'<>]{0,128}:[^\\s/@"\'<>]{1,256}@|[\\w-]{20,255}(?::x-oauth-basic)?@)',
  flag: '\\s?--?[a-z-]{0,24}(?:pass(?:word|wd|phrase|in|out)?|token|secret|api-?key|access-key)[ \\t]+(?=[^\\s-])',
  piped: '--password-stdin|\\bsudo -S',
  netrc: '\\bpassword[ \\t]+(?=[^\\s=:])',
  set: '(?:_(?:PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|KEY|(?:secret_)?access_key|auth(?:Token)?|password)|quirepass|\\bmasterauth)[ \\t]+(?=[^\\s=:>-])',
  login: '(?:\\s-[uU]|--(?:proxy-)?user)[ \\t=]{0,2}(?=["\']?[^\\s:"\']{1,64}:[^\\s"\']{2})',
  option: '\\s["\']?-[aknpwNPU](?=[^\\s-]|[ \\t][^\\s-])',
  pgpass: ':5432:(?=[^\\s:]{1,64}:[^\\s:]{1,64}:[^\\s:]{4})',
  oracle: '(?:\\bsqlplus[ \\t]+["\']?|:thin:)(?=[\\w$#]{1,64}/[^\\s@"\']{4,128}@)',
  discord: '\\.(?=[\\w-]{6}\\.[\\w-]{27})',
  named: `(?:${NAMED}|["']auth|_auth|[?&;]sig|AccountKey|REDISCLI_AUTH)[\\w-]{0,32}\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?::=|=>|[:=]|>|value=|\\((?=["'\`]))`,
}

const CLUE_NAMES = Object.keys(CLUES) as readonly Clue[]

const ANY_CLUE = new RegExp(
  Object.values(CLUES)
    .map((clue) => `(${clue})`)
    .join('|'),
  'y',
)

/** A dot begins a clue only when another stands behind it: most places are told apart without an expression. */
const DOT = 0x2e

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const WORD = `${LOWER}${LOWER.toUpperCase()}0123456789_-`
const BLANKS =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

type Beginning = readonly [first: string, second: string, third: string]

const inAnyCase = (word: string) =>
  Array.from(word, (letter) => letter + letter.toUpperCase()) as unknown as Beginning

/** The first three signs of all that may be a clue, each as a choice of signs. No clue begins in another way. */
const BEGINNINGS: { readonly [C in Clue]: readonly Beginning[] } = {
  'private-key': [['-', '-', '-']],
  header: [
    ['Bb', 'e', 'a'],
    ['B', 'E', 'A'],
    ['Bb', 'a', 's'],
    ['B', 'A', 'S'],
  ],
  authorization: [
    ['Aa', 'u', 't'],
    ['A', 'U', 'T'],
  ],
  cookie: [
    ['Cc', 'o', 'o'],
    ['C', 'O', 'O'],
  ],
  url: [[':', '/', '/']],
  flag: [
    ['-', `${LOWER}-`, `${LOWER}-`],
    [BLANKS, '-', `${LOWER}-`],
  ],
  piped: [
    ['-', '-', 'p'],
    ['s', 'u', 'd'],
  ],
  netrc: [['p', 'a', 's']],
  set: [
    ['_', 'P', 'A'],
    ['_', 'S', 'E'],
    ['_', 'T', 'O'],
    ['_', 'K', 'E'],
    ['_', 'as', 'cue'],
    ['_', 'p', 'a'],
    ['q', 'u', 'i'],
    ['m', 'a', 's'],
  ],
  login: [
    [BLANKS, '-', 'uU'],
    ['-', '-', 'up'],
  ],
  option: [
    [BLANKS, '-', 'aknpwNPU'],
    [BLANKS, `"'`, '-'],
  ],
  pgpass: [[':', '5', '4']],
  oracle: [
    ['s', 'q', 'l'],
    [':', 't', 'h'],
  ],
  discord: [['.', WORD, WORD]],
  named: [
    ...['pas', 'pwd', 'psk', 'sec', 'tok', 'key', 'cre'].map(inAnyCase),
    ['pP', 'wW', `${WORD} \t=:>(]"'\`\\`],
    ['R', 'E', 'D'],
    [`"'_`, 'a', 'u'],
    ['?&;', 's', 'i'],
    ['A', 'c', 'c'],
  ],
}

export const CLUE_BEGINNINGS = Object.values(BEGINNINGS).flat()
