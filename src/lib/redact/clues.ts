/** Words and signs that a secret follows. What they lead to is looked at elsewhere. */

export type Clue =
  'private-key' | 'header' | 'url' | 'flag' | 'netrc' | 'login' | 'joined' | 'discord' | 'named'

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

const NAMED = ['pass(?:w|phrase)', 'pwd', 'secret', 'token', 'key', 'credential']
  .map(anyCase)
  .join('|')

/** In the order in which they are tried. What follows a clue is left for the next hit. */
export const CLUES: Readonly<Record<Clue, string>> = {
  'private-key': '-----BEGIN(?=[ A-Z0-9]{0,30}PRIVATE KEY)',
  header: '\\b(?:[Bb]earer|BEARER|[Bb]asic)[ \\t]+(?=[\\w+/.=~-]{8})',
  url: ':\\/\\/(?=[^\\s/@:"\'<>]{0,128}:[^\\s/@"\'<>]{1,256}@|[\\w-]{20,255}(?::x-oauth-basic)?@)',
  flag: '--?[a-z-]{0,24}(?:pass(?:word|wd|phrase)?|token|secret|api-?key|access-key)[ \\t]+(?=[^\\s-])',
  netrc: '\\bpassword[ \\t]+(?=[^\\s=:])',
  login: '(?:\\s-u|--user)[ \\t=]{0,2}(?=["\']?[^\\s:"\']{1,64}:[^\\s"\']{8})',
  joined: '\\s-p(?=[^\\s-]|[ \\t][^\\s-])',
  discord: '\\.(?=[\\w-]{6}\\.[\\w-]{27})',
  named: `(?:${NAMED}|["']auth|_auth|[?&;]sig|AccountKey)[\\w-]{0,32}\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?::=|=>|[:=]|>)`,
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
  ],
  url: [[':', '/', '/']],
  flag: [['-', `${LOWER}-`, `${LOWER}-`]],
  netrc: [['p', 'a', 's']],
  login: [
    [BLANKS, '-', 'u'],
    ['-', '-', 'u'],
  ],
  joined: [[BLANKS, '-', 'p']],
  discord: [['.', WORD, WORD]],
  named: [
    ...['pas', 'pwd', 'sec', 'tok', 'key', 'cre'].map(inAnyCase),
    [`"'_`, 'a', 'u'],
    ['?&;', 's', 'i'],
    ['A', 'c', 'c'],
  ],
}

export const CLUE_BEGINNINGS = Object.values(BEGINNINGS).flat()
