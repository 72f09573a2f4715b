/** The Markdown of our own reports as lines on a terminal: light styling, nothing lost. Not a parser for any Markdown. */
import { bold, cyan, green, red, type Span } from './span.ts'

export function markdownLines(text: string): Span[][] {
  let fence: string | undefined
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line): Span[][] => {
      const [mark] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
      if (fence === undefined && mark !== undefined) {
        fence = mark
        return []
      }
      if (fence !== undefined && line === fence) {
        fence = undefined
        return []
      }
      return [fence === undefined ? textLine(line) : codeLine(line)]
    })
}

function codeLine(line: string): Span[] {
  if (/^(?:\+\+\+|---) /.test(line)) return ['  ', bold(line)]
  if (line.startsWith('@@')) return ['  ', cyan(line)]
  if (line.startsWith('+')) return ['  ', green(line)]
  return ['  ', line.startsWith('-') ? red(line) : line]
}

function textLine(line: string): Span[] {
  const [, title] = /^#{1,6} (.*)$/.exec(line) ?? []
  if (title !== undefined) return [bold(plain(title))]
  const [, indent = '', item] = /^(\s*)- (.*)$/.exec(line) ?? []
  if (item === undefined) return inline(line)
  return [`${indent}${indent === '' ? '•' : '–'} `, ...inline(item)]
}

const INLINE = /\*\*((?:\\.|[^*\\])+)\*\*|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)/g

function inline(text: string): Span[] {
  const spans: Span[] = []
  let last = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, strong, , code = ''] = match
    spans.push(plain(text.slice(last, match.index)))
    spans.push(strong === undefined ? cyan(code.trim()) : bold(plain(strong)))
    last = match.index + all.length
  }
  spans.push(plain(text.slice(last)))
  return spans.filter((span) => span !== '')
}

/** What is escaped stands for itself. */
const plain = (text: string): string => text.replace(/\\([\\`*_[\]<>|&~])/g, '$1')
