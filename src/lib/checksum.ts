/**
 * A checksum that a JSON object carries as its member `checksum`: the SHA-256 of its other members, their names in order.
 * White space, the order of members and members that the reader does not know change nothing. It finds damage; a
 * forger can make a new one.
 */
import { createHash } from 'node:crypto'

export type Checked = 'right' | 'wrong' | 'absent'

type Members = Readonly<Record<string, unknown>>

export const sha256Hex = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

export function checksumOf(value: Members): string {
  const { checksum: _, ...members } = value
  return sha256Hex(JSON.stringify(Object.fromEntries(Object.entries(members).sort(byName))))
}

export const withChecksum = <T extends Members>(value: T): T & { readonly checksum: string } => ({
  ...value,
  checksum: checksumOf(value),
})

/** `known` is what the reader takes of it, `checksum` included. */
export function checked(known: Members): Checked {
  if (known['checksum'] === undefined) return 'absent'
  return known['checksum'] === checksumOf(known) ? 'right' : 'wrong'
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1
