/** Pictures that a person drops or pastes into the terminal: a file by its path, or what the clipboard holds. */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EngineError } from '../engine/errors.ts'
import { pictureKind } from '../lib/picture-kind.ts'
import { sizeText } from '../lib/quantities.ts'
import type { GivenPicture } from '../surfaces/tui/editor/paste.ts'

const exec = promisify(execFile)

/** What models take at most, about. */
const MOST_BYTES = 3 * 1024 * 1024

/** Undefined when there is no such picture; one that is too large is refused in words. */
export async function pictureAt(written: string, cwd: string): Promise<GivenPicture | undefined> {
  const path = pathOf(written, cwd)
  const found = await stat(path).catch(() => undefined) // no file is meant then
  if (found?.isFile() !== true) return undefined
  if (found.size > MOST_BYTES) {
    const [size, most] = [sizeText(found.size), sizeText(MOST_BYTES)]
    throw new EngineError(
      'invalid',
      `${basename(path)} has ${size}, and a picture takes ${most} at most: its path stays`,
    )
  }
  return pictureFrom(await readFile(path), basename(path))
}

/** As terminals write the path of a file that is dropped: bare, quoted, with backslashes, or as a link. */
function pathOf(written: string, cwd: string): string {
  const text = written.trim()
  if (text.startsWith('file://')) return fileURLToPath(text)
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2]
  const path = quoted ?? text.replace(/\\(.)/g, '$1')
  return resolve(cwd, path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
}

/** The first of these that is there and has a picture. */
const READERS: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
  ['pngpaste', '-'],
]

const LONGEST_MS = 3000

export async function clipboardPicture(): Promise<GivenPicture | undefined> {
  for (const [program, ...args] of READERS) {
    const options = { encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: LONGEST_MS } as const
    // A program that is not there, or has no picture, says so by failing.
    const read = await exec(program, args, options).catch(() => undefined)
    const picture = read && pictureFrom(read.stdout, 'clipboard.png')
    if (picture !== undefined) return picture
  }
  return undefined
}

function pictureFrom(bytes: Uint8Array, name: string): GivenPicture | undefined {
  const mimeType = pictureKind(bytes)
  return mimeType === undefined ? undefined : { name, mimeType, bytes }
}
