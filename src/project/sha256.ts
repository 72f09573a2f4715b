/** Names of contents. */
import { hash } from 'node:crypto'

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

const SHA256 = /^[0-9a-f]{64}$/
export const isSha256 = (value: unknown): value is string =>
  typeof value === 'string' && SHA256.test(value)
