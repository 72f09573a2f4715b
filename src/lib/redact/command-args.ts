/** Secrets that a command takes as one of its words, without a name or a letter before them. */
import { found, isMadeUp, type TextRange } from './found.ts'
import { hasNumber, looksRandom } from './plausible.ts'
import type { Range } from './range.ts'

type Takes = {
  /** From the command on. The secret is its first group. */
  readonly words: RegExp
  readonly kind: 'password' | 'token'
  /** Prose goes on behind the words of the command too: the value alone must tell. */
  readonly looks?: (secret: string) => boolean
}

const VALUE = `('[^'\\n]{4,256}'|"[^"\\n]{4,256}"|[^\\s"'\`;|&<>\\\\*]{4,256})`
const OPTIONS = '(?:-{1,2}[\\w=-]{1,40}[ \\t]{1,8}(?:\\d{1,4}[ \\t]{1,8})?)'
const OVER = '(?=[ \\t]*(?:[\\n\\r|;&>"\'`)\\\\]|#|$))'
/** Where one begins: the shares of Windows have two strokes before them, more where they are escaped. */
const SHARE =
  '(?:"\\\\{2,8}[^"\\n]{1,200}"|\\\\{2,8}[\\w.$-]{1,100}\\\\{1,4}[\\w.$\\\\-]{1,200})[ \\t]+'

const TAKES: Readonly<Record<string, readonly Takes[]>> = {
  htpasswd: [
    // With -n there is no file before the name.
    { words: words(`(?=[^\\n]{0,80}-\\w{0,8}b)${OPTIONS}{1,6}(?:[^\\s-]\\S{0,200}[ \\t]+){1,2}${VALUE}${OVER}`), kind: 'password' }, // prettier-ignore
  ],
  vault: [{ words: words(`${OPTIONS}{0,6}${VALUE}${OVER}`), kind: 'token', looks: hasNumber }],
  use: [
    { words: words(`[^\\n;|&"']{0,40}?${SHARE}(?!/)${VALUE}`), kind: 'password' },
    { words: words(`[^\\n;|&]{0,200}?/user:\\S{1,100}[ \\t]+(?![/*])${VALUE}`), kind: 'password' },
  ],
  user: [
    { words: words(`[\\w.$-]{1,64}[ \\t]+(?!/)${VALUE}`), kind: 'password', looks: hasNumber },
  ],
  rclone: [{ words: words(VALUE), kind: 'password', looks: hasNumber }],
  wpa: [
    {
      words: words(`(?:"[^"\\n]{1,64}"|'[^'\\n]{1,64}'|\\S{1,64})[ \\t]+${VALUE}${OVER}`),
      kind: 'password',
    },
  ],
  xfreerdp: [{ words: words(`[^\\n;|&]{0,200}?/p:${VALUE}`), kind: 'password' }],
  lftp: [
    {
      words: words(`(?:[^\\n;|&]{0,80}[ \\t])?-u[ \\t]+[^\\s,"']{1,64},${VALUE}`),
      kind: 'password',
    },
  ],
  qpdf: [{ words: words(`[^\\n;|&]{0,80}?--encrypt[ \\t]+${VALUE}`), kind: 'password' }],
  secret: [
    { words: words(`[^\\n;|&]{1,120}?(?:--body|-b)(?:[ \\t]+|=)${VALUE}`), kind: 'token' },
    { words: words(`[A-Z][A-Z0-9_]{0,64}=${VALUE}`), kind: 'token', looks: looksRandom },
  ],
  SecureString: [{ words: words(`(?:-String[ \\t]+)?(?=["'])${VALUE}`), kind: 'password' }],
}

function words(pattern: string): RegExp {
  return new RegExp(pattern, 'dy')
}

export function commandValue(text: string, place: TextRange): Range | undefined {
  const said = text.slice(place.start, place.end)
  const name = NAME.exec(said)?.[0] ?? ''
  for (const { words, kind, looks } of TAKES[name] ?? []) {
    words.lastIndex = place.end
    const [start, end] = words.exec(text)?.indices?.[1] ?? []
    if (start === undefined || end === undefined) continue
    const quotes = /["']/.test(text[start] ?? '') ? 1 : 0
    const value = { start: start + quotes, end: end - quotes }
    const secret = text.slice(value.start, value.end)
    if (isMadeUp(text, value) && (looks === undefined || looks(secret)))
      return found(kind, value, place.start)
  }
  return undefined
}
/** Of `net`, what it is told to do. */
const NAME = /(?<=net\s+)use(?:r(?=s?\s))?|^(?!net)(?:secret|SecureString|[a-z]+)/
