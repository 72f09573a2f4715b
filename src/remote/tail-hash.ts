/** What a copy ends with, in one word: the SHA-256 of its last line, as Mission Control has it. */
import { createHash } from 'node:crypto'

export const tailHashOf = (lines: readonly (Uint8Array | string)[]): string =>
  createHash('sha256')
    .update(lines.at(-1) ?? '')
    .digest('hex')
