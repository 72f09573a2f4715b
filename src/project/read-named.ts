/** What is at a place that a person named: a text, whole or some lines of it, a picture, or the names in a folder. */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { namesIn } from '../lib/names-in.ts'
import { pictureKind } from '../lib/picture-kind.ts'

type Named =
  | { readonly kind: 'text'; readonly text: string; readonly lineCount: number }
  | { readonly kind: 'picture'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'folder'; readonly names: readonly string[] }
  /** It is there and cannot be shown. */
  | { readonly kind: 'other'; readonly why: string }

const MOST_TEXT_BYTES = 1024 * 1024
const MOST_PICTURE_BYTES = 3 * 1024 * 1024

type Lines = { readonly start: number; readonly end: number }

/** `file` or `folder`; undefined when nothing is there, or it is a pipe or a device. */
export async function kindAt(place: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(place).catch(() => undefined) // not there, or not to be looked at: no file is meant
  if (found?.isDirectory()) return 'folder'
  return found?.isFile() ? 'file' : undefined
}

/** `place` is resolved: a link at its end is not followed. */
export async function readNamed(
  place: string,
  {
    lines,
    mostBytes = MOST_TEXT_BYTES,
  }: { readonly lines?: Lines; readonly mostBytes?: number } = {},
): Promise<Named> {
  if ((await kindAt(place)) === 'folder') return { kind: 'folder', names: await namesIn(place) }
  const file = await open(
    place,
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
  ).catch((cause: NodeJS.ErrnoException) => cause.code ?? cause.message)
  if (typeof file === 'string') return { kind: 'other', why: `it cannot be read (${file})` }
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(12)
    const { bytesRead } = await file.read(head, 0, 12, 0)
    const mimeType = pictureKind(head.subarray(0, bytesRead))
    const limit = mimeType === undefined ? mostBytes : MOST_PICTURE_BYTES
    if (size > limit) return { kind: 'other', why: `it has ${size} bytes; ${limit} is the limit` }
    const bytes = Buffer.alloc(size)
    const whole = bytes.subarray(0, (await file.read(bytes, 0, size, 0)).bytesRead)
    if (mimeType !== undefined) return { kind: 'picture', mimeType, data: whole.toString('base64') }
    if (whole.subarray(0, 8192).includes(0)) return { kind: 'other', why: 'it is binary' }
    return textOf(whole.toString('utf8'), lines)
  } finally {
    await file.close()
  }
}

function textOf(text: string, lines: Lines | undefined): Named {
  const all = text.split('\n')
  const lineCount = all.at(-1) === '' ? all.length - 1 : all.length
  const part = lines === undefined ? text : all.slice(lines.start - 1, lines.end).join('\n')
  return { kind: 'text', text: part, lineCount }
}
