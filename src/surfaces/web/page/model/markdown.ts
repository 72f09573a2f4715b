/** Markdown as plain data: the blocks that agents write. A text that still grows is parsed the same way. */
import { parseInline } from './inline.ts'
import type { Inline } from './inline.ts'

export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      readonly start: number | undefined
      readonly items: readonly Item[]
    }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

export type Item = { readonly done: boolean | undefined; readonly blocks: readonly Block[] }

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const QUOTE = /^ {0,3}> ?/
const BULLET = /^( {0,12})([-*+]|\d{1,9}[.)])(?:\s+(.*)|\s*)$/
const DIVIDER = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/
const DEEPEST = 8

export const parseMarkdown = (source: string): Block[] =>
  parseBlocks(source.replace(/\r\n?/g, '\n').split('\n'), 0)

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at++
      continue
    }
    const taken = depth > DEEPEST ? undefined : takeBlock(lines, at, depth)
    const { block, next } = taken ?? takeParagraph(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

type Taken = { readonly block: Block; readonly next: number }

function takeBlock(lines: readonly string[], at: number, depth: number): Taken | undefined {
  const line = lines[at] ?? ''
  const fence = FENCE.exec(line)
  if (fence !== null) return takeFence(lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading !== null) {
    const [, marks = '', text = ''] = heading
    return {
      block: { kind: 'heading', level: marks.length, inside: parseInline(text) },
      next: at + 1,
    }
  }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  if (QUOTE.test(line)) return takeQuote(lines, at, depth)
  if (BULLET.test(line)) return takeList(lines, at, depth)
  return isTable(lines, at) ? takeTable(lines, at) : undefined
}

/** Without its end, a fence goes to the end of the text: that is how it looks while it is being written. */
function takeFence(lines: readonly string[], at: number, fence: RegExpExecArray): Taken {
  const [, marks = '```', language = ''] = fence
  const isEnd = (line: string) => {
    const text = line.trim()
    return text.startsWith(marks) && text === marks.charAt(0).repeat(text.length)
  }
  let end = at + 1
  while (end < lines.length && !isEnd(lines[end] ?? '')) end++
  return {
    block: { kind: 'code', language, text: lines.slice(at + 1, end).join('\n') },
    next: end + 1,
  }
}

function takeQuote(lines: readonly string[], at: number, depth: number): Taken {
  let end = at
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  return { block: { kind: 'quote', blocks: parseBlocks(inner, depth + 1) }, next: end }
}

function takeList(lines: readonly string[], at: number, depth: number): Taken {
  const [, indent = '', marker = '-'] = BULLET.exec(lines[at] ?? '') ?? []
  const isNumbered = /\d/.test(marker)
  const items: Item[] = []
  let next = at
  while (next < lines.length) {
    const [, own, sign = '', text = ''] = BULLET.exec(lines[next] ?? '') ?? []
    if (own === undefined || own.length > indent.length + 1 || /\d/.test(sign) !== isNumbered) break
    if (own.length < indent.length) break
    const end = endOfItem(lines, next + 1, own.length)
    const rest = lines.slice(next + 1, end).map((line) => dedent(line, own.length + 2))
    const task = /^\[([ xX])\]\s+(.*)$/.exec(text)
    const first = task?.[2] ?? text
    items.push({
      done: task === null ? undefined : task[1] !== ' ',
      blocks: parseBlocks([first, ...rest], depth + 1),
    })
    next = end
  }
  const start = isNumbered ? Number.parseInt(marker, 10) : undefined
  return { block: { kind: 'list', start, items }, next }
}

/** An item has the lines below it that are indented, and those that go on with its last paragraph. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let end = from
  let last = from
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    const followsBlank = end > 0 && (lines[end - 1] ?? '').trim() === ''
    if (depth <= indent && (followsBlank || BULLET.test(line) || startsBlock(line))) break
    last = end + 1
  }
  return last
}

const dedent = (line: string, most: number): string => line.replace(new RegExp(`^ {0,${most}}`), '')

const startsBlock = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)

const isTable = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? '').includes('|') &&
  (lines[at + 1] ?? '').includes('-') &&
  DIVIDER.test(lines[at + 1] ?? '')

function takeTable(lines: readonly string[], at: number): Taken {
  let end = at + 2
  while (end < lines.length && (lines[end] ?? '').includes('|')) end++
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf)
  return { block: { kind: 'table', head, rows }, next: end }
}

const cellsOf = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim()))

function takeParagraph(lines: readonly string[], at: number): Taken {
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (line.trim() === '' || startsBlock(line) || BULLET.test(line) || isTable(lines, end)) break
    end++
  }
  const text = lines
    .slice(at, end)
    .map((line) => line.trimStart())
    .join('\n')
    .trimEnd()
  return { block: { kind: 'paragraph', inside: parseInline(text) }, next: end }
}
