/** The text inside a block of Markdown as plain data. What is not understood stays text; nothing is ever HTML. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'break' }

const PIECE = new RegExp(
  [
    String.raw`(?<escape>\\[\\\`*_{}[\]()#+\-.!|~<>])`,
    String.raw`(?<ticks>\`+)(?<code>[^\n]*?[^\`\n])\k<ticks>(?!\`)`,
    String.raw`!?\[(?<label>[^[\]\n]{0,500})\]\((?<href>[^()\s]{1,2000})(?:\s+"[^"\n]*")?\)`,
    String.raw`<?(?<url>https?:\/\/[^\s<>()"'\`]{1,2000}[^\s<>()"'\`.,;:!?])>?`,
    String.raw`\*\*(?<strong>\S(?:[^*\n]{0,2000}?\S)?)\*\*`,
    String.raw`\b__(?<strong2>\S(?:[^_\n]{0,2000}?\S)?)__\b`,
    String.raw`\*(?<em>[^\s*](?:[^*\n]{0,2000}?[^\s*])?)\*`,
    String.raw`\b_(?<em2>[^\s_](?:[^_\n]{0,2000}?[^\s_])?)_\b`,
    String.raw`~~(?<del>\S(?:[^~\n]{0,2000}?\S)?)~~`,
    String.raw`(?<hard>(?: {2,}|\\)\n)`,
  ].join('|'),
  'g',
)

/** Nesting is bounded, so that a hostile text costs no stack. */
const DEEPEST = 6

export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > DEEPEST) return [{ kind: 'text', text: source }]
  const found: Inline[] = []
  let from = 0
  for (const match of source.matchAll(PIECE)) {
    const piece = pieceOf(match.groups ?? {}, depth)
    if (piece === undefined) continue
    addText(found, source.slice(from, match.index))
    if (piece.kind === 'text') addText(found, piece.text)
    else found.push(piece)
    from = match.index + match[0].length
  }
  addText(found, source.slice(from))
  return found
}

function pieceOf(
  groups: Readonly<Record<string, string | undefined>>,
  depth: number,
): Inline | undefined {
  const { escape, code, label, href, url, strong, strong2, em, em2, del, hard } = groups
  if (escape !== undefined) return { kind: 'text', text: escape.slice(1) }
  if (code !== undefined) return { kind: 'code', text: code.replace(/^ (.*) $/, '$1') }
  if (href !== undefined) return linkOf(href, parseInline(label ?? '', depth + 1))
  if (url !== undefined) return linkOf(url, [{ kind: 'text', text: url }])
  if (hard !== undefined) return { kind: 'break' }
  const bold = strong ?? strong2
  if (bold !== undefined) return { kind: 'strong', inside: parseInline(bold, depth + 1) }
  const slanted = em ?? em2
  if (slanted !== undefined) return { kind: 'em', inside: parseInline(slanted, depth + 1) }
  return del === undefined ? undefined : { kind: 'del', inside: parseInline(del, depth + 1) }
}

/** A link that leads nowhere we allow is left as it was written. */
function linkOf(href: string, inside: readonly Inline[]): Inline | undefined {
  const safe = safeHref(href)
  return safe === undefined ? undefined : { kind: 'link', href: safe, inside }
}

/** The address as a browser will read it, when it is one of three harmless kinds. */
export function safeHref(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, href: normal } = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? normal : undefined
}

function addText(found: Inline[], text: string): void {
  if (text === '') return
  const last = found.at(-1)
  if (last?.kind === 'text') found[found.length - 1] = { kind: 'text', text: last.text + text }
  else found.push({ kind: 'text', text })
}
