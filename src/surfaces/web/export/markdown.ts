/** Markdown as the page draws it: from the same blocks, with the same classes. */
import { codeTokens } from '../../../lib/code-tokens.ts'
import { isDiff, parseDiff, type DiffLine } from '../page/model/diff.ts'
import type { Inline } from '../page/model/inline.ts'
import { parseMarkdown, type Align, type Block, type Item } from '../page/model/markdown.ts'
import { visible, withoutAnsi } from '../page/model/words.ts'
import { markup, words, type Markup } from './markup.ts'

export const markdown = (text: string): Markup =>
  markup`<div class="md">${parseMarkdown(visible(withoutAnsi(text))).map(block)}</div>`

function block(given: Block): Markup {
  switch (given.kind) {
    case 'paragraph':
      return markup`<p>${inline(given.inside)}</p>`
    case 'heading':
      return heading(given.level, inline(given.inside))
    case 'code':
      return code(given.text, given.language)
    case 'formula':
      return code(given.text, 'math')
    case 'quote':
      return markup`<blockquote>${given.blocks.map(block)}</blockquote>`
    case 'note':
      return markup`<p class="note"><sup>${words(given.name)}</sup> ${inline(given.inside)}</p>`
    case 'rule':
      return markup`<hr>`
    case 'list':
      return given.start === undefined
        ? markup`<ul>${given.items.map(item)}</ul>`
        : markup`<ol start="${words(String(given.start))}">${given.items.map(item)}</ol>`
    case 'table':
      return markup`<div class="wide" tabindex="0"><table><thead><tr>${given.head.map(
        (cell, at) => markup`<th scope="col"${aligned(given.aligns[at])}>${inline(cell)}</th>`,
      )}</tr></thead><tbody>${given.rows.map(
        (row) =>
          markup`<tr>${row.map((cell, at) => markup`<td${aligned(given.aligns[at])}>${inline(cell)}</td>`)}</tr>`,
      )}</tbody></table></div>`
  }
}

const aligned = (align: Align | undefined): Markup | undefined =>
  align && markup` class="${words(align)}"`

/** The file has its own first and second heading. */
function heading(level: number, inside: readonly Markup[]): Markup {
  if (level <= 1) return markup`<h3>${inside}</h3>`
  if (level === 2) return markup`<h4>${inside}</h4>`
  return level === 3 ? markup`<h5>${inside}</h5>` : markup`<h6>${inside}</h6>`
}

function item({ done, blocks }: Item): Markup {
  const [first, ...rest] = blocks
  const head = first?.kind === 'paragraph' ? inline(first.inside) : first && block(first)
  if (done === undefined) return markup`<li>${head}${rest.map(block)}</li>`
  return markup`<li class="task">${words(done ? '☑ ' : '☐ ')}${head}${rest.map(block)}</li>`
}

const inline = (pieces: readonly Inline[]): readonly Markup[] => pieces.map(piece)

function piece(given: Inline): Markup {
  switch (given.kind) {
    case 'text':
      return words(given.text)
    case 'code':
      return markup`<code>${words(given.text)}</code>`
    case 'formula':
      return markup`<code>$${words(given.text)}$</code>`
    case 'strong':
      return markup`<strong>${inline(given.inside)}</strong>`
    case 'em':
      return markup`<em>${inline(given.inside)}</em>`
    case 'del':
      return markup`<del>${inline(given.inside)}</del>`
    case 'note':
      return markup`<sup>${words(given.text)}</sup>`
    case 'break':
      return markup`<br>`
    case 'link':
      return markup`<a href="${words(given.href)}" rel="noopener noreferrer nofollow">${inline(given.inside)}</a>`
  }
}

function code(text: string, language: string): Markup {
  if (/^(diff|patch)$/i.test(language) && isDiff(text)) return diff(parseDiff(text))
  const pieces = codeTokens(text, language).map((token) =>
    token.kind === 'plain'
      ? words(token.text)
      : markup`<span class="t-${words(token.kind)}">${words(token.text)}</span>`,
  )
  return markup`<div class="code"><div class="code-head"><span>${words(language)}</span></div><pre tabindex="0"><code>${pieces}</code></pre></div>`
}

const signs = { add: '+', remove: '−', same: ' ', place: '', head: '' } as const

export const diff = (lines: readonly DiffLine[]): Markup =>
  markup`<div class="diff" tabindex="0"><div class="diff-lines">${lines.map(
    ({ kind, text }) =>
      markup`<div class="d-${words(kind)}"><span class="sign">${words(signs[kind])}</span>${words(text || ' ')}</div>`,
  )}</div></div>`
