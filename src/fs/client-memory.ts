/**
 * What is known of the files of a connected client, so that it is not asked twice: one process writes them, and each
 * call is a way there and back. A folder is listed once, and what it does not name is not asked for. What people may
 * change beside us (`isTheirs`) is asked for each time, and what was not confirmed for a while is asked for again.
 */
import type { CheckedCalls } from './client-calls.ts'
import { openKnown, type Known } from './client-known.ts'
import type { Entry } from './session-fs.ts'

type MemoryOptions = {
  readonly root: string
  readonly separator: string
  isTheirs(path: string): boolean
  readonly nowMs?: () => number
}

export function rememberCalls(
  calls: CheckedCalls,
  { root, separator, isTheirs, nowMs = () => performance.now() }: MemoryOptions,
): CheckedCalls {
  const known = openKnown({ root, separator }, nowMs)
  const { above, isInside, nodeOf, isMissing, learn, learnFile, forget } = known

  /** What is known, after one listing of its folder at most. */
  async function recall(path: string): Promise<Known | undefined> {
    if (isMissing(path)) return { atMs: nowMs(), kind: 'missing' }
    if (nodeOf(path) === undefined && isInside(path)) {
      await list(above(path))
      if (isMissing(path)) return { atMs: nowMs(), kind: 'missing' }
    }
    return nodeOf(path)
  }

  async function list(folder: string): Promise<Entry[]> {
    // From above: what a folder above does not name needs no listing of its own.
    if (isInside(folder)) await recall(folder)
    if (isMissing(folder)) return []
    if (isTheirs(`${folder}${separator}any`)) return calls.list(folder)
    if (!known.isListed(folder)) known.learnEntries(folder, await calls.list(folder))
    return known.entriesIn(folder)
  }

  /** A change that failed may have happened all the same. */
  async function changing(path: string, change: () => Promise<void>): Promise<void> {
    try {
      await change()
    } catch (error) {
      known.doubt(path)
      throw error
    }
  }

  return {
    async stat(path) {
      const node = isTheirs(path) ? undefined : await recall(path)
      if (node?.kind === 'missing') return undefined
      if (node?.kind === 'folder') return { kind: 'folder', size: 0, mtimeMs: 0 }
      if (node?.stat !== undefined) return node.stat
      const stat = await calls.stat(path)
      learn(path, stat === undefined ? { kind: 'missing' } : { kind: stat.kind, stat })
      return stat
    },
    list,
    async readText(path) {
      const node = isTheirs(path) ? undefined : await recall(path)
      if (node?.kind === 'missing') return undefined
      if (node?.text !== undefined) return node.text
      const text = await calls.readText(path)
      if (text === undefined) learn(path, { kind: 'missing' })
      else learnFile(path, Buffer.byteLength(text), text)
      return text
    },
    async readBytes(path) {
      const node = isTheirs(path) ? undefined : await recall(path)
      if (node?.kind === 'missing') return undefined
      const bytes = await calls.readBytes(path)
      if (bytes === undefined) learn(path, { kind: 'missing' })
      else learnFile(path, bytes.length)
      return bytes
    },
    async writeText(path, text) {
      await changing(path, () => calls.writeText(path, text))
      learnFile(path, Buffer.byteLength(text), text)
    },
    async writeBytes(path, bytes) {
      await changing(path, () => calls.writeBytes(path, bytes))
      learnFile(path, bytes.length)
    },
    async append(path, text) {
      const { text: before = '', stat } = nodeOf(path) ?? {}
      await changing(path, () => calls.append(path, text))
      const isWhole = stat !== undefined && Buffer.byteLength(before) === stat.size
      const size = (stat?.size ?? 0) + Buffer.byteLength(text)
      learnFile(path, size, isWhole ? before + text : undefined)
    },
    async count(path) {
      const node = nodeOf(path)
      const stat = await calls.stat(path)
      if (stat === undefined) learn(path, { kind: 'missing' })
      else if (node?.stat?.size === stat.size) learn(path, node)
      else learn(path, { kind: stat.kind, stat })
      return stat
    },
    async mkdir(path) {
      if (nodeOf(path)?.kind === 'folder') return
      const isNew = isMissing(path)
      await changing(path, () => calls.mkdir(path))
      for (let folder = path; folder === root || isInside(folder); folder = above(folder))
        learn(folder, { kind: 'folder' })
      if (isNew) known.learnEmpty(path)
    },
    async remove(path) {
      if (!isTheirs(path) && (await recall(path))?.kind === 'missing') return
      await changing(path, () => calls.remove(path))
      forget(path)
      learn(path, { kind: 'missing' })
    },
    async rename(from, to) {
      const moved = nodeOf(from)
      await changing(from, () => changing(to, () => calls.rename(from, to)))
      forget(from)
      forget(to)
      learn(from, { kind: 'missing' })
      if (moved?.kind === 'file' || moved?.kind === 'folder') learn(to, { ...moved })
    },
    askDatabase: calls.askDatabase,
  }
}
