/** highlight.js with the languages that agents write most. Fetched when code is shown. */
import hljs from 'highlight.js/lib/common'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import scala from 'highlight.js/lib/languages/scala'
import type { CodePiece } from '../model/code-piece.ts'

hljs.registerLanguage('dockerfile', dockerfile)
hljs.registerLanguage('scala', scala)
hljs.registerAliases(['svelte', 'vue', 'astro'], { languageName: 'xml' })

type Node = { readonly scope?: string; readonly children: readonly (Node | string)[] }

const known = new Map<string, readonly CodePiece[]>()
const MOST_KNOWN = 300

export function highlight(text: string, language: string): readonly CodePiece[] | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined
  const key = `${language} ${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const result = hljs.highlight(text, { language, ignoreIllegals: true })
  // The tree of scopes, as those who draw something else than HTML read it.
  const { rootNode } = result._emitter as unknown as { readonly rootNode: Node }
  const pieces: CodePiece[] = []
  collect(rootNode, '', pieces)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, pieces)
  return pieces
}

function collect(node: Node, outer: string, pieces: CodePiece[]): void {
  const scope = node.scope?.split('.')[0] ?? outer
  for (const child of node.children)
    if (typeof child === 'string') pieces.push({ text: child, scope })
    else collect(child, scope, pieces)
}
