/** Reading and writing one file of the project. Never waits on a pipe or a device, never guesses at bytes. */
import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ToolFailure } from './tool.ts'

export const MAX_TEXT_BYTES = 1024 * 1024

/**
 * Without waiting: opening a named pipe would last until a process writes to it. Without following: paths come here
 * resolved, so a link at their end leads nowhere yet, and writing through it would make a file at another place.
 */
const PLAINLY = constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a plain file for reading. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | PLAINLY)
  const stat = await file.stat()
  if (stat.isFile()) return file
  await file.close()
  throw new ToolFailure(
    'failed',
    stat.isDirectory() ? 'It is a folder.' : 'It is not a plain file.',
  )
}

/** A small text file, whole, or the reason why it cannot be had as text without loss. */
export async function readText(path: string): Promise<string> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    if (size > MAX_TEXT_BYTES) {
      throw new ToolFailure('failed', `The file has ${size} bytes; ${MAX_TEXT_BYTES} is the limit.`)
    }
    const bytes = await file.readFile()
    if (looksBinary(bytes)) throw new ToolFailure('failed', 'The file is binary.')
    return strictly.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new ToolFailure('failed', 'The file is not UTF-8 text.')
    throw error
  } finally {
    await file.close()
  }
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text has no NUL; nearly every binary format has one early. */
export const looksBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8192).includes(0)

/** Writes in place, so that the file keeps its mode and its links. Folders on the way are made. */
export async function writeText(
  path: string,
  text: string,
  { how, mode = 0o666 }: { readonly how: 'replace' | 'append'; readonly mode?: number },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const { O_WRONLY, O_CREAT, O_APPEND } = constants
  const file = await open(
    path,
    O_WRONLY | O_CREAT | PLAINLY | (how === 'append' ? O_APPEND : 0),
    mode,
  )
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new ToolFailure('failed', 'It is not a plain file.')
    if (how === 'replace') await file.truncate(0)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

/** What was wrong, in words, with the path as it is shown. */
export function asFailure(error: unknown, what: string): ToolFailure {
  if (error instanceof ToolFailure) {
    return new ToolFailure(error.code, `${what}: ${error.message}`, error.result)
  }
  const { code, message } = error as NodeJS.ErrnoException
  return new ToolFailure('failed', `${what}: ${(code !== undefined && reasons[code]) || message}`)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'Access is denied.',
  EPERM: 'Access is denied.',
  EISDIR: 'It is a folder.',
  ENOTDIR: 'A part of the path is a file, not a folder.',
  EEXIST: 'A part of the path is a file, not a folder.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The disk is read-only.',
  ELOOP: 'It is a link that leads nowhere.',
  ENAMETOOLONG: 'The name is too long.',
  E2BIG: 'The command is too long.',
  ENXIO: 'It is not a plain file.',
}
