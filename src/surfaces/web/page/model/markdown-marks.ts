/**
 * What the parser does not know by itself: footnotes, and formulas. A formula is kept whole: within it a star or an
 * underscore marks nothing.
 */
import type MarkdownIt from 'markdown-it'

type Parser = InstanceType<typeof MarkdownIt>
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2]
type InlineRule = Parameters<Parser['inline']['ruler']['before']>[2]

/** What is known of a text: the names of its footnotes, and how many formulas it has. */
type Known = { notes?: Set<string>; formulas?: number }

export function addMarks(parser: Parser): void {
  parser.block.ruler.before('reference', 'note', note, { alt: ['paragraph'] })
  parser.block.ruler.before('fence', 'formula', formulaBlock, { alt: ['paragraph'] })
  parser.inline.ruler.before('link', 'note_mark', noteMark)
  parser.inline.ruler.before('escape', 'formula', formula)
}

const MOST_NAME = 40
const NOTE = /^\[\^([^\s[\]^]{1,40})\]:[ \t]+(?=\S)/

/** `[^name]: what it says`, up to an empty line or the next one. */
const note: BlockRule = (state, startLine, endLine, silent) => {
  const line = (at: number) =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at])
  if ((state.sCount[startLine] ?? 0) - state.blkIndent > 3) return false
  const [mark, name = ''] = NOTE.exec(line(startLine)) ?? []
  if (mark === undefined) return false
  if (silent) return true
  let next = startLine + 1
  while (next < endLine && line(next).trim() !== '' && !NOTE.test(line(next))) next++
  const lines = Array.from({ length: next - startLine }, (_, at) => line(startLine + at))
  state.line = next
  const open = state.push('note_open', 'p', 1)
  open.info = name
  const inside = state.push('inline', '', 0)
  inside.content = lines.join('\n').slice(mark.length).trim()
  inside.children = []
  state.push('note_close', 'p', -1)
  const env = state.env as Known
  env.notes = (env.notes ?? new Set<string>()).add(name)
  return true
}

/** `[^name]`, when there is such a footnote. */
const noteMark: InlineRule = (state, silent) => {
  if (!state.src.startsWith('[^', state.pos)) return false
  const [name = ''] = state.src.slice(state.pos + 2, state.pos + 2 + MOST_NAME + 1).split(']', 1)
  if ((state.env as Known).notes?.has(name) !== true) return false
  if (!silent) state.push('note_mark', 'sup', 0).content = name
  state.pos += name.length + 3
  return true
}

/** What is longer is no formula; nor is a long text looked through for the end of one again and again. */
const MOST_LINES = 60

/** Of one text; each of them is a hundred elements. What comes after them is shown as it was written. */
const MOST_FORMULAS = 400

const isSet = (env: Known): boolean => {
  env.formulas = (env.formulas ?? 0) + 1
  return env.formulas <= MOST_FORMULAS
}

/** What a formula on lines of its own stands between. */
const PAIRS = [
  ['$$', '$$'],
  ['\\[', '\\]'],
] as const

/** Lines between two lines of `$$`, or of `\[` and `\]`, or one line between two of them. */
const formulaBlock: BlockRule = (state, startLine, endLine, silent) => {
  const line = (at: number) =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at]).trim()
  const [open, close] = PAIRS.find(([mark]) => line(startLine).startsWith(mark)) ?? []
  if (open === undefined || (state.sCount[startLine] ?? 0) - state.blkIndent > 3) return false
  let last = startLine
  const isEnd = (at: number) => line(at).endsWith(close) && (at > startLine || line(at).length > 4)
  const most = Math.min(endLine, startLine + MOST_LINES)
  while (last < most && line(last) !== '' && !isEnd(last)) last++
  if (last >= most || !isEnd(last)) return false
  if (silent) return true
  const lines = Array.from({ length: last - startLine + 1 }, (_, at) => line(startLine + at))
  state.line = last + 1
  const token = state.push('fence', 'code', 0)
  token.info = isSet(state.env as Known) ? 'math' : 'tex'
  token.content = lines.join('\n').slice(2, -2).trim()
  return true
}

/**
 * As GitHub has it: no space within the dollars, and neither a letter nor a digit around them, so a price is none; or
 * with backticks inside of them, or two. Models also write `\(…\)`.
 */
const FORMULA =
  /\$`([^`\n]{1,400})`\$|\$\$([^$\n]{1,400})\$\$(?![\w$])|\$((?=[^\s$])[^$\n]{0,400}[^\s$\\]|[^\s$\\])\$(?![\w$])|\\\((?=\s?\S)([^\n]{1,400}?)\\\)/y

const formula: InlineRule = (state, silent) => {
  const sign = state.src[state.pos]
  if (sign !== '$' && sign !== '\\') return false
  if (/[\w$\\]/.test(state.src[state.pos - 1] ?? '')) return false
  FORMULA.lastIndex = state.pos
  const [whole, ...inside] = FORMULA.exec(state.src) ?? []
  if (whole === undefined) return false
  const text = inside.find((part) => part !== undefined)?.trim() ?? ''
  if (!silent && isSet(state.env as Known)) state.push('formula', 'math', 0).content = text
  else if (!silent) state.push('code_inline', 'code', 0).content = whole
  state.pos += whole.length
  return true
}
