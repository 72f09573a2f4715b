/**
 * Pictures in the transcript: each is named with its size, and drawn below its name where the terminal can. One that is
 * only partly on the screen is not drawn: neither protocol is sure to cut it where the transcript ends.
 */
import {
  allocateImageId,
  calculateImageRows,
  encodeITerm2,
  getImageDimensions,
  renderImage,
  type ImageDimensions,
  type ImageProtocol,
} from '@earendil-works/pi-tui'
import { sizeText } from '../../../lib/quantities.ts'
import type { Picture } from '../../../state/transcript.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'

type PictureOptions = {
  readonly protocol: ImageProtocol
  /** The bytes of one that the log keeps beside itself; undefined when they are gone. */
  readonly read: (sha256: string) => Promise<Uint8Array | undefined>
  /** One can be drawn now that could not before. */
  readonly onReady: () => void
}

export type Pictures = {
  lines(picture: Picture, width: number, theme: Theme): string[]
  /** Another one when something is drawn otherwise than before. */
  version(): number
  /** Leaves out what would not be drawn as a whole. */
  whole(lines: readonly string[]): string[]
}

type Known = { readonly data: string; readonly id: number; readonly size?: ImageDimensions }

const MOST_COLUMNS = 40
const MOST_ROWS = 12
/** More than a terminal is given at once. */
const MOST_BYTES = 4 * 1024 * 1024

export function createPictures({ protocol, read, onReady }: PictureOptions): Pictures {
  const known = new Map<string, Known | 'reading' | 'gone'>()
  /** How many rows a line draws over, by the line. */
  const drawn = new Map<string, number>()
  let version = 0

  function get({ data, sha256, mimeType }: Picture): Known | undefined {
    const key = sha256 ?? data
    if (key === undefined) return undefined
    const found = known.get(key)
    if (found !== undefined) return typeof found === 'string' ? undefined : found
    if (data !== undefined) return keep(key, data, mimeType)
    known.set(key, 'reading')
    read(key)
      .then((bytes) => {
        if (bytes === undefined) return known.set(key, 'gone')
        keep(key, Buffer.from(bytes).toString('base64'), mimeType)
        version++
        return onReady()
      })
      // Without its bytes a picture has its name.
      .catch(() => known.set(key, 'gone'))
    return undefined
  }

  function keep(key: string, data: string, mimeType: string): Known {
    const size = getImageDimensions(data, mimeType)
    const kept = { data, id: allocateImageId(), ...(size !== null && { size }) }
    known.set(key, kept)
    return kept
  }

  function draw({ data, id, size }: Known, { mimeType }: Picture, width: number): string[] {
    if (size === undefined || data.length > MOST_BYTES) return []
    const columns = Math.max(1, Math.min(MOST_COLUMNS, width - 4))
    if (protocol === 'iterm2') {
      const rows = Math.min(MOST_ROWS, calculateImageRows(size, columns))
      const up = rows > 1 ? `\x1b[${rows - 1}A` : ''
      const image = encodeITerm2(data, { height: rows, preserveAspectRatio: true, inline: true })
      return noted([...blank(rows - 1), up + image], rows)
    }
    // The kitty protocol takes no other kind of file.
    if (protocol !== 'kitty' || mimeType !== 'image/png') return []
    const shape = { maxWidthCells: columns, maxHeightCells: MOST_ROWS }
    const result = renderImage(data, size, { ...shape, imageId: id, moveCursor: false })
    return result === null ? [] : noted([result.sequence, ...blank(result.rows - 1)], result.rows)
  }

  function noted(lines: string[], rows: number): string[] {
    for (const line of lines) if (line !== '') drawn.set(line, rows)
    return lines
  }

  return {
    version: () => version,
    lines(picture, width, theme) {
      const found = get(picture)
      const size = found?.size
      const about = [
        inLine(picture.name ?? 'picture'),
        ...(size === undefined ? [] : [`${size.widthPx}×${size.heightPx}`]),
        ...(found === undefined ? [] : [sizeText(Buffer.byteLength(found.data, 'base64'))]),
      ]
      const name = fit(theme.dim(`▣ ${about.join(' · ')}`), width)
      return found === undefined ? [name] : [name, ...draw(found, picture, width)]
    },
    whole: (lines) =>
      lines.map((line, at) => {
        const rows = isDrawing(line) ? drawn.get(line.trimStart()) : undefined
        if (rows === undefined) return line
        const isWhole = protocol === 'kitty' ? at + rows <= lines.length : at + 1 >= rows
        return isWhole ? line : ''
      }),
  }
}

const blank = (count: number): string[] => Array<string>(Math.max(0, count)).fill('')

export const isDrawing = (line: string): boolean =>
  line.includes('\x1b_G') || line.includes('\x1b]1337;File=')
