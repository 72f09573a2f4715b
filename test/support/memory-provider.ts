/**
 * Files that a program of the Copilot SDK keeps in memory, as the SDK's own example does, with the habits that such
 * programs have: every time is now, removing what is not there fails, and it may know no way to rename.
 */
import type { SessionFsProvider } from '@github/copilot-sdk'

export interface MemoryProvider extends SessionFsProvider {
  readonly files: Map<string, string>
  /** Each call: the method, and the path. */
  readonly calls: (readonly [method: string, path: string])[]
  /** A write to such a path puts half of it there, and fails. */
  tears: ((path: string) => boolean) | undefined
}

type Habits = { readonly renames: boolean }

export function memoryProvider({ renames }: Habits): MemoryProvider {
  const files = new Map<string, string>()
  const folders = new Set<string>(['/'])
  const calls: [string, string][] = []
  const missing = (path: string) => Object.assign(new Error(`no ${path}`), { code: 'ENOENT' })
  const noted = (method: string, path: string) => void calls.push([method, path])
  const above = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'
  const makeFolders = (path: string) => {
    for (let folder = path; !folders.has(folder); folder = above(folder)) folders.add(folder)
  }
  const namesIn = (folder: string): string[] => {
    if (!folders.has(folder)) throw missing(folder)
    const all = [...files.keys(), ...folders].filter((path) => path.startsWith(`${folder}/`))
    return [...new Set(all.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))]
  }
  function put(path: string, content: string): void {
    if (!folders.has(above(path))) throw missing(above(path))
    if (provider.tears?.(path) === true) {
      files.set(path, content.slice(0, content.length / 2))
      throw new Error('the power was cut')
    }
    files.set(path, content)
  }
  const provider: MemoryProvider = {
    files,
    calls,
    tears: undefined,
    readFile: async (path) => {
      noted('readFile', path)
      const content = files.get(path)
      if (content === undefined) throw missing(path)
      return content
    },
    writeFile: async (path, content) => {
      noted('writeFile', path)
      put(path, content)
    },
    appendFile: async (path, content) => {
      noted('appendFile', path)
      put(path, (files.get(path) ?? '') + content)
    },
    exists: async (path) => {
      noted('exists', path)
      return files.has(path) || folders.has(path)
    },
    stat: async (path) => {
      noted('stat', path)
      const content = files.get(path)
      if (content === undefined && !folders.has(path)) throw missing(path)
      const now = new Date().toISOString()
      return {
        isFile: content !== undefined,
        isDirectory: content === undefined,
        size: Buffer.byteLength(content ?? ''),
        mtime: now,
        birthtime: now,
      }
    },
    mkdir: async (path) => {
      noted('mkdir', path)
      makeFolders(path)
    },
    readdir: async (path) => {
      noted('readdir', path)
      return namesIn(path)
    },
    readdirWithTypes: async (path) => {
      noted('readdirWithTypes', path)
      return namesIn(path).map((name) => ({
        name,
        type: files.has(`${path}/${name}`) ? 'file' : 'directory',
      }))
    },
    rm: async (path) => {
      noted('rm', path)
      if (!files.delete(path) && !folders.delete(path)) throw missing(path)
    },
    rename: async (from, to) => {
      noted('rename', from)
      if (!renames) throw new Error('this store does not rename')
      const content = files.get(from)
      if (content === undefined) throw missing(from)
      files.delete(from)
      files.set(to, content)
    },
  }
  return provider
}
