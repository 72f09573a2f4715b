/**
 * The records of a file, read in pieces: memory is one piece and the longest record. A line that is no JSON, or too long
 * to be held, is told as damage with its place, and the rest is read.
 */
import { isFields } from '../lib/fields.ts'
import { errorText } from '../lib/error-text.ts'
import type { ReadFile } from '../fs/session-fs.ts'
import type { ForeignRecord, Part, Ref } from './convert/port.ts'
import { readRange } from '../log/range.ts'
import { MAX_RECORD_BYTES, NEWLINE, readBlocks } from '../log/split.ts'
import type { Shape } from './found.ts'

/** A file of the home or of this machine, opened when it is read. */
export type RawFile = {
  readonly role: string
  readonly shape: Shape
  open(): Promise<ReadFile | undefined>
}

/** Several small files can be one part: rows that lie in a file each. */
interface OpenParts extends AsyncDisposable {
  readonly parts: readonly Part[]
}

export function openParts(files: readonly RawFile[]): OpenParts {
  const opened = new Map<RawFile, Promise<ReadFile | undefined>>()
  const fileOf = (file: RawFile) => {
    const known = opened.get(file) ?? file.open()
    opened.set(file, known)
    return known
  }
  const rows = files.filter(({ role }) => role.startsWith('row '))
  const own = files.filter(({ role }) => !role.startsWith('row '))
  const parts = [
    ...(rows.length > 0 ? [rowsPart(rows)] : []),
    ...own.map((file, at) => filePart(file, at + (rows.length > 0 ? 1 : 0), () => fileOf(file))),
  ]
  return {
    parts,
    async [Symbol.asyncDispose]() {
      for (const file of opened.values()) await (await file)?.close()
    },
  }
}

const SMALL_BYTES = 512 * 1024

function filePart(
  { role, shape }: RawFile,
  part: number,
  open: () => Promise<ReadFile | undefined>,
): Part {
  const parse = (bytes: Buffer): unknown =>
    shape === 'text'
      ? bytes.toString('utf8').replace(/\r$/, '')
      : JSON.parse(bytes.toString('utf8'))

  /** Of a small file, what was read once: it is looked through first and told afterwards. */
  const known = new Map<number, unknown>()

  function record(bytes: Buffer, offset: number, isSmall: boolean): ForeignRecord {
    const ref: Ref = { part, offset, bytes: bytes.length }
    try {
      const value = known.has(offset) ? known.get(offset) : parse(bytes)
      if (isSmall) known.set(offset, value)
      return { kind: 'record', value, ref }
    } catch (error) {
      return { kind: 'damage', why: `not JSON: ${errorText(error).slice(0, 100)}`, ref }
    }
  }

  return {
    role,
    async *records() {
      const file = await open()
      if (file === undefined) return
      const isSmall = file.size <= SMALL_BYTES
      if (shape === 'whole') {
        if (file.size > MAX_RECORD_BYTES)
          yield {
            kind: 'damage',
            why: 'larger than can be held',
            ref: { part, offset: 0, bytes: file.size },
          }
        else if (file.size > 0)
          yield record(await readRange(file, { start: 0, end: file.size }), 0, isSmall)
        return
      }
      for await (const block of readBlocks(file, { from: 0, to: file.size })) {
        if (block.kind === 'oversized') {
          const ref = { part, offset: block.start, bytes: block.end - block.start }
          yield { kind: 'damage', why: 'a line that is larger than can be held', ref }
          continue
        }
        let at = 0
        while (at < block.bytes.length) {
          const newline = block.bytes.indexOf(NEWLINE, at)
          const end = newline === -1 ? block.bytes.length : newline
          const line = block.bytes.subarray(at, end)
          if (shape === 'text' || line.some((byte) => byte > 0x20))
            yield record(line, block.start + at, isSmall)
          at = end + 1
        }
      }
    },
    async read({ offset, bytes }) {
      if (known.has(offset)) return known.get(offset)
      const file = await open()
      if (file === undefined) return undefined
      return parse(await readRange(file, { start: offset, end: offset + bytes }))
    },
  }
}

/** Each file is one row of the table that its role names. */
function rowsPart(files: readonly RawFile[]): Part {
  const rowAt = async (at: number): Promise<unknown> => {
    const file = files[at]
    const opened = await file?.open()
    if (file === undefined || opened === undefined) return undefined
    try {
      const bytes = await readRange(opened, {
        start: 0,
        end: Math.min(opened.size, MAX_RECORD_BYTES),
      })
      const value: unknown = JSON.parse(bytes.toString('utf8'))
      return isFields(value) ? { table: file.role.slice('row '.length), ...value } : value
    } finally {
      await opened.close()
    }
  }
  return {
    role: 'main',
    async *records() {
      for (const at of files.keys()) {
        const ref: Ref = { part: 0, offset: at, bytes: 0 }
        try {
          yield { kind: 'record', value: await rowAt(at), ref }
        } catch (error) {
          yield { kind: 'damage', why: `not JSON: ${errorText(error).slice(0, 100)}`, ref }
        }
      }
    },
    read: ({ offset }) => rowAt(offset),
  }
}
