/** What the shell makes a word of, and every text that it may become as far as the script itself tells. */
import { expandBraces } from '../match-glob.ts'
import type { ShellNode } from './parser.ts'

export type Piece =
  /** As it stands. */
  | string
  /** Files are put in its place. */
  | { readonly pattern: string }
  | { readonly variable: string }
  | { readonly choices: readonly (readonly Piece[])[] }
  | typeof ANYTHING

/** Only the program that runs can tell. */
export const ANYTHING = { anything: true } as const

export function piecesOf(node: ShellNode): readonly Piece[] {
  const [, variable] =
    /^\$(?:(\w+)|\{(\w+)\})$/.exec(node.text)?.flatMap((each) => each ?? []) ?? []
  if (/^(?:simple_)?expansion$/.test(node.type) && variable !== undefined) return [{ variable }]
  if (node.type !== 'string') return [ANYTHING]
  const pieces: Piece[] = []
  let end = node.startIndex + 1
  const start = node.startIndex
  for (const child of node.namedChildren.flatMap((each) => each ?? [])) {
    pieces.push(bare(node.text.slice(end - start, child.startIndex - start)))
    pieces.push(...(child.type === 'string_content' ? [bare(child.text)] : piecesOf(child)))
    end = child.endIndex
  }
  return [...pieces, bare(node.text.slice(end - start, -1))]
}

/** Within double quotes. */
const bare = (text: string): string =>
  text.replace(/\\([$`"\\\n])/g, (_, c) => (c === '\n' ? '' : c))

export function unquotedPieces(text: string): readonly Piece[] {
  const choices = /(?<!\\)\{/.test(text) ? braced(text) : [text]
  if (choices === undefined) return [ANYTHING]
  const [only, ...more] = choices
  if (only !== undefined && more.length === 0) return plainPieces(only)
  return [{ choices: choices.map(plainPieces) }]
}

/** Undefined where it is not told here what the braces make. */
function braced(text: string): readonly string[] | undefined {
  if (text.includes('\\')) return undefined
  const all = expandBraces(text)
  return all?.some((each) => /[{}]/.test(each)) ? undefined : all
}

const plainPieces = (text: string): readonly Piece[] =>
  Array.from(
    text.matchAll(/\\(.)|([*?]|\[[!^]?\]?[^\]]*\])|([[\]])|[^\\*?[\]]+/gs),
    ([whole, escaped, pattern, odd]): Piece =>
      escaped !== undefined
        ? escaped.replace('\n', '')
        : pattern !== undefined
          ? { pattern }
          : odd !== undefined
            ? ANYTHING
            : whole,
  )
