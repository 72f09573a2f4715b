/** How clues begin, so that most places of a text are told apart without an expression. */
import type { Clue } from './clues.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const WORD = `${LOWER}${LOWER.toUpperCase()}0123456789_-`
const BLANKS =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

type Beginning = readonly [first: string, second: string, third: string]

const inAnyCase = (word: string) =>
  Array.from(word, (letter) => letter + letter.toUpperCase()) as unknown as Beginning

/** The first three signs of all that may be a clue, each as a choice of signs. No clue begins in another way. */
const BEGINNINGS: { readonly [C in Clue]: readonly Beginning[] } = {
  'private-key': [
    ['-', '-', '-'],
    ['P', 'r', 'i'],
  ],
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
    ['-', '-', 'pw'],
    ['c', 'hr', 'py'],
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
  digest: [['D', 'i', 'g']],
  call: [
    ['iI', 'n', '('],
    ['tT', 'i', 'c'],
    ['aA', 'u', 't'],
    ['cC', 'r', 'e'],
  ],
  command: [
    ['h', 't', 'p'],
    ['v', 'a', 'u'],
    ['n', 'e', 't'],
    ['r', 'c', 'l'],
    ['w', 'p', 'a'],
    ['x', 'f', 'r'],
    ['l', 'f', 't'],
    ['q', 'p', 'd'],
    ['sS', 'e', 'c'],
  ],
  sql: [
    ['dD', ' ', 'bB'],
    ['P', 'A', 'S'],
    ['pP', 'a', 's'],
  ],
  said: [['pP', 'a', 's']],
  pin: [
    ['pP', 'iI', 'nN'],
    ['oO', 'tT', 'pP'],
    ['pP', 'a', 's'],
    ['P', 'A', 'S'],
  ],
  seed: [
    ['mM', 'n', 'e'],
    ['M', 'N', 'E'],
    ['pP', 'h', 'r'],
    ['P', 'H', 'R'],
  ],
  smtp: [['A', 'U', 'T']],
  element: [
    ['pP', 'a', 's'],
    ['P', 'A', 'S'],
  ],
  named: [
    ...['pas', 'pwd', 'psk', 'sec', 'tok', 'key', 'cre', 'ken'].map(inAnyCase),
    ['pP', 'wW', `${WORD} \t=:>(]"'\`\\`],
    ['R', 'E', 'D'],
    [`"'_`, 'a', 'u'],
    ['?&;', 's', 'i'],
    ['A', 'c', 'c'],
  ],
}

export const CLUE_BEGINNINGS = Object.values(BEGINNINGS).flat()
