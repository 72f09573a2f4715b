/** Ranges of bytes: read, hashed, compared and copied in chunks, whatever their length. */
import { createHash } from 'node:crypto'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { CHUNK_BYTES } from './split.ts'

export type Range = { readonly start: number; readonly end: number }

/** A short range as one piece; shorter when the file ends before it does. */
export async function readRange(file: ReadFile, { start, end }: Range): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start))
  return bytes.subarray(0, await readInto(file, bytes, start))
}

/** How many bytes there were: fewer than asked for when the file ends before. */
export async function readInto(file: ReadFile, bytes: Buffer, start: number): Promise<number> {
  let held = 0
  while (held < bytes.length) {
    const got = await file.read(bytes.subarray(held), start + held)
    if (got === 0) break
    held += got
  }
  return held
}

/** Opens a file for as long as the work takes. Undefined when there is no such file. */
export async function withFile<T>(
  fs: SessionFs,
  path: string,
  work: (file: ReadFile) => Promise<T>,
): Promise<T | undefined> {
  const file = await fs.openRead(path)
  if (file === undefined) return undefined
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** The chunks of a range in one reused buffer: each is valid until the next is asked for. */
export async function* chunksOf(file: ReadFile, { start, end }: Range): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(CHUNK_BYTES, end - start)))
  for (let position = start; position < end;) {
    const got = await file.read(
      buffer.subarray(0, Math.min(buffer.length, end - position)),
      position,
    )
    if (got === 0) return
    yield buffer.subarray(0, got)
    position += got
  }
}

export async function hashOf(file: ReadFile, range: Range): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunksOf(file, range)) hash.update(chunk)
  return hash.digest('hex')
}

/** True when the bytes of one file from a place on are the first `length` bytes of the other. Stops at the first difference. */
export async function startsWithBytesOf(
  file: ReadFile,
  start: number,
  other: ReadFile,
  length: number,
): Promise<boolean> {
  if (file.size < start + length || other.size < length) return false
  let position = start
  for await (const chunk of chunksOf(other, { start: 0, end: length })) {
    const here = await readRange(file, { start: position, end: position + chunk.length })
    if (!here.equals(chunk)) return false
    position += chunk.length
  }
  return true
}

/** Copies a range to a file of its own, which is durable when this returns. Answers with the SHA-256 of the bytes. */
export async function copyRange(
  fs: SessionFs,
  from: ReadFile,
  range: Range,
  to: string,
): Promise<string> {
  const hash = createHash('sha256')
  const target = await fs.openAppend(to)
  try {
    if ((await target.size()) > 0) await target.truncate(0)
    let position = 0
    for await (const chunk of chunksOf(from, range)) {
      hash.update(chunk)
      await target.write([chunk], position)
      position += chunk.length
    }
    await target.sync()
    return hash.digest('hex')
  } finally {
    await target.close()
  }
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
