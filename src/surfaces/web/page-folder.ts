/** The files of the page: built beside the program, which is itself in one of several folders. */
import { join } from 'node:path'
import { readFolderFile } from '../../lib/folder-file.ts'

const SOURCE = join(import.meta.dirname, 'page')

/** The built program lies in dist/ and dist/chunks/. Among the sources the folder beside this file is not built. */
const isSource = import.meta.filename.endsWith('.ts')
const FOLDERS = (isSource ? ['../../../dist/page'] : ['page', '../page']).map((path) =>
  join(import.meta.dirname, path),
)

/** Undefined when there is none: the page is not built. */
export async function readPageFile(path: string): Promise<Uint8Array | undefined> {
  for (const folder of FOLDERS) {
    const bytes = await readFolderFile(folder, path)
    if (bytes !== undefined) return bytes
  }
  return undefined
}

/** An export looks as the page does, also where the page was never built. */
export async function readPageStyle(): Promise<string> {
  const sources = await readFolderFile(SOURCE, 'style.css')
  const bytes = sources ?? (await readPageFile('page.css'))
  return bytes === undefined ? '' : withImports(new TextDecoder().decode(bytes))
}

/** Among the sources it is in several files; built, it is one. */
async function withImports(style: string): Promise<string> {
  const paths = [...style.matchAll(/@import '\.\/([\w/-]+\.css)';/g)].map(([, path = '']) => path)
  if (paths.length === 0) return style
  const parts = await Promise.all(paths.map((path) => readFolderFile(SOURCE, path)))
  return parts.map((part) => new TextDecoder().decode(part ?? new Uint8Array())).join('\n')
}
