/**
 * What a person typed, as an expression that FTS understands. Every word is quoted, so nothing in it is ever
 * syntax: "phrases" stay together, foo* means a beginning, and compound words are also looked for by their
 * pieces.
 */
import { piecesOf } from './identifiers.ts'

export class BadQuery extends Error {
  override readonly name = 'BadQuery'
}

export type Term = {
  readonly text: string
  readonly prefix: boolean
  /** The words in FTS syntax. */
  readonly match: string
}

const MAX_LENGTH = 1000
const MAX_TERMS = 16
/** A beginning of one letter fits a good part of all words. */
const SHORTEST_PREFIX = 2

export function parseQuery(query: string): Term[] {
  if (query.length > MAX_LENGTH) {
    throw new BadQuery(`A search has at most ${MAX_LENGTH} characters.`)
  }
  const terms = Array.from(query.toWellFormed().matchAll(TERM), ([, phrase, word = '']) =>
    phrase === undefined ? wordTerm(word) : toTerm(phrase, false),
  ).filter(({ text }) => SEARCHABLE.test(text))
  if (terms.length === 0) {
    throw new BadQuery('There is no word to search for: give letters or digits.')
  }
  if (terms.length > MAX_TERMS) throw new BadQuery(`A search has at most ${MAX_TERMS} words.`)
  const short = terms.find(({ prefix, text }) => prefix && text.length < SHORTEST_PREFIX)
  if (short !== undefined) {
    throw new BadQuery(`"${short.text}*" fits too much: give at least ${SHORTEST_PREFIX} letters.`)
  }
  return terms
}

/** All terms, in any order. */
export const matchOf = (terms: readonly Term[]): string =>
  terms.map(({ match }) => match).join(' AND ')

const TERM = /"([^"]*)"?|([^\s"]+)/g
/** What the tokenizer takes as part of a word. */
const SEARCHABLE = /[\p{L}\p{N}\p{Co}]/u

function wordTerm(word: string): Term {
  const prefix = word.length > 1 && word.endsWith('*')
  return toTerm(prefix ? word.replace(/(?<!\*)\*+$/, '') : word, prefix)
}

function toTerm(text: string, prefix: boolean): Term {
  const star = prefix ? '*' : ''
  const pieces = piecesOf(text).join(' ')
  const whole = `${quoted(text)}${star}`
  const match = pieces === text ? whole : `(${whole} OR ${quoted(pieces)}${star})`
  return { text, prefix, match }
}

// NUL would end the expression.
const quoted = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`
