/** The text inside a block of Markdown as plain data. What is not understood stays text; nothing is ever HTML. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** A formula in TeX. */
  | { readonly kind: 'formula'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'break' }
  /** Refers to a footnote. */
  | { readonly kind: 'note'; readonly text: string }

/** What is used of a token of the parser. */
export type Piece = {
  readonly type: string
  readonly content: string
  readonly nesting: number
  attrGet(name: string): string | number | null
}

const MARKS = { strong_open: 'strong', em_open: 'em', s_open: 'del' } as const

export function inlineOf(pieces: readonly Piece[]): Inline[] {
  const found: Inline[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]
    if (piece === undefined) break
    const end = piece.nesting === 1 ? endOf(pieces, at) : at
    add(found, drawn(piece, pieces.slice(at + 1, end)))
    at = end
  }
  return found
}

function endOf(pieces: readonly Piece[], from: number): number {
  let depth = 0
  for (let at = from; at < pieces.length; at++) {
    depth += pieces[at]?.nesting ?? 0
    if (depth === 0) return at
  }
  return pieces.length
}

function drawn(piece: Piece, within: readonly Piece[]): readonly Inline[] {
  switch (piece.type) {
    case 'code_inline':
      return [{ kind: 'code', text: piece.content }]
    case 'formula':
      return [{ kind: 'formula', text: piece.content }]
    case 'note_mark':
      return [{ kind: 'note', text: piece.content }]
    case 'hardbreak':
      return [{ kind: 'break' }]
    case 'softbreak':
      return [{ kind: 'text', text: '\n' }]
    case 'strong_open':
    case 'em_open':
    case 's_open':
      return [{ kind: MARKS[piece.type], inside: inlineOf(within) }]
    case 'link_open':
      return linkTo(String(piece.attrGet('href') ?? ''), inlineOf(within))
    case 'image':
      // Nothing is fetched because a text asks for it.
      return linkTo(String(piece.attrGet('src') ?? ''), [
        { kind: 'text', text: piece.content || 'picture' },
      ])
    default:
      return [{ kind: 'text', text: piece.content }]
  }
}

/** A link that leads nowhere we allow is its text. */
function linkTo(href: string, inside: readonly Inline[]): readonly Inline[] {
  const safe = safeHref(href)
  return safe === undefined ? inside : [{ kind: 'link', href: safe, inside }]
}

/** The address as a browser will read it, when it is one of three harmless kinds. */
export function safeHref(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, href: normal } = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? normal : undefined
}

function add(found: Inline[], pieces: readonly Inline[]): void {
  for (const piece of pieces) {
    const last = found.at(-1)
    if (piece.kind === 'text' && piece.text === '') continue
    if (piece.kind === 'text' && last?.kind === 'text')
      found[found.length - 1] = { kind: 'text', text: last.text + piece.text }
    else found.push(piece)
  }
}
