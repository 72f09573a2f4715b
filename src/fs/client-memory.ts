/**
 * What is known of the files of a connected client, so that it is not asked twice: one process writes them, and each
 * call is a way there and back. A folder is listed once, and what it does not name is not asked for. What people may
 * change beside us (`isTheirs`) is asked for each time, and what was not confirmed for a while is asked for again.
 */
import type { CheckedCalls, ClientStat } from './client-calls.ts'
import type { Entry } from './session-fs.ts'

type Known = {
  readonly atMs: number
  readonly kind: ClientStat['kind'] | 'missing'
  readonly stat?: ClientStat
  readonly text?: string
}

type MemoryOptions = {
  readonly root: string
  readonly separator: string
  isTheirs(path: string): boolean
  readonly nowMs?: () => number
}

/** For so long nobody else is reckoned with. */
const HOLDS_MS = 30_000
/** A longer file is read again. */
const MOST_CHARS = 1024 * 1024

export function rememberCalls(
  calls: CheckedCalls,
  { root, separator, isTheirs, nowMs = () => performance.now() }: MemoryOptions,
): CheckedCalls {
  const nodes = new Map<string, Known>()
  const listed = new Map<string, number>()
  const above = (path: string) => path.slice(0, path.lastIndexOf(separator))
  const isBelow = (path: string, folder: string) => path.startsWith(folder + separator)
  const isFresh = (atMs: number | undefined) => atMs !== undefined && nowMs() - atMs < HOLDS_MS
  const nodeOf = (path: string): Known | undefined => {
    const node = nodes.get(path)
    return isFresh(node?.atMs) ? node : undefined
  }
  const learn = (path: string, known: Omit<Known, 'atMs'>) =>
    void nodes.set(path, { atMs: nowMs(), ...known })
  const learnFile = (path: string, size: number, text?: string) =>
    learn(path, {
      kind: 'file',
      stat: { kind: 'file', size, mtimeMs: Date.now() },
      ...(text !== undefined && text.length <= MOST_CHARS && { text }),
    })
  function forget(path: string): void {
    for (const each of nodes.keys()) if (each === path || isBelow(each, path)) nodes.delete(each)
    for (const each of listed.keys()) if (each === path || isBelow(each, path)) listed.delete(each)
  }

  /** Without asking: it is known as missing, or the folder that it would be in was listed without it. */
  function isMissing(path: string): boolean {
    const node = nodeOf(path)
    if (node !== undefined) return node.kind === 'missing'
    if (!isBelow(path, root)) return false
    return isFresh(listed.get(above(path))) || isMissing(above(path))
  }

  /** What is known, after one listing of its folder at most. */
  async function recall(path: string): Promise<Known | undefined> {
    if (isMissing(path)) return { atMs: nowMs(), kind: 'missing' }
    if (nodeOf(path) === undefined && isBelow(path, root)) {
      await list(above(path))
      if (isMissing(path)) return { atMs: nowMs(), kind: 'missing' }
    }
    return nodeOf(path)
  }

  async function list(folder: string): Promise<Entry[]> {
    // From above: what a folder above does not name needs no listing of its own.
    if (isBelow(folder, root)) await recall(folder)
    if (isMissing(folder)) return []
    if (isTheirs(`${folder}${separator}any`)) return calls.list(folder)
    if (!isFresh(listed.get(folder))) {
      const entries = await calls.list(folder)
      const isNamed = new Set(entries.map(({ name }) => folder + separator + name))
      for (const path of nodes.keys())
        if (above(path) === folder && !isNamed.has(path)) forget(path)
      for (const { name, kind } of entries) {
        const path = folder + separator + name
        if (nodeOf(path)?.kind !== kind) learn(path, { kind })
      }
      listed.set(folder, nowMs())
    }
    return [...nodes].flatMap(([path, { kind }]) =>
      kind !== 'missing' && above(path) === folder
        ? [{ name: path.slice(folder.length + separator.length), kind }]
        : [],
    )
  }

  /** A change that failed may have happened all the same. */
  async function changing(path: string, change: () => Promise<void>): Promise<void> {
    try {
      await change()
    } catch (error) {
      forget(path)
      listed.delete(above(path))
      throw error
    }
  }

  return {
    async stat(path) {
      const known = isTheirs(path) ? undefined : await recall(path)
      if (known?.kind === 'missing') return undefined
      if (known?.kind === 'folder') return { kind: 'folder', size: 0, mtimeMs: 0 }
      if (known?.stat !== undefined) return known.stat
      const stat = await calls.stat(path)
      learn(path, stat === undefined ? { kind: 'missing' } : { kind: stat.kind, stat })
      return stat
    },
    list,
    async readText(path) {
      const known = isTheirs(path) ? undefined : await recall(path)
      if (known?.kind === 'missing') return undefined
      if (known?.text !== undefined) return known.text
      const text = await calls.readText(path)
      if (text === undefined) learn(path, { kind: 'missing' })
      else learnFile(path, Buffer.byteLength(text), text)
      return text
    },
    async readBytes(path) {
      const known = isTheirs(path) ? undefined : await recall(path)
      if (known?.kind === 'missing') return undefined
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
      const known = nodeOf(path)
      const stat = await calls.stat(path)
      if (stat === undefined) learn(path, { kind: 'missing' })
      else if (known?.stat?.size === stat.size) learn(path, known)
      else learn(path, { kind: stat.kind, stat })
      return stat
    },
    async mkdir(path) {
      if (nodeOf(path)?.kind === 'folder') return
      const isNew = isMissing(path)
      await changing(path, () => calls.mkdir(path))
      for (let folder = path; folder === root || isBelow(folder, root); folder = above(folder))
        learn(folder, { kind: 'folder' })
      if (isNew) listed.set(path, nowMs())
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
