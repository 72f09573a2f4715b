/**
 * What stands in the place of a secret: its kind and four hex digits of a keyed hash. The same secret gives
 * the same placeholder wherever the key is the same, so that a reader can follow it without knowing it.
 */
import { createHmac } from 'node:crypto'
import { RANK, rangeOf, type Range } from './range.ts'

export const placeholder = (kind: string, value: string, key: Uint8Array): string =>
  `[REDACTED:${kind}:${createHmac('sha256', key).update(value).digest('hex').slice(0, 4)}]`

const PLACEHOLDER = /\[REDACTED:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g

/** Placeholders that a text already holds. They are left as they are, so that redacting twice changes nothing. */
export function placeholdersIn(text: string): Range[] {
  if (!text.includes('[REDACTED:')) return []
  return Array.from(text.matchAll(PLACEHOLDER), ({ index, 0: { length } }) =>
    rangeOf(index, index + length, 'placeholder', RANK.known),
  )
}

/** The text with each range replaced. `ranges` are sorted and apart. */
export function replaced(text: string, ranges: readonly Range[], key: Uint8Array): string {
  const hidden = new Map<string, string>()
  let result = ''
  let done = 0
  for (const { start, end, kind, value = text.slice(start, end) } of ranges) {
    const secret = `${kind}:${value}`
    const shown = hidden.get(secret) ?? placeholder(kind, value, key)
    hidden.set(secret, shown)
    result += text.slice(done, start) + shown
    done = end
  }
  return result + text.slice(done)
}
