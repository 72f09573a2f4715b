/**
 * What the operations on a client's files share: how paths are written there, the calls, what is known of its files, and
 * the steps that several operations take.
 */
import { layout } from '../format/layout.ts'
import { checkPath } from '../lib/check-path.ts'
import { checkCalls, type ClientCalls } from './client-calls.ts'
import { openClientFiles } from './client-files.ts'
import { rememberCalls } from './client-memory.ts'
import { openIdentities } from './client-names.ts'
import { openTurns } from './client-turns.ts'
import { FsError } from './fs-error.ts'
import { openListeners } from './memory-watch.ts'
import type { FileStat } from './session-fs.ts'

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

type ClientHome = ReturnType<typeof openClientHome>

export function openClientHome(calls: ClientCalls, options: ClientOptions) {
  const separator = options.conventions === 'windows' ? '\\' : '/'
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
  const listeners = openListeners()

  /** The root itself has a name only where it is the folder of a session. */
  const check = (path: string) => {
    if (path !== '' || isTheirs === undefined) checkPath(path)
  }
  return {
    root,
    binary,
    checked,
    files: openClientFiles(checked, { binary, separator, intent }),
    identities: openIdentities(),
    listeners,
    inTurn: openTurns(),
    name: crypto.randomUUID(),
    check,
    native(path: string): string {
      check(path)
      if (path === '') return root
      return root + separator + path.replaceAll('/', separator)
    },
    told(...paths: readonly string[]): void {
      for (const path of paths) listeners.tell(above(path))
    },
  }
}

export async function statOf(home: ClientHome, path: string): Promise<FileStat | undefined> {
  const found = await home.files.stat(home.native(path))
  return found && { ...found, identity: home.identities.of(path).identity }
}

/** Makes the folder and those above it. What stands in the way is named: the client would only say that it failed. */
export async function makeFolder(home: ClientHome, path: string): Promise<void> {
  for (let folder = path; folder !== ''; folder = above(folder)) {
    const found = await home.files.stat(home.native(folder))
    if (found === undefined) continue
    if (found.kind !== 'folder') throw new FsError('ENOTDIR', folder, 'a file is in the way')
    if (folder === path) return
    break
  }
  await home.checked.mkdir(path === '' ? home.root : home.native(path))
}

export async function requireNoFolder(home: ClientHome, path: string): Promise<void> {
  if ((await home.files.stat(home.native(path)))?.kind === 'folder')
    throw new FsError('EISDIR', path, 'this is a folder')
}

export async function put(home: ClientHome, path: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(home, above(path))
  await requireNoFolder(home, path)
  await home.files.replace(home.native(path), bytes)
  home.identities.replaced(path)
  home.told(path)
}

export async function read(home: ClientHome, path: string): Promise<Uint8Array | undefined> {
  return home.files.read(home.native(path))
}

/** The bytes that are to be copied. */
export async function source(home: ClientHome, path: string): Promise<Uint8Array> {
  const found = await statOf(home, path)
  if (found === undefined) throw new FsError('ENOENT', path, 'there is nothing to copy')
  if (found.kind !== 'file') throw new FsError('EINVAL', path, 'only regular files are copied')
  return (await read(home, path)) ?? new Uint8Array()
}

export async function requireFree(home: ClientHome, path: string): Promise<void> {
  if ((await home.files.stat(home.native(path))) !== undefined)
    throw new FsError('EEXIST', path, 'there is something already')
}

export const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
