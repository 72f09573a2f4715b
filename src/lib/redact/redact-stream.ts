/**
 * Redacts text that comes in chunks, wherever their borders fall: joined, what it gives is what the whole text
 * would have given. It holds back as little as it can: up to the last white space, or the whole line once the line
 * holds a word that a secret may follow, or a private key until it ends. A text without white space is held up to
 * a limit, and cut where no secret stands.
 */
import type { Known } from './known.ts'
import { privateKeyAt } from './private-key.ts'
import type { Range } from './range.ts'

export type RedactStream = {
  /** Takes a chunk, gives what can be shown. */
  push(chunk: string): string
  /** Gives the rest. The stream can be used for another text after this. */
  end(): string
}

/** Most signs that are held back, except for a private key. */
const MOST_HELD = 16 * 1024
/** Behind a cut at no white space, so much must have come that a secret across it is seen. */
const LONGEST_SECRET = 4 * 1024
/** No command is looked for further before its password. */
const LONGEST_LINE = 400
const MOST_HELD_OF_KEY = 72 * 1024

const CLUE = new RegExp(
  [
    'pass|pwd?\\b|psk|secret|token|key|credential|kennwort|auth|cookie|bearer|basic|digest|sig=|-u|--user|A[KS]IA',
    '-----BEGIN|Private-Lines|(?:^|\\s)["\']?-[aknpw][\\s"\']|\\b(?:echo|printf)\\b',
    'pin\\b|pin_?code|otp|log_?in|sign_?in|ticate|identified|mnemonic|phrase|securestring',
    '\\b(?:vault|net|rclone|wpa_|x?freerdp|lftp|qpdf|cryptsetup)',
  ].join('|'),
  'i',
)
/** A secret may stand on the line behind: a block of YAML, a file of logins. */
const GOES_ON =
  /(?:pass|pwd?|psk|secret|token|key|credential)[\w-]*["']?:[ \t]*[>|][+-]?[ \t]*\r?$|^\r?$|name=["']?[\w-]*pass[\w-]*["']?\r?$|^[ \t]*(?:(?:machine[ \t]+\S+|default)[ \t]*|(?:(?:machine[ \t]+\S+|default)[ \t]+)?(?:login|user|account)[ \t]+\S+[ \t]*)\r?$/i

type StreamParts = {
  redact(text: string): string
  rangesIn(text: string): readonly Range[]
  readonly known: Known
}

export function createStream({ redact, rangesIn, known }: StreamParts): RedactStream {
  let held = ''
  /** The held text up to here is known to have no place to cut. */
  let seen = 0
  /** What was given of the line that goes on: a command may stand there, and its password is still to come. */
  let line = ''

  const give = (end: number): string => {
    const head = held.slice(0, end)
    held = held.slice(end)
    seen = 0
    if (head === '') return ''
    const before = line
    line = endOfLine(before + head)
    if (before === '') return redact(head)
    const [given, all] = [redact(before), redact(before + head)]
    return all.startsWith(given) ? all.slice(given.length) : redact(head)
  }

  return {
    push: (chunk) => {
      held += chunk
      const cut = placeToCut(held, seen, known)
      if (cut > 0) return give(cut)
      seen = held.length
      if (held.length <= MOST_HELD) return ''
      if (held.length <= MOST_HELD_OF_KEY && isInKey(held)) return ''
      return give(cutWithin(held, rangesIn(held)))
    },
    end: () => {
      const rest = give(held.length)
      line = ''
      return rest
    },
  }
}

/** With the sign that begins it, so that a line cut short is not taken for a whole one. */
const endOfLine = (text: string) => {
  const line = beforeGoingOn(text, text.lastIndexOf('\n') + 1)
  return text.slice(Math.max(0, text.length - LONGEST_LINE, line - 1))
}

/** The last place at which nothing before depends on what comes. 0 if there is none. */
function placeToCut(text: string, seen: number, known: Known): number {
  if (!/\s/.test(text.slice(seen))) return 0
  const line = text.lastIndexOf('\n') + 1
  const space = lastSpace(text) + 1
  const candidates = space > line && !CLUE.test(text.slice(line, space)) ? [space, line] : [line]
  for (const candidate of candidates) {
    const cut = beforeOpenKey(text, candidate)
    if (cut > 0 && !known.isOpenAt(text, cut)) return cut
  }
  return 0
}

/** The beginning of the line, or of the lines before it that it goes on with. */
function beforeGoingOn(text: string, line: number): number {
  let begin = line
  while (begin > 0) {
    const end = begin - 1
    const before = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    if (!GOES_ON.test(text.slice(Math.max(before, end - 200), end))) break
    begin = before
  }
  return begin
}

function lastSpace(text: string): number {
  for (let at = text.length - 1; at >= 0; at -= 1) if (/\s/.test(text[at] ?? '')) return at
  return -1
}

/**
 * The cut itself, or the beginning of the line in which a key has begun that goes on behind it. The same line may
 * end another key.
 */
function beforeOpenKey(text: string, cut: number): number {
  const head = text.slice(0, cut)
  const begin = lastKey(head)
  if (begin === -1 || !isOpenKey(head, begin)) return cut
  return beforeOpenKey(head, head.lastIndexOf('\n', begin) + 1)
}

const isInKey = (text: string) => {
  const begin = lastKey(text)
  return begin !== -1 && isOpenKey(text, begin)
}

const lastKey = (text: string) =>
  Math.max(text.lastIndexOf('-----BEGIN'), text.lastIndexOf('Private-Lines:'))

const isOpenKey = (text: string, begin: number) => privateKeyAt(text, begin).open

/** A cut in a text without white space: never within a secret or the words that give it away. */
function cutWithin(text: string, ranges: readonly Range[]): number {
  let cut = text.length - LONGEST_SECRET
  for (const { from, end } of ranges.toReversed()) if (from < cut && end > cut) cut = from
  if (cut > 0) return cut
  return Math.max(...ranges.filter(({ from }) => from <= 0).map(({ end }) => end), MOST_HELD / 2)
}
