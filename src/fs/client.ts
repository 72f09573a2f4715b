/**
 * A home whose files a connected client owns: every operation becomes calls to it. What the client acknowledged is
 * kept, and what it did not is told as an error; ranges, positions and exclusive files, which such clients do not have,
 * are made here of whole files. One process writes to such a home: it is told of its own changes only.
 */
import { layout } from '../format/layout.ts'
import { checkPath } from '../lib/check-path.ts'
import { inLanes } from '../lib/in-lanes.ts'
import { checkCalls, type ClientCalls } from './client-calls.ts'
import { rememberCalls } from './client-memory.ts'
import { openClientDatabase } from './client-database.ts'
import { BASE64_SUFFIX, TEMPORARY, openClientFiles } from './client-files.ts'
import { openClientAppend } from './client-append.ts'
import { openIdentities } from './client-names.ts'
import { FsError } from './fs-error.ts'
import { openListeners } from './memory-watch.ts'
import type { Entry, FileStat, ReadFile, SessionFs } from './session-fs.ts'

export type ClientOptions = {
  readonly conventions: 'posix' | 'windows'
  /** The folder in which the client wants the files, as it writes paths. */
  readonly sessionStatePath: string
  readonly capabilities?: { readonly binary?: boolean; readonly sqlite?: boolean }
  /** Given where nobody else changes the files but these: then the client is not asked for what is known. */
  readonly isTheirs?: (path: string) => boolean
  /** How long a call may take. */
  readonly limitMs?: number
}

const LIMIT_MS = 30_000
const LANES = 16
/** Changes come one by one, each after a call; they are told together. */
const PACE_MS = 5

