/** Names of contents. */
import { createHash } from 'node:crypto'

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

const SHA256 = /^[0-9a-f]{64}$/
export const isSha256 = (value: unknown): value is string =>
  typeof value === 'string' && SHA256.test(value)
