/**
 * Markdown as plain data, parsed by markdown-it. The views make elements of the data, so no text of a session
 * ever becomes markup: HTML in it is text, and an address that is not of the web or of mail is no link.
 */
import MarkdownIt from 'markdown-it'
import { inlineOf, type Inline, type Piece } from './inline.ts'
import { addMarks } from './markdown-marks.ts'

export type Align = 'left' | 'center' | 'right'
export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  /** A formula in TeX, on lines of its own. */
  | { readonly kind: 'formula'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      readonly start: number | undefined
      readonly items: readonly Item[]
    }
  | { readonly kind: 'rule' }
  /** A footnote: it is called so where the text refers to it. */
  | { readonly kind: 'note'; readonly name: string; readonly inside: readonly Inline[] }
  | {
      readonly kind: 'table'
      /** Of each column; undefined where the table does not say. */
      readonly aligns: readonly (Align | undefined)[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

export type Item = { readonly done: boolean | undefined; readonly blocks: readonly Block[] }

const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: 24 })
// What looks like a bare name of a host mostly is the name of a file.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
// A line of dashes under a text is what agents draw under it, not a heading.
parser.disable('lheading')
addMarks(parser)

type Token = ReturnType<typeof parser.parse>[number]

export const parseMarkdown = (source: string): Block[] => blocksOf(parser.parse(source, {}))

/** One line of it, without blocks. */
export const parseInline = (source: string): Inline[] =>
  parser.parseInline(source, {}).flatMap((token) => insideOf(token))

const insideOf = ({ children }: Token): Inline[] => inlineOf((children ?? []) as readonly Piece[])

function blocksOf(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const end = token.nesting === 1 ? endOf(tokens, at) : at
    const block = blockOf(token, tokens.slice(at + 1, end))
    if (block !== undefined) blocks.push(block)
    at = end
  }
  return blocks
}

/** Where the element that begins here ends. */
function endOf(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0
    if (depth === 0) return at
  }
  return tokens.length
}

function blockOf(token: Token, within: readonly Token[]): Block | undefined {
  switch (token.type) {
    case 'paragraph_open':
      return { kind: 'paragraph', inside: within.flatMap(insideOf) }
    case 'heading_open':
      return {
        kind: 'heading',
        level: Number(token.tag.slice(1)),
        inside: within.flatMap(insideOf),
      }
    case 'fence':
    case 'code_block':
      return codeOf(token)
    case 'blockquote_open':
      return { kind: 'quote', blocks: blocksOf(within) }
    case 'bullet_list_open':
      return { kind: 'list', start: undefined, items: itemsOf(within) }
    case 'ordered_list_open':
      return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: itemsOf(within) }
    case 'note_open':
      return { kind: 'note', name: token.info, inside: within.flatMap(insideOf) }
    case 'hr':
      return { kind: 'rule' }
    case 'table_open':
      return tableOf(within)
    case 'inline':
      return { kind: 'paragraph', inside: insideOf(token) }
    default:
      return undefined
  }
}

function codeOf({ info, content }: Token): Block {
  const language = /^[\w+#.-]*/.exec(info.trim())?.[0] ?? ''
  const text = content.replace(/\n$/, '')
  return language === 'math' ? { kind: 'formula', text } : { kind: 'code', language, text }
}

function itemsOf(tokens: readonly Token[]): Item[] {
  const items: Item[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.type !== 'list_item_open') continue
    const end = endOf(tokens, at)
    items.push(itemOf(blocksOf(tokens.slice(at + 1, end))))
    at = end
  }
  return items
}

const BOX = /^\[([ xX])\]\s+/

function itemOf(blocks: readonly Block[]): Item {
  const [first, ...rest] = blocks
  const text = first?.kind === 'paragraph' ? first.inside[0] : undefined
  const box = text?.kind === 'text' ? BOX.exec(text.text) : null
  if (first?.kind !== 'paragraph' || text?.kind !== 'text' || box === null)
    return { done: undefined, blocks }
  const inside = [{ ...text, text: text.text.slice(box[0].length) }, ...first.inside.slice(1)]
  return { done: box[1] !== ' ', blocks: [{ ...first, inside }, ...rest] }
}

function tableOf(tokens: readonly Token[]): Block {
  const rows: Inline[][][] = []
  const aligns: (Align | undefined)[] = []
  tokens.forEach((token, at) => {
    if (token.type === 'tr_open') rows.push([])
    if (token.type !== 'th_open' && token.type !== 'td_open') return
    if (token.type === 'th_open') aligns.push(alignOf(token))
    const cell = tokens[at + 1]
    rows.at(-1)?.push(cell?.type === 'inline' ? insideOf(cell) : [])
  })
  const [head = [], ...rest] = rows
  return { kind: 'table', aligns, head, rows: rest }
}

const alignOf = (token: Token): Align | undefined => {
  const [, align] =
    /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? '')) ?? []
  return align as Align | undefined
}
