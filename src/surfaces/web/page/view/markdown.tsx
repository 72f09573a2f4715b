/** Draws Markdown from its data. Every text is a text node: there is no way for it to become anything else. */
import { createContext, type ComponentChildren, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { memo } from './memo.ts'
import type { Inline } from '../model/inline.ts'
import { parseMarkdown, type Block, type Item } from '../model/markdown.ts'
import { visible, withoutAnsi } from '../model/words.ts'
import { Code } from './code.tsx'
import { Formula, FormulaBlock } from './formula.tsx'

export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div class="md">{parseMarkdown(visible(withoutAnsi(text))).map(drawBlock)}</div>
))

/** One line of plain words in which formulas are set; whatever else it looks like stays as it is. */
export const Words = memo(({ text }: { readonly text: string }) => <>{wordsOf(visible(text))}</>)

function wordsOf(text: string): ComponentChildren {
  const [only, ...more] = /\$|\\\(/.test(text) ? parseMarkdown(text) : []
  const pieces = only?.kind === 'paragraph' && more.length === 0 ? only.inside : []
  const hasOthers = pieces.some(({ kind }) => kind !== 'text' && kind !== 'formula')
  return pieces.length === 0 || hasOthers ? text : drawInline(pieces)
}

/** Where a piece of code leads to, on this page: for texts that name things of ours. */
export const CodeLinks = createContext<(code: string) => string | undefined>(() => undefined)

function CodePiece({ text }: { readonly text: string }) {
  const href = useContext(CodeLinks)(text)
  const code = <code>{text}</code>
  return href === undefined ? code : <a href={href}>{code}</a>
}

function drawBlock(block: Block): JSX.Element {
  switch (block.kind) {
    case 'paragraph':
      return <p>{drawInline(block.inside)}</p>
    case 'heading':
      return <Heading level={block.level}>{drawInline(block.inside)}</Heading>
    case 'code':
      return <Code text={block.text} language={block.language} />
    case 'formula':
      return <FormulaBlock text={block.text} />
    case 'quote':
      return <blockquote>{block.blocks.map(drawBlock)}</blockquote>
    case 'note':
      return (
        <p class="note">
          <sup>{block.name}</sup> {drawInline(block.inside)}
        </p>
      )
    case 'rule':
      return <hr />
    case 'list':
      return block.start === undefined ? (
        <ul>{block.items.map(drawItem)}</ul>
      ) : (
        <ol start={block.start}>{block.items.map(drawItem)}</ol>
      )
    case 'table':
      return (
        <div class="wide" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, column) => (
                  <th scope="col" class={block.aligns[column]}>
                    {drawInline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell, column) => (
                    <td class={block.aligns[column]}>{drawInline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

/** The page has its own first and second heading. */
function Heading({ level, children }: { level: number; children: ComponentChildren }) {
  if (level <= 1) return <h3>{children}</h3>
  if (level === 2) return <h4>{children}</h4>
  return level === 3 ? <h5>{children}</h5> : <h6>{children}</h6>
}

/** The text of a short item stands on the line of its mark. */
function drawItem({ done, blocks }: Item) {
  const [first, ...rest] = blocks
  const isPlain = first?.kind === 'paragraph'
  return (
    <li class={done === undefined ? undefined : 'task'}>
      {done !== undefined && <span aria-label={done ? 'done' : 'to do'}>{done ? '☑ ' : '☐ '}</span>}
      {isPlain ? drawInline(first.inside) : first !== undefined && drawBlock(first)}
      {rest.map(drawBlock)}
    </li>
  )
}

const drawInline = (inside: readonly Inline[]): ComponentChildren => inside.map(drawPiece)

function drawPiece(piece: Inline): ComponentChildren {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return <CodePiece text={piece.text} />
    case 'formula':
      return <Formula text={piece.text} />
    case 'strong':
      return <strong>{drawInline(piece.inside)}</strong>
    case 'em':
      return <em>{drawInline(piece.inside)}</em>
    case 'del':
      return <del>{drawInline(piece.inside)}</del>
    case 'note':
      return <sup>{piece.text}</sup>
    case 'break':
      return <br />
    case 'link':
      return (
        <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {drawInline(piece.inside)}
        </a>
      )
  }
}
