/**
 * The values of a body of JSON, each with exactly the bytes that it came with: numbers, escapes and the order of keys
 * stay as they were. An array is taken apart by one level, as the protocol has it.
 */

/** Undefined when it is not JSON. */
export function splitJson(body: Uint8Array): readonly Uint8Array[] | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  try {
    if (!Array.isArray(JSON.parse(text))) return [trimmed(body, 0, body.length)]
  } catch {
    // What is wrong with it is known to who sent it.
    return undefined
  }
  return elements(body)
}

/** The bytes of one member of an object that was parsed before; of several of a name the last, as JSON.parse has it. */
export function memberOf(body: Uint8Array, name: string): Uint8Array | undefined {
  let found: Uint8Array | undefined
  for (const member of elements(body)) {
    // An array has no members.
    if (member[0] !== QUOTE) return undefined
    const end = endOfString(member, 0) + 1
    const key = JSON.parse(Buffer.from(member.subarray(0, end)).toString()) as string
    if (key === name) found = trimmed(member, member.indexOf(COLON, end) + 1, member.length)
  }
  return found
}

const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/** The elements of an array, or members of an object, that was parsed before: brackets and quotes match. */
function elements(body: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at)
    else if (OPEN.includes(byte)) {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (CLOSE.includes(byte)) {
      depth -= 1
      if (depth === 0) found.push(trimmed(body, start, at))
    } else if (byte === COMMA && depth === 1) {
      found.push(trimmed(body, start, at))
      start = at + 1
    }
  }
  return found.filter(({ length }) => length > 0)
}

function endOfString(body: Uint8Array, quote: number): number {
  let at = quote + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function trimmed(body: Uint8Array, from: number, to: number): Uint8Array {
  let start = from
  let end = to
  while (start < end && isSpace(body[start])) start += 1
  while (end > start && isSpace(body[end - 1])) end -= 1
  return body.subarray(start, end)
}
