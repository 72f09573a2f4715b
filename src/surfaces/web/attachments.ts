/**
 * What a browser sends along with a message, as the log takes it: pictures as they are, texts quoted whole. Anything
 * else no model could read, so it is refused before the message is taken.
 */
import type { Message } from '../../engine/turn/message.ts'
import { pictureKind } from '../../lib/picture-kind.ts'
import { WebFailure } from './failure.ts'

export type SentFile = { readonly name: string; readonly base64: string }

const MOST_TEXT_BYTES = 256 * 1024
const MOST_PICTURE_BYTES = 5 * 1024 * 1024

export const attachmentsOf = (files: readonly SentFile[]): NonNullable<Message['attachments']> =>
  files.map(({ name, base64 }) => {
    const bytes = Buffer.from(base64, 'base64')
    const mimeType = pictureKind(bytes)
    if (mimeType !== undefined) {
      if (bytes.length > MOST_PICTURE_BYTES) throw tooLarge(name, MOST_PICTURE_BYTES)
      return { type: 'blob', mimeType, displayName: name, data: bytes.toString('base64') }
    }
    if (bytes.length > MOST_TEXT_BYTES) throw tooLarge(name, MOST_TEXT_BYTES)
    const text = textOf(bytes)
    if (text === undefined)
      throw new WebFailure(
        'invalid',
        `${name} is neither a picture (PNG, JPEG, GIF, WebP) nor a text. Nothing was sent.`,
      )
    const lines = text.split('\n')
    return {
      type: 'selection',
      filePath: name,
      displayName: name,
      text,
      selection: {
        start: { line: 1, character: 0 },
        end: { line: lines.length, character: lines.at(-1)?.length ?? 0 },
      },
    }
  })

const tooLarge = (name: string, most: number): WebFailure =>
  new WebFailure('too_large', `${name} has more than ${most / 1024} KiB. Nothing was sent.`)

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: not a text that can be quoted.
    return undefined
  }
}
