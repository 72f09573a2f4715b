/** One word of a shell command: what it is once quotes are taken away, and how much of that is known before it runs. */
import type { ShellNode } from './parser.ts'
import { ANYTHING, piecesOf, unquotedPieces, type Piece } from './pieces.ts'

export type Word = {
  /** As it was written. */
  readonly source: string
  /** Without its quotes. Undefined when an expansion makes it, or a part of it. */
  readonly value: string | undefined
  /** The value with `ANY` wherever an expansion or a file pattern may put anything. */
  readonly loose: string
  /** It begins with a tilde that the shell replaces by a home. */
  readonly hasTilde: boolean
  /** The shell may put the names of files in its place. */
  readonly hasPattern: boolean
  /** What the shell makes it of. */
  readonly pieces: readonly Piece[]
}

/** Stands for any text, none included. */
export const ANY = '\uffff'

export const knownWord = (value: string): Word => ({
  source: value,
  value,
  loose: value,
  hasTilde: false,
  hasPattern: false,
  pieces: [value],
})

export const unknownWord = (source: string, pieces: readonly Piece[] = [ANYTHING]): Word => ({
  source,
  value: undefined,
  loose: ANY,
  hasTilde: false,
  hasPattern: false,
  pieces,
})

const KINDS: ReadonlySet<string> = new Set([
  'word',
  'number',
  'string',
  'raw_string',
  'ansi_c_string',
  'translated_string',
  'concatenation',
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'special_variable_name',
  'variable_name',
  'test_operator',
  'regex',
  'extglob_pattern',
])

export const isWord = (node: ShellNode): boolean => KINDS.has(node.type)

export function wordOf(node: ShellNode): Word {
  if (node.text === '{}') return knownWord('{}')
  return node.type === 'concatenation' ? joined(node) : single(node)
}

function single(node: ShellNode): Word {
  const { text } = node
  switch (node.type) {
    case 'word':
    case 'number':
      return unquoted(text)
    case 'raw_string':
      return { ...knownWord(text.slice(1, -1)), source: text }
    case 'ansi_c_string':
      return text.includes('\\')
        ? unknownWord(text)
        : { ...knownWord(text.slice(2, -1)), source: text }
    case 'string':
      return node.namedChildren.every((child) => child?.type === 'string_content')
        ? {
            ...knownWord(
              text.slice(1, -1).replace(/\\([$`"\\\n])/g, (_, c) => (c === '\n' ? '' : c)),
            ),
            source: text,
          }
        : unknownWord(text, piecesOf(node))
    default:
      return unknownWord(text, piecesOf(node))
  }
}

/** `{` and `}` outside of quotes may be a brace expansion, which makes several words of one. */
function unquoted(text: string): Word {
  const pieces = unquotedPieces(text)
  if (/(?:^|[^\\])(?:\\\\)*[{}]/.test(text)) return unknownWord(text, pieces)
  const value = text.replace(/\\(.)/gs, (_, character) => (character === '\n' ? '' : character))
  // What stands between brackets is a set of letters; where it ends is left open.
  const loose = text.replace(/\\(.)|\[.*\]|[*?[\]]/gs, (_, character: string | undefined) =>
    character === undefined ? ANY : character === '\n' ? '' : character,
  )
  const hasPattern = loose.includes(ANY)
  return { source: text, value, loose, hasTilde: text.startsWith('~'), hasPattern, pieces }
}

function joined(node: ShellNode): Word {
  const parts = node.children.flatMap((child) => child ?? [])
  const isWhole = parts.every((part, at) => at === 0 || parts[at - 1]?.endIndex === part.startIndex)
  if (!isWhole) return unknownWord(node.text)
  // The grammar parts a word at each bracket and brace.
  if (parts.every(({ type }) => type === 'word' || type === 'number')) return unquoted(node.text)
  const words = parts.map((part) => (isWord(part) ? single(part) : unknownWord(part.text)))
  return {
    source: node.text,
    value: words.every(({ value }) => value !== undefined)
      ? words.map(({ value }) => value).join('')
      : undefined,
    loose: words.map(({ loose }) => loose).join(''),
    hasTilde: words[0]?.hasTilde ?? false,
    hasPattern: words.some(({ hasPattern }) => hasPattern),
    // A brace or a bracket around other parts is not followed.
    pieces: words.some(({ source }) => /^[{}]$|[[\]]/.test(source))
      ? [ANYTHING]
      : words.flatMap(({ pieces }) => pieces),
  }
}
