/**
 * The plain files below a folder, or the one file that it is, in the order of their names. Links are not followed, `.git` and `node_modules` are
 * not entered, and it ends after a bounded number of names however large the tree is.
 */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { kindOf } from './paths.ts'

const IGNORED = new Set(['.git', 'node_modules'])
const MAX_NAMES = 200_000

/** What is said of a search that ended there. */
export const UNFINISHED = '… the folder is too large to be searched to its end'

type Walked = {
  /** From the folder, with '/' between names. */
  readonly path: string
  readonly place: string
}

export async function* walk(
  root: string,
  signal: AbortSignal,
  maxNames = MAX_NAMES,
): AsyncGenerator<Walked | 'unfinished', void, undefined> {
  if ((await kindOf(root)) === 'file') {
    yield { path: basename(root), place: root }
    return
  }
  let names = 0
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted()
    const entries = await namesIn(join(root, folder)).catch((error) => {
      // Below the root, a folder that vanished or is closed to us is as good as empty.
      if (folder === '') throw error
      return []
    })
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    const folders: string[] = []
    for (const entry of entries) {
      if (++names > maxNames) {
        yield 'unfinished'
        return
      }
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) yield { path, place: join(root, path) }
      if (entry.isDirectory() && !IGNORED.has(entry.name)) folders.push(path)
    }
    waiting.push(...folders.reverse())
  }
}

const namesIn = (folder: string) => readdir(folder, { withFileTypes: true })
