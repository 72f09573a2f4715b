/** Secrets are 256 bits, told once, and kept as a hash: nobody who reads the database can ask with what is there. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')
export const newId = (): string => randomBytes(9).toString('base64url').replace(/[-_]/g, '0')
export const hashOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** For people to type: no letters that look like others. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const newUserCode = (): string => {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
