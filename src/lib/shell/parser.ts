/**
 * The parser for shell commands: tree-sitter with the grammar of bash, loaded when the first command is looked at and
 * kept. Built, the two wasm files lie in dist/shell; among the sources they are where npm put them.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Node, Parser } from 'web-tree-sitter'

export type ShellNode = Node

let loading: Promise<Parser> | undefined

/** The tree of a command; what can be wrong with it is the caller's to check. */
export async function parseTree<T>(text: string, read: (root: ShellNode) => T): Promise<T> {
  const parser = await (loading ??= load())
  const tree = parser.parse(text)
  if (tree === null) throw new Error('The shell parser gave no tree.')
  try {
    return read(tree.rootNode)
  } finally {
    // The memory of the tree is not JavaScript's.
    tree.delete()
  }
}

async function load(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init({ locateFile: () => wasm('web-tree-sitter/web-tree-sitter.wasm') })
  const parser = new Parser()
  parser.setLanguage(await Language.load(wasm('tree-sitter-bash/tree-sitter-bash.wasm')))
  return parser
}

function wasm(file: string): string {
  const here = import.meta.url
  if (here.endsWith('.ts')) return createRequire(here).resolve(file)
  const folder = /\/chunks\/[^/]+$/.test(here) ? '../shell/' : './shell/'
  return fileURLToPath(new URL(folder + file.slice(file.indexOf('/') + 1), here))
}
