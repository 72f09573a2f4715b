/** Every text that a word may become, as far as the script itself tells. Pure. */
import type { Binding } from './bindings.ts'
import type { Piece } from './pieces.ts'
import { ANY, type Word } from './word.ts'

export type Possible =
  | { readonly plain: string }
  /** Files are put in its place, or it stands for itself where there are none; `\` before signs that are letters. */
  | { readonly glob: string }
  /** With `ANY` in it. */
  | { readonly loose: string }

/** The words that a variable may hold; undefined when that cannot be told. */
export type Variables = (name: string) => readonly Pick<Word, 'pieces'>[] | undefined

/** `known` is what the variables hold that the script does not set. */
export function variablesOf(
  bindings: readonly Binding[],
  known: Readonly<Record<string, string>>,
): Variables {
  const isOpen = bindings.some(({ name }) => name === '*')
  return (name) => {
    if (isOpen) return undefined
    const words = bindings.flatMap((each) => (each.name === name ? [each.word] : []))
    if (words.length === 0)
      return Object.hasOwn(known, name) ? [{ pieces: [known[name] ?? ''] }] : undefined
    return words.includes(undefined) ? undefined : words.flatMap((word) => word ?? [])
  }
}

const MOST_TEXTS = 64
const MOST_DEEP = 4

export function possibleTexts(
  { pieces }: Pick<Word, 'pieces'>,
  variables: Variables,
): readonly Possible[] {
  return (textsOf(pieces, variables, 0) ?? [UNKNOWN]).map(({ loose, glob, isPattern }) =>
    glob === undefined ? { loose } : isPattern ? { glob } : { plain: loose },
  )
}

type Text = {
  readonly loose: string
  /** Undefined when a part of it is not known. */
  readonly glob: string | undefined
  readonly isPattern: boolean
}

const UNKNOWN: Text = { loose: ANY, glob: undefined, isPattern: false }
const NOTHING: Text = { loose: '', glob: '', isPattern: false }

/** Undefined when there are too many. Of no pieces there is no text. */
function textsOf(
  pieces: readonly Piece[],
  variables: Variables,
  depth: number,
): readonly Text[] | undefined {
  let all: readonly Text[] = pieces.length === 0 ? [] : [NOTHING]
  for (const piece of pieces) {
    const next = textsOfPiece(piece, variables, depth)
    if (next === undefined || all.length * next.length > MOST_TEXTS) return undefined
    all = all.flatMap((before) => next.map((after) => joined(before, after)))
  }
  return all
}

const joined = (one: Text, other: Text): Text => ({
  loose: one.loose + other.loose,
  glob: one.glob === undefined || other.glob === undefined ? undefined : one.glob + other.glob,
  isPattern: one.isPattern || other.isPattern,
})

function textsOfPiece(
  piece: Piece,
  variables: Variables,
  depth: number,
): readonly Text[] | undefined {
  if (typeof piece === 'string') return [plain(piece)]
  if ('pattern' in piece) return [{ loose: ANY, glob: piece.pattern, isPattern: true }]
  if ('choices' in piece) {
    const all = piece.choices.map((each) => textsOf(each, variables, depth))
    return all.includes(undefined) ? undefined : all.flatMap((each) => each ?? [])
  }
  const words = 'variable' in piece && depth < MOST_DEEP ? variables(piece.variable) : undefined
  if (words === undefined) return [UNKNOWN]
  const values = words.map((word) => textsOf(word.pieces, variables, depth + 1))
  return values.includes(undefined)
    ? undefined
    : values.flatMap((each) => each ?? []).flatMap(expanded)
}

const plain = (text: string): Text => ({
  loose: text,
  glob: text.replaceAll(/[*?[\]\\{}]/g, String.raw`\$&`),
  isPattern: false,
})

/** Without quotes, blanks in a value begin a new word, and signs of a pattern are signs again. */
function expanded(text: Text): readonly Text[] {
  if (text.glob === undefined || text.isPattern) return [text]
  const words = text.loose.split(/\s+/).filter((word) => word !== text.loose && word !== '')
  return [text.loose, ...words].flatMap((each) =>
    /[*?[]/.test(each)
      ? [plain(each), { loose: ANY, glob: each.replaceAll('\\', '\\\\'), isPattern: true }]
      : [plain(each)],
  )
}
