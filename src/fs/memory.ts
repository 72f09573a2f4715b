/**
 * A home in memory, with the behaviour of a disk: the same errors, the same moments of durability. `crash()`
 * is a power cut: it ends this one and gives a new one that holds what had been synced.
 */
import { checkPath } from '../lib/check-path.ts'
import { FsError } from './fs-error.ts'
import { openMemoryAppend } from './memory-append.ts'
import { failure, followPlan, type FaultPlan, type FaultyOperation } from './memory-faults.ts'
import { openNames } from './memory-names.ts'
import {
  contentOf,
  newFile,
  newFolder,
  survivors,
  syncFile,
  type MemoryFile,
  type MemoryFolder,
  type MemoryNode,
} from './memory-tree.ts'
import { openListeners } from './memory-watch.ts'
import type { FileStat, ReadFile, SessionFs } from './session-fs.ts'

export interface MemoryFs extends SessionFs {
  crash(options?: { readonly faults?: FaultPlan }): MemoryFs
}

export const openMemory = (options: { readonly faults?: FaultPlan } = {}): MemoryFs =>
  openTree(newFolder(), options.faults ?? [])

function openTree(root: MemoryFolder, faults: FaultPlan): MemoryFs {
  const nextFault = followPlan(faults)
  const listeners = openListeners()
  const tree = openNames(root, listeners.tell)
  let isRunning = true

  const checkPower = (path: string): void => {
    if (!isRunning) throw new FsError('EIO', path, 'the power was cut')
  }
  /** Counts a call, and lets it fail when that was planned. */
  const call = (operation: FaultyOperation, path: string): void => {
    checkPower(path)
    const fault = nextFault(operation)
    if (fault !== undefined) throw failure(fault, path)
  }
  const find = (path: string): MemoryNode | undefined => {
    checkPower(path)
    return tree.find(path)
  }

  return {
    backend: 'memory',
    conventions: 'posix',
    nativePath: (path) => {
      checkPath(path)
      return `/memory/${path}`
    },
    diskPath: (path) => {
      checkPath(path)
      return undefined
    },
    isShared: true,
    lockKey: (path) => {
      checkPath(path)
      return `${root.identity}/${path}`
    },

    stat: async (path) => toStat(find(path)),
    statMany: async (paths) => paths.map((path) => toStat(find(path))),
    list: async (path) => {
      const node = find(path)
      if (node?.kind === 'file') throw new FsError('ENOTDIR', path, 'this is a file')
      return [...(node?.entries ?? [])].map(([name, entry]) => ({ name, kind: entry.kind }))
    },

    read: async (path) => {
      call('read', path)
      const file = tree.findFile(path)
      return file && contentOf(file).slice()
    },
    openRead: async (path) => {
      checkPower(path)
      const file = tree.findFile(path)
      return file && readFileOn(file)
    },
    openAppend: async (path) => {
      call('openAppend', path)
      const file = tree.findFile(path) ?? tree.put(path, newFile())
      return openMemoryAppend(path, file, { checkPower, nextFault, tree, tell: listeners.tell })
    },

    writeAtomic: async (path, bytes, { durable }) => {
      call('writeAtomic', path)
      tree.findFile(path)
      const file = tree.put(path, newFile(bytes))
      if (!durable) return
      syncFile(file)
      tree.syncWayDown(path)
    },
    createExclusive: async (path, bytes) => {
      call('createExclusive', path)
      if (tree.find(path) !== undefined) return false
      syncFile(tree.put(path, newFile(bytes)))
      return true
    },
    mkdir: async (path) => {
      checkPower(path)
      tree.mkdir(path)
    },
    rename: async (from, to) => {
      call('rename', from)
      const node = tree.find(from)
      if (node === undefined) throw new FsError('ENOENT', from, 'there is nothing to move')
      if (tree.find(to) !== undefined)
        throw new FsError('EEXIST', to, 'the target of a move exists')
      if (to.startsWith(`${from}/`))
        throw new FsError('EINVAL', to, 'a folder cannot move into itself')
      tree.put(to, node)
      tree.take(from)
      tree.syncAround(to)
      tree.syncAround(from)
    },
    remove: async (path) => {
      call('remove', path)
      if (tree.find(path) !== undefined) tree.take(path)
    },
    copy: async (from, to) => {
      call('copy', from)
      const source = tree.find(from)
      const replaces = tree.findFile(to) !== undefined
      if (source === undefined) throw new FsError('ENOENT', from, 'there is nothing to copy')
      if (source.kind === 'folder')
        throw new FsError('EINVAL', from, 'only regular files are copied')
      const file = tree.put(to, newFile(contentOf(source)))
      if (!replaces) return
      syncFile(file)
      tree.syncAround(to)
    },

    // What is written here is there at once.
    leftTemporary: async () => [],
    share: async (from, to) => {
      call('share', from)
      const source = tree.find(from)
      if (source === undefined) throw new FsError('ENOENT', from, 'there is nothing to share')
      if (source.kind === 'folder') throw new FsError('EINVAL', from, 'only files are shared')
      if (tree.find(to) !== undefined) throw new FsError('EEXIST', to, 'there is something already')
      tree.put(to, source)
    },

    watch: (folder, onChange) => {
      checkPath(folder)
      return listeners.add(folder, onChange)
    },
    crash: (options = {}) => {
      isRunning = false
      return openTree(survivors(root), options.faults ?? [])
    },
  }
}

const toStat = (node: MemoryNode | undefined): FileStat | undefined =>
  node && {
    kind: node.kind,
    size: node.kind === 'file' ? node.bytes.length : 0,
    mtimeMs: node.mtimeMs,
    identity: node.identity,
  }

const readFileOn = (file: MemoryFile): ReadFile => ({
  size: file.bytes.length,
  identity: file.identity,
  read: async (target, position) => {
    const part = contentOf(file).subarray(position, position + target.length)
    target.set(part)
    return part.length
  },
  close: async () => {},
})
