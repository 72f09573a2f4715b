/** Finds, gives and takes names in a tree of memory; every path is checked here. */
import { checkPath } from '../lib/check-path.ts'
import { FsError } from './fs-error.ts'
import {
  newFolder,
  syncNames,
  type MemoryFile,
  type MemoryFolder,
  type MemoryNode,
} from './memory-tree.ts'

type Names = {
  find(path: string): MemoryNode | undefined
  /** Throws when a folder has this name. */
  findFile(path: string): MemoryFile | undefined
  /** Makes the folders around it when they are missing. */
  put<T extends MemoryNode>(path: string, node: T): T
  take(path: string): void
  mkdir(path: string): void
  /** Makes the names in the folder around this path durable. */
  syncAround(path: string): void
  /** The same for all folders above. */
  syncWayDown(path: string): void
}

export function openNames(root: MemoryFolder, onChange: (folder: string) => void): Names {
  const find = (path: string): MemoryNode | undefined => {
    checkPath(path)
    let node: MemoryNode | undefined = root
    for (const name of path.split('/')) {
      node = node?.kind === 'folder' ? node.entries.get(name) : undefined
    }
    return node
  }
  const folderAt = (path: string): MemoryFolder => {
    const node = path === '' ? root : find(path)
    if (node === undefined) return put(path, newFolder())
    if (node.kind === 'file') throw new FsError('ENOTDIR', path, 'a file is in the way')
    return node
  }
  const change = (
    path: string,
    step: (entries: Map<string, MemoryNode>, name: string) => void,
  ): void => {
    const parent = folderAt(above(path))
    step(parent.entries, path.slice(path.lastIndexOf('/') + 1))
    parent.mtimeMs = Date.now()
    onChange(above(path))
  }
  const put = <T extends MemoryNode>(path: string, node: T): T => {
    change(path, (entries, name) => entries.set(name, node))
    return node
  }

  return {
    find,
    findFile: (path) => {
      const node = find(path)
      if (node?.kind === 'folder') throw new FsError('EISDIR', path, 'this is a folder')
      return node
    },
    put,
    take: (path) => change(path, (entries, name) => entries.delete(name)),
    mkdir: (path) => {
      checkPath(path)
      folderAt(path)
    },
    syncAround: (path) => syncNames(folderAt(above(path))),
    syncWayDown: (path) => {
      for (let folder = path; folder !== '';) {
        folder = above(folder)
        syncNames(folderAt(folder))
      }
    },
  }
}

export const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
