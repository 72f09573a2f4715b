/**
 * One rule for every relative path that comes from outside. What passes names exactly one place below
 * the root, on every system: a session made on Linux may be opened on Windows tomorrow.
 */
import { encodeText } from './bytes.ts'

export class BadPath extends Error {
  override readonly name = 'BadPath'
  readonly path: string

  constructor(path: string, reason: string) {
    super(`The path ${JSON.stringify(path)} ${reason}. Nothing was read or written.`)
    this.path = path
  }
}

/** Most paths are of this kind and need no closer look. */
const PLAIN = /^[\w-][\w-]*(?:\.[\w-]+)*(?:\/\.?[\w-]+(?:\.[\w-]+)*)*$/

export function checkPath(path: string): void {
  if (path.length < 80 && PLAIN.test(path) && !DEVICE_WORD.test(path)) return
  if (path === '') throw new BadPath(path, 'is empty')
  if (path.startsWith('/')) throw new BadPath(path, 'is absolute')
  if (path.includes('\0')) throw new BadPath(path, 'contains NUL')
  if (path.includes('\\')) throw new BadPath(path, 'contains a backslash')
  // Two different broken strings would be written as the same UTF-8 name.
  if (!path.isWellFormed()) throw new BadPath(path, 'is not valid Unicode')
  for (const segment of path.split('/')) checkSegment(path, segment)
}

function checkSegment(path: string, segment: string): void {
  if (segment === '') throw new BadPath(path, 'has an empty segment')
  // Windows drops dots and spaces at the end of a name, so '.. ' and '...' are not names there.
  if (/^[. ]+$/.test(segment)) throw new BadPath(path, 'has a segment of dots or spaces only')
  if (/^[A-Za-z]:/.test(segment)) throw new BadPath(path, 'names a drive')
  if (DEVICE.test(segment)) throw new BadPath(path, 'names a device of Windows')
  // No character takes more than three bytes for each unit of its length.
  if (segment.length > 85 && encodeText(segment).length > 255)
    throw new BadPath(path, 'has a segment over 255 bytes')
}

// With any extension or stream, and with the blanks that Windows ignores before them: 'aux .txt' is AUX.
const DEVICE_WORD = /(?:^|\/)(?:con|prn|aux|nul|com|lpt)/i
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[. ]*(?:[.:].*)?$/i
