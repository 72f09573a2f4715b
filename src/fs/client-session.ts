/**
 * The home of one session whose files a connected client owns, in the layout of the Copilot CLI: the session's folder is
 * the folder that the client named, and what is ours lies in `.reprise/` below it. What only counts while this process
 * runs (the lease, locks, the inbox) and what is of a whole home (catalogue, index, trees) stays in memory: it never goes
 * to a client, and no right to write rests on a client's times or on its way of renaming.
 */
import { layout } from '../format/layout.ts'
import { SESSIONS, folderOf, readName } from '../format/paths.ts'
import { defined } from '../lib/defined.ts'
import type { ClientCalls } from './client-calls.ts'
import { openClient } from './client.ts'
import type { ClientOptions } from './client-home.ts'
import { FsError } from './fs-error.ts'
import { openMemory } from './memory.ts'
import type { SessionFs } from './session-fs.ts'

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Of a home, and needed by its sessions: the contents that they name, and what these are sealed with. */
const { sealKey, redactionKey, forgotten } = layout.home
const needed = new Set<string>([sealKey.path, redactionKey.path, forgotten.path])
const isNeeded = (path: string) => needed.has(path) || isIn(path, folderOf(layout.home.contents))

/** Of the session, and nothing to another process. What streams is kept: after a kill it goes into the log. */
const isMomentary = (rest: string) =>
  readName(layout.session.inUse, rest) !== undefined ||
  isIn(rest, folderOf(layout.session.lease)) ||
  (isIn(rest, folderOf(layout.session.request)) && rest !== layout.session.notices.path)

/** People and programs of the client change them while the session is open. */
const THEIRS = /^(?:plan\.md$|files\/|research\/)/

/** `own` is the folder of the session in a home. */
export function openClientSession(
  calls: ClientCalls,
  own: string,
  options: ClientOptions,
): SessionFs {
  const client = openClient(calls, { ...options, isTheirs: (path) => THEIRS.test(path) })
  const memory = openMemory()

  /** The file system, and the path in it. */
  function at(path: string): readonly [SessionFs, string] {
    if (path === own) return [client, '']
    if (!isIn(path, own)) return [isNeeded(path) ? client : memory, path]
    const rest = path.slice(own.length + 1)
    return isMomentary(rest) ? [memory, path] : [client, rest]
  }
  /** A session is all that the client has a place for. */
  function toChange(path: string): readonly [SessionFs, string] {
    if (!path.startsWith(`${SESSIONS}/`) || isIn(path, own)) return at(path)
    throw new FsError(
      'ENOTSUP',
      path,
      'the client that owns the files has a place for this session alone',
    )
  }
  async function across(from: string, to: string, how: 'copy' | 'share' | 'rename'): Promise<void> {
    const [source, old] = toChange(from)
    const [target, next] = toChange(to)
    if (source === target && old !== '') return source[how](old, next)
    throw new FsError('ENOTSUP', from, 'files of a client stay with it')
  }

  return {
    backend: 'client',
    conventions: client.conventions,
    ...defined({ database: client.database }),
    nativePath: (path) => client.nativePath(path === own ? '' : at(path)[1]),
    diskPath: (path) => client.diskPath(path),
    isShared: false,
    lockKey: (path) => client.lockKey(path),
    stat(path) {
      const [fs, place] = at(path)
      return fs.stat(place)
    },
    statMany: (paths) =>
      Promise.all(
        paths.map((path) => {
          const [fs, place] = at(path)
          return fs.stat(place)
        }),
      ),
    async list(path) {
      const [fs, place] = at(path)
      const inMemory = await memory.list(path)
      return fs === memory ? inMemory : [...(await client.list(place)), ...inMemory]
    },
    read(path) {
      const [fs, place] = at(path)
      return fs.read(place)
    },
    openRead(path) {
      const [fs, place] = at(path)
      return fs.openRead(place)
    },
    async openAppend(path) {
      const [fs, place] = toChange(path)
      return fs.openAppend(place)
    },
    async writeAtomic(path, bytes, given) {
      const [fs, place] = toChange(path)
      await fs.writeAtomic(place, bytes, given)
    },
    async createExclusive(path, bytes) {
      const [fs, place] = toChange(path)
      return fs.createExclusive(place, bytes)
    },
    async mkdir(path) {
      const [fs, place] = toChange(path)
      await fs.mkdir(place)
    },
    rename: (from, to) => across(from, to, 'rename'),
    copy: (from, to) => across(from, to, 'copy'),
    share: (from, to) => across(from, to, 'share'),
    async remove(path) {
      const [fs, place] = toChange(path)
      await fs.remove(place)
    },
    leftTemporary: client.leftTemporary,
    watch(folder, onChange) {
      const watches = [memory.watch(folder, onChange)]
      const [fs, place] = at(folder)
      if (fs === client) watches.push(client.watch(place, onChange))
      return {
        [Symbol.dispose]() {
          for (const watch of watches) watch[Symbol.dispose]()
        },
      }
    },
  }
}