export function openClient(calls: ClientCalls, options: ClientOptions): SessionFs {
  const { conventions } = options
  const separator = conventions === 'windows' ? '\\' : '/'
  const root = options.sessionStatePath.replace(/[\\/]+$/, '')
  const binary = options.capabilities?.binary === true
  const { isTheirs } = options
  const plain = (path: string) => path.slice(root.length + 1).replaceAll(separator, '/')
  const asked = checkCalls(calls, options.limitMs ?? LIMIT_MS)
  const checked =
    isTheirs === undefined
      ? asked
      : rememberCalls(asked, { root, separator, isTheirs: (path) => isTheirs(plain(path)) })
  const intent = root + separator + layout.session.replacing.path.replaceAll('/', separator)
  const files = openClientFiles(checked, { binary, separator, intent })
  const identities = openIdentities()
  const listeners = openListeners()
  const inTurn = openTurns()
  const name = crypto.randomUUID()

  /** The root itself has a name only where it is the folder of a session. */
  const check = (path: string) => {
    if (path !== '' || isTheirs === undefined) checkPath(path)
  }
  const native = (path: string): string => {
    check(path)
    if (path === '') return root
    return root + separator + path.replaceAll('/', separator)
  }
  const told = (...paths: readonly string[]) => {
    for (const path of paths) listeners.tell(above(path))
  }

  async function stat(path: string): Promise<FileStat | undefined> {
    const found = await files.stat(native(path))
    return found && { ...found, identity: identities.of(path).identity }
  }

  /** Makes the folder and those above it. What stands in the way is named: the client would only say that it failed. */
  async function makeFolder(path: string): Promise<void> {
    for (let folder = path; folder !== ''; folder = above(folder)) {
      const found = await files.stat(native(folder))
      if (found === undefined) continue
      if (found.kind !== 'folder') throw new FsError('ENOTDIR', folder, 'a file is in the way')
      if (folder === path) return
      break
    }
    await checked.mkdir(path === '' ? root : native(path))
  }

  async function requireNoFolder(path: string): Promise<void> {
    if ((await files.stat(native(path)))?.kind === 'folder')
      throw new FsError('EISDIR', path, 'this is a folder')
  }

  async function put(path: string, bytes: Uint8Array): Promise<void> {
    await makeFolder(above(path))
    await requireNoFolder(path)
    await files.replace(native(path), bytes)
    identities.replaced(path)
    told(path)
  }

  async function read(path: string): Promise<Uint8Array | undefined> {
    return files.read(native(path))
  }

  async function source(path: string): Promise<Uint8Array> {
    const found = await stat(path)
    if (found === undefined) throw new FsError('ENOENT', path, 'there is nothing to copy')
    if (found.kind !== 'file') throw new FsError('EINVAL', path, 'only regular files are copied')
    return (await read(path)) ?? new Uint8Array()
  }

  async function requireFree(path: string): Promise<void> {
    if ((await files.stat(native(path))) !== undefined)
      throw new FsError('EEXIST', path, 'there is something already')
  }

  return {
    backend: 'client',
    conventions,
    ...(options.capabilities?.sqlite === true && { database: openClientDatabase(checked) }),
    nativePath: native,
    diskPath: (path) => {
      checkPath(path)
      return undefined
    },
    isShared: false,
    lockKey: (path) => `${name} ${native(path)}`,

    stat,
    async statMany(paths) {
      for (const path of paths) checkPath(path)
      return inLanes(paths, LANES, stat)
    },
    async list(path) {
      const place = native(path)
      try {
        return listed(await checked.list(place), binary)
      } catch (error) {
        if ((await files.stat(place))?.kind === 'file')
          throw new FsError('ENOTDIR', path, 'this is a file')
        throw error
      }
    },

    read,
    async openRead(path) {
      // The identity first: when the file is replaced meanwhile, the bytes are newer than it, never older.
      const { identity } = identities.of(path)
      const bytes = await read(path)
      return bytes && readFileOn(bytes, identity)
    },
    openAppend: async (path) => {
      checkPath(path)
      return inTurn([path], async () => {
        const place = native(path)
        await requireNoFolder(path)
        if ((await files.stat(place)) === undefined) await put(path, new Uint8Array())
        return openClientAppend(identities.of(path), {
          files,
          native,
          inTurn: (at, action) => inTurn([at], action),
          told,
        })
      })
    },

    writeAtomic: async (path, bytes) => {
      checkPath(path)
      const given = bytes.slice()
      await inTurn([path], () => put(path, given))
    },
    createExclusive: async (path, bytes) => {
      checkPath(path)
      const given = bytes.slice()
      return inTurn([path], async () => {
        if ((await files.stat(native(path))) !== undefined) return false
        await put(path, given)
        return true
      })
    },
    mkdir: async (path) => {
      check(path)
      await makeFolder(path)
      told(path)
    },
    rename: async (from, to) => {
      const [old, next] = [native(from), native(to)]
      await inTurn([from, to], async () => {
        if ((await files.stat(old)) === undefined)
          throw new FsError('ENOENT', from, 'there is nothing to move')
        if (to.startsWith(`${from}/`))
          throw new FsError('EINVAL', to, 'a folder cannot move into itself')
        await requireFree(to)
        await makeFolder(above(to))
        await files.rename(old, next)
        identities.moved(from, to)
        told(from, to)
      })
    },
    remove: async (path) => {
      const place = native(path)
      await inTurn([path], async () => {
        await files.remove(place)
        identities.gone(path)
        told(path)
      })
    },
    copy: async (from, to) => {
      checkPath(from)
      checkPath(to)
      await inTurn([from, to], async () => put(to, await source(from)))
    },
    // Its owner clears them.
    leftTemporary: async () => [],
    share: async (from, to) => {
      checkPath(from)
      checkPath(to)
      await inTurn([from, to], async () => {
        const bytes = await source(from)
        await requireFree(to)
        await put(to, bytes)
      })
    },

    watch: (folder, onChange) => {
      check(folder)
      const paced = atMostEvery(PACE_MS, onChange)
      const listening = listeners.add(folder, paced)
      return {
        [Symbol.dispose]() {
          listening[Symbol.dispose]()
          paced.stop()
        },
      }
    },
  }
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function listed(entries: readonly Entry[], binary: boolean): Entry[] {
  const names = new Map<string, Entry>()
  for (const { name, kind } of entries) {
    if (TEMPORARY.test(name)) continue
    const plain =
      !binary && name.endsWith(BASE64_SUFFIX) ? name.slice(0, -BASE64_SUFFIX.length) : name
    if (plain !== '') names.set(plain, { name: plain, kind })
  }
  return [...names.values()]
}

const readFileOn = (bytes: Uint8Array, identity: string): ReadFile => ({
  size: bytes.length,
  identity,
  read: async (target, position) => {
    const part = bytes.subarray(position, position + target.length)
    target.set(part)
    return part.length
  },
  close: async () => {},
})

function atMostEvery(ms: number, action: () => void): (() => void) & { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const paced = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      action()
    }, ms)
  }
  return Object.assign(paced, { stop: () => clearTimeout(timer) })
}

/** Actions on the same path follow one another; one that concerns two paths waits for both. */
function openTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(paths: readonly string[], action: () => Promise<T>): Promise<T> => {
    const before = paths.map((path) => last.get(path))
    const mine = Promise.allSettled(before).then(action)
    const ended = mine.then(
      () => {},
      () => {},
    )
    for (const path of paths) last.set(path, ended)
    try {
      return await mine
    } finally {
      for (const path of paths) if (last.get(path) === ended) last.delete(path)
    }
  }
}
