/**
 * Looks at folders of others: never follows a link, never fails because of what it finds. A look takes microseconds and is
 * made at once: behind the syncs of what is being written it would wait a hundred times as long.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../lib/error-text.ts'
import { isFields, type Fields } from '../lib/fields.ts'
import type { FoundFile, FoundSession, Heeding, Shape } from './found.ts'

type Listed = { readonly name: string; readonly path: string; readonly isFolder: boolean }

/** Files and folders, links left out, sorted; empty when there is no such folder, or none for us. */
export async function listOf(
  folder: string,
  { onUnreadable }: Heeding,
): Promise<readonly Listed[]> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({
        name: entry.name,
        path: join(folder, entry.name),
        isFolder: entry.isDirectory(),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isMissing) onUnreadable?.({ path: folder, why: errorText(error) })
    return []
  }
}

export const foldersIn = async (folder: string, heeding: Heeding): Promise<readonly Listed[]> =>
  (await listOf(folder, heeding)).filter(({ isFolder }) => isFolder)

/** All files below, at any depth. */
export async function* filesIn(
  folder: string,
  heeding: Heeding,
  depth = 8,
): AsyncGenerator<Listed, void, void> {
  for (const entry of await listOf(folder, heeding)) {
    if (!entry.isFolder) yield entry
    else if (depth > 0) yield* filesIn(entry.path, heeding, depth - 1)
  }
}

/** Undefined when it is no plain file. */
export async function fileAt(
  path: string,
  role: string,
  shape: Shape,
): Promise<FoundFile | undefined> {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile()) return undefined
    return { role, shape, path, bytes: stats.size, mtimeMs: stats.mtimeMs }
  } catch {
    // It went between the list and the look.
    return undefined
  }
}

const MOST_BYTES = 1024 * 1024
const HEAD_BYTES = 256 * 1024
const BRACE = 0x7b
const MOST_HEAD_BYTES = 128 * 1024 * 1024

/**
 * The first lines of a file, each whole, as they are asked for; none when it cannot be read. A line may be as long as
 * a picture makes it: more is read only while nobody has found what they look for.
 */
export function* firstLines(path: string): Generator<string, void, void> {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    let told = 0
    for (let size = HEAD_BYTES; size <= MOST_HEAD_BYTES; size *= 8) {
      const bytes = Buffer.alloc(size)
      const length = readSync(file, bytes, 0, size, 0)
      const isAll = length < size
      for (let end; (end = bytes.indexOf(10, told)) !== -1 && end < length; told = end + 1)
        yield bytes.toString('utf8', told, end)
      if (isAll && told < length) yield bytes.toString('utf8', told, length)
      // What goes on without an end and is no record is none of a log.
      if (isAll || bytes[told] !== BRACE) return
    }
  } catch {
    // It went, or is not for us: nothing of it can be taken.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** A small JSON object; undefined when it is missing or none. */
export async function objectAt(path: string): Promise<Fields | undefined> {
  try {
    if ((await lstat(path)).size > MOST_BYTES) return undefined
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isFields(value) ? value : undefined
  } catch {
    // It only helps: what it would have said is left out.
    return undefined
  }
}

export async function textAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).size > MOST_BYTES ? undefined : await readFile(path, 'utf8')
  } catch {
    // It only helps: what it would have said is left out.
    return undefined
  }
}

/** What all of these files say together of their session. */
export function sessionOf(
  given: Pick<FoundSession, 'agent' | 'nativeId'> & Partial<FoundSession>,
  files: readonly (FoundFile | undefined)[],
): FoundSession {
  const there = files.filter((file) => file !== undefined)
  return {
    ...given,
    files: there,
    stamp: there.map(({ path, bytes, mtimeMs }) => `${path}:${bytes}:${mtimeMs}`).join(' '),
    modifiedMs: Math.max(0, ...there.map(({ mtimeMs }) => mtimeMs)),
    bytes: there.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
