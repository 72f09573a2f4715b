/**
 * Where the grammar and bash may disagree about what is a word, a comment, a substitution or the end of a here-document.
 * A command in which one of these occurs counts as one that cannot be read, so that nothing hides in the difference.
 */
import type { ShellNode } from './parser.ts'

const MOST_CHARACTERS = 64 * 1024
const MOST_DEPTH = 200

/** The grammar takes these for blanks, bash for letters; the last one is ours. */
const ODD_BLANKS =
  /[\0\r\v\f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\uffff]/

/** In the middle of a word bash joins what a broken line separates. */
const BROKEN_WORD = /[^\s]\\\n/

const SKIPPED = /^(?:[ \t\n]|\\\n)*$/

export const isOddText = (text: string): boolean =>
  text.length > MOST_CHARACTERS || ODD_BLANKS.test(text) || BROKEN_WORD.test(text)

export function isOddTree(root: ShellNode, text: string): boolean {
  if (root.hasError) return true
  const look: Look = { text, end: 0, begins: new Set(), literal: [] }
  return (
    isOdd(root, look, { depth: 0, isExpanded: false }) ||
    !SKIPPED.test(text.slice(look.end)) ||
    hidesOpening(look)
  )
}

type Look = {
  readonly text: string
  /** Up to here everything is in the tree. Leaves come in the order in which they stand in the text. */
  end: number
  /** Where substitutions begin and, in backticks, end. */
  readonly begins: Set<number>
  /** Where nothing is ever substituted. */
  readonly literal: (readonly [number, number])[]
}

type Where = { readonly depth: number; readonly isExpanded: boolean }

/** All their text is theirs, whether the tree has a leaf for it or not. */
const OPAQUE: ReadonlySet<string> = new Set(['string', 'heredoc_body', 'regex'])

function isOdd(node: ShellNode, look: Look, { depth, isExpanded }: Where): boolean {
  if (depth > MOST_DEPTH || node.isMissing || isOddNode(node, look.text)) return true
  note(node, look, isExpanded)
  if (node.childCount === 0) {
    const skipped = look.text.slice(look.end, node.startIndex)
    look.end = Math.max(look.end, node.endIndex)
    return !SKIPPED.test(skipped)
  }
  const inner = {
    depth: depth + 1,
    isExpanded: node.type === 'expansion' || (isExpanded && !node.type.endsWith('_substitution')),
  }
  const isOpaque = OPAQUE.has(node.type)
  const found = node.children.some((child) => {
    if (child === null) return false
    if (isOpaque) look.end = Math.max(look.end, child.startIndex)
    return isOdd(child, look, inner)
  })
  if (isOpaque) look.end = Math.max(look.end, node.endIndex)
  return found
}

function note(node: ShellNode, { begins, literal }: Look, isExpanded: boolean): void {
  const { type, startIndex, endIndex, text } = node
  if (type === 'command_substitution' || type === 'arithmetic_expansion') {
    begins.add(startIndex + text.length - text.trimStart().length)
    begins.add(endIndex - 1)
  } else if (
    type === 'comment' ||
    // Within an expansion in double quotes, single quotes are letters.
    (!isExpanded && (type === 'raw_string' || type === 'ansi_c_string'))
  ) {
    literal.push([startIndex, endIndex])
  } else if (type === 'heredoc_redirect' && /<<-?\s*['"]/.test(text)) {
    const body = node.children.find((child) => child?.type === 'heredoc_body')
    if (body) literal.push([body.startIndex, body.endIndex])
  }
}

/** Something would be run that the tree does not have. */
function hidesOpening({ text, begins, literal }: Look): boolean {
  for (const { 0: found, index } of text.matchAll(/\\.|`|\$\(/gs)) {
    if (found.startsWith('\\') || begins.has(index)) continue
    if (!literal.some(([from, to]) => from <= index && index < to)) return true
  }
  return false
}

function isOddNode(node: ShellNode, text: string): boolean {
  switch (node.type) {
    case 'comment':
      return !/^$|[\s;&|()]/.test(text.slice(Math.max(0, node.startIndex - 1), node.startIndex))
    case 'command_substitution':
      // In backticks a backslash is taken away before the rest is read.
      return node.text.trimStart().startsWith('`') && node.text.includes('\\')
    case 'expansion':
      return /[<>]\(/.test(node.text)
    case 'heredoc_redirect':
      return isOddHeredoc(node, text)
    default:
      return false
  }
}

/** One here-document with a plain end, which comes no earlier than the grammar says. */
function isOddHeredoc(node: ShellNode, text: string): boolean {
  const parts = node.children.flatMap((child) => child ?? [])
  const start = parts.find(({ type }) => type === 'heredoc_start')
  const last = parts.find(({ type }) => type === 'heredoc_end')
  if (start === undefined || last === undefined) return true
  const [, mark] = /^(['"]?)\w+\1$/.test(start.text) ? (/(\w+)/.exec(start.text) ?? []) : []
  if (mark === undefined || last.text.trim() !== mark) return true
  const isStripped = parts.some(({ type }) => type === '<<-')
  const body = text.slice(text.indexOf('\n', start.endIndex) + 1, last.startIndex)
  return body
    .split('\n')
    .slice(0, -1)
    .some((line) => (isStripped ? line.replace(/^\t+/, '') : line) === mark)
}
