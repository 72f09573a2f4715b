/**
 * Whole files with a connected client. A client that carries text alone is given what is not UTF-8 as base64 without
 * padding, in a file whose name ends with `.reprise-b64`; where both names exist the plain one counts, so a change from
 * one to the other that is interrupted leaves the old bytes.
 */
import { isUtf8 } from 'node:buffer'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { CheckedCalls, ClientStat } from './client-calls.ts'
import { openReplacing } from './client-replacing.ts'
import { FsError, codeOf } from './fs-error.ts'

export const BASE64_SUFFIX = '.reprise-b64'
/** Files on their way to their name. They are not listed. */
export const TEMPORARY = /^\.reprise-[0-9a-f-]{36}\.tmp$/

/** Paths are as the client writes them. */
export interface ClientFiles {
  stat(path: string): Promise<ClientStat | undefined>
  /** Throws EISDIR for a folder. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Readers see the old bytes or the new ones. */
  replace(path: string, bytes: Uint8Array): Promise<void>
  /** Adds to a file of a known size. The client is asked afterwards whether it holds all of it. */
  append(path: string, bytes: Uint8Array, size: number): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
}

export function openClientFiles(
  calls: CheckedCalls,
  {
    binary,
    separator,
    intent,
  }: { readonly binary: boolean; readonly separator: string; readonly intent: string },
): ClientFiles {
  let renames = true
  const replacing = openReplacing(calls, { binary, intent })
  const encoded = (path: string) => path + BASE64_SUFFIX
  const beside = (path: string) =>
    `${path.slice(0, path.lastIndexOf(separator) + 1)}.reprise-${crypto.randomUUID()}.tmp`

  async function stat(path: string): Promise<ClientStat | undefined> {
    await replacing.settled()
    const plain = await calls.stat(path)
    if (plain !== undefined || binary) return plain
    const other = await calls.stat(encoded(path))
    return other && { ...other, size: Math.floor((other.size * 3) / 4) }
  }

  async function readWhole(path: string): Promise<Uint8Array | undefined> {
    await replacing.settled()
    if (binary) return calls.readBytes(path)
    const text = await calls.readText(path)
    if (text !== undefined) return encodeText(text)
    const other = await calls.readText(encoded(path))
    return other === undefined ? undefined : new Uint8Array(Buffer.from(other, 'base64'))
  }

  const write = (path: string, bytes: Uint8Array) =>
    binary ? calls.writeBytes(path, bytes) : calls.writeText(path, decodeText(bytes))

  /** The bytes stand under a name of their own first, so a client that goes away leaves the old file as it was. */
  async function put(path: string, bytes: Uint8Array): Promise<void> {
    if ((await calls.stat(path)) === undefined) return write(path, bytes)
    if (!renames) return replacing.put(path, bytes)
    const temporary = beside(path)
    try {
      await write(temporary, bytes)
      await calls.rename(temporary, path)
    } catch (error) {
      await calls.remove(temporary).catch(() => {}) // it is not listed, and the first failure is the one to tell
      if (codeOf(error) !== 'ENOTSUP') throw error
      renames = false
      await replacing.put(path, bytes)
    }
  }

  async function replace(path: string, bytes: Uint8Array): Promise<void> {
    if (binary) return put(path, bytes)
    if (isUtf8(bytes)) {
      await put(path, bytes)
      if ((await calls.stat(encoded(path))) !== undefined) await calls.remove(encoded(path))
      return
    }
    await put(encoded(path), encodeText(Buffer.from(bytes).toString('base64').replace(/=+$/, '')))
    await calls.remove(path)
  }

  return {
    stat,
    async read(path) {
      try {
        return await readWhole(path)
      } catch (error) {
        if ((await stat(path))?.kind === 'folder')
          throw new FsError('EISDIR', path, 'this is a folder')
        throw error
      }
    },
    replace,
    async append(path, bytes, size) {
      const isAdded = isUtf8(bytes) && (binary || (await calls.stat(path)) !== undefined)
      if (isAdded) await calls.append(path, decodeText(bytes))
      else await replace(path, Buffer.concat([(await readWhole(path)) ?? new Uint8Array(), bytes]))
      const now = (isAdded ? await calls.count(path) : await stat(path))?.size
      if (now === size + bytes.length) return
      const explanation = `the client that owns the files holds ${now ?? 'no'} bytes where ${size + bytes.length} were written`
      throw new FsError('EIO', path, explanation)
    },
    async rename(from, to) {
      if (binary || (await calls.stat(from)) !== undefined) return calls.rename(from, to)
      await calls.rename(encoded(from), encoded(to))
    },
    async remove(path) {
      await calls.remove(path)
      if (!binary) await calls.remove(encoded(path))
    },
  }
}
