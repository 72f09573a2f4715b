/**
 * A home whose files a connected client owns: every operation becomes calls to it. What the client acknowledged is
 * kept, and what it did not is told as an error; ranges, positions and exclusive files, which such clients do not have,
 * are made here of whole files. One process writes to such a home: it is told of its own changes only.
 */
import { checkPath } from '../lib/check-path.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import type { ClientCalls } from './client-calls.ts'
import { openClientDatabase } from './client-database.ts'
import { BASE64_SUFFIX, TEMPORARY } from './client-files.ts'
import { openClientAppend } from './client-append.ts'
import {
  above,
  makeFolder,
  openClientHome,
  put,
  read,
  requireFree,
  requireNoFolder,
  source,
  statOf,
  type ClientOptions,
} from './client-home.ts'
import { FsError } from './fs-error.ts'
import type { Entry, ReadFile, SessionFs } from './session-fs.ts'

const LANES = 16
/** Changes come one by one, each after a call; they are told together. */
const PACE_MS = 5

export function openClient(calls: ClientCalls, options: ClientOptions): SessionFs {
  const home = openClientHome(calls, options)
  const { binary, checked, files, identities, listeners, inTurn, name, check, native, told } = home
  return {
    backend: 'client',
    conventions: options.conventions,
    ...(options.capabilities?.sqlite === true && { database: openClientDatabase(checked) }),
    nativePath: native,
    diskPath: (path) => {
      checkPath(path)
      return undefined
    },
    isShared: false,
    lockKey: (path) => `${name} ${native(path)}`,

    stat: (path) => statOf(home, path),
    async statMany(paths) {
      for (const path of paths) checkPath(path)
      return inLanes(paths, LANES, (path) => statOf(home, path))
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

    read: (path) => read(home, path),
    async openRead(path) {
      // The identity first: when the file is replaced meanwhile, the bytes are newer than it, never older.
      const { identity } = identities.of(path)
      const bytes = await read(home, path)
      return bytes && readFileOn(bytes, identity)
    },
    openAppend: async (path) => {
      checkPath(path)
      return inTurn([path], async () => {
        const place = native(path)
        await requireNoFolder(home, path)
        if ((await files.stat(place)) === undefined) await put(home, path, new Uint8Array())
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
      await inTurn([path], () => put(home, path, given))
    },
    createExclusive: async (path, bytes) => {
      checkPath(path)
      const given = bytes.slice()
      return inTurn([path], async () => {
        if ((await files.stat(native(path))) !== undefined) return false
        await put(home, path, given)
        return true
      })
    },
    mkdir: async (path) => {
      check(path)
      await makeFolder(home, path)
      told(path)
    },
    rename: async (from, to) => {
      const [old, next] = [native(from), native(to)]
      await inTurn([from, to], async () => {
        if ((await files.stat(old)) === undefined)
          throw new FsError('ENOENT', from, 'there is nothing to move')
        if (to.startsWith(`${from}/`))
          throw new FsError('EINVAL', to, 'a folder cannot move into itself')
        await requireFree(home, to)
        await makeFolder(home, above(to))
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
      await inTurn([from, to], async () => put(home, to, await source(home, from)))
    },
    // Its owner clears them.
    leftTemporary: async () => [],
    share: async (from, to) => {
      checkPath(from)
      checkPath(to)
      await inTurn([from, to], async () => {
        const bytes = await source(home, from)
        await requireFree(home, to)
        await put(home, to, bytes)
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
