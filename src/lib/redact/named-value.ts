/**
 * Values that a name before them gives away: `DB_PASSWORD=…`, `"api_key": "…"`, `?access_token=…`, in code, shell,
 * JSON, YAML and connection strings, quoted or not.
 */
import { isPassphrase, isSample, isWordy, looksLikePassword, looksRandom } from './plausible.ts'

type NamedValue = { readonly start: number; readonly end: number; readonly kind: string }

/** The value of an assignment whose name begins at `nameStart` and whose separator ends at `at`. */
export function namedValueAt(text: string, nameStart: number, at: number): NamedValue | undefined {
  const assignment = /^([\w.-]*)(.*)$/s.exec(text.slice(nameStart, at))
  const name = assignment?.[1] ?? ''
  const separator = assignment?.[2] ?? ''
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  const isLoud = LOUD.test(name)
  const isShell = isLoud && separator === '='
  const quoted = quotedAt(text, at)
  const isPhrase = quoted !== undefined && /[ \t]/.test(text.slice(quoted.start, quoted.end))
  if (isPhrase)
    return kind === 'password' && isPassphrase(text.slice(quoted.start, quoted.end))
      ? { start: quoted.start, end: quoted.end, kind }
      : undefined
  const value = quoted ?? bareAt(text, at, isShell ? SHELL : BARE)
  if (value === undefined) return undefined
  const secret = text.slice(value.start, value.end)
  const sure = isLoud && (isShell || (value.quoted && !isLabel(secret)))
  const isAlone = value.quoted || /[?&]/.test(text[nameStart - 1] ?? '')
  if (!isSecret(kind, secret, sure, isAlone)) return undefined
  const end = value.quoted ? value.end : endOfBare(text, value.end, isShell ? SHELL : BARE)
  return { start: value.start, end, kind }
}

/** A value whose name is known apart from it, as in a JSON object. */
export function kindOfNamed(name: string, value: string): string | undefined {
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  if (/\s/.test(value)) return kind === 'password' && isPassphrase(value) ? kind : undefined
  return isSecret(kind, value, LOUD.test(name) && !isLabel(value), true) ? kind : undefined
}

/** The name of an environment variable. */
const LOUD = /^[A-Z][A-Z0-9_]*$/

/** Constants of code have loud names too, and values such as `reset-password` or `auth.password`. */
const isLabel = (value: string) => /[-_.:/]/.test(value) && isWordy(value)

/** `isAlone`: quotes or a query string leave no room for code. */
function isSecret(kind: string, value: string, sure: boolean, isAlone: boolean): boolean {
  if (kind === 'basic-auth') return isLogin(value)
  if (kind !== 'password') return looksRandom(value)
  return looksLikePassword(value, sure) && (sure || isAlone || looksSet(value))
}

/** Without quotes a word of code stands in the same place: only what nobody would name a variable counts. */
const looksSet = (value: string) =>
  !isWordy(value) &&
  /[a-z]/.test(value) &&
  /\d/.test(value) &&
  (/[A-Z]/.test(value) || /[^\w.]/.test(value))

/** Base64 of `user:password`, as in HTTP's basic scheme. */
export function isLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(value)) return false
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]{3,}$/.test(
    Buffer.from(value, 'base64').toString('latin1'),
  )
}

function kindOfName(name: string): string | undefined {
  const last = name.slice(-64)
  if (/^_?auth$/i.test(last)) return 'basic-auth'
  if (OTHER.test(last)) return undefined
  const vendor = VENDOR.exec(last)?.[0]?.toLowerCase()
  if (PASSWORD.test(last)) return 'password'
  if (!KEY.test(last)) return undefined
  if (vendor !== undefined) return VENDOR_KINDS[vendor] ?? vendor
  if (/token/i.test(last)) return 'token'
  return /secret/i.test(last) ? 'secret' : 'api-key'
}

const PASSWORD = /passw(?:or)?d|passwd|passphrase|(?:^|[_.-])p(?:ass)?wd|^pwd|(?:[a-z])Pwd/i
const KEY =
  /secret|token|credential|(?:api|access|auth|account|private|secret|encryption|signing|master|service|storage|license|shared|client|app|admin|deploy|write|session)[_.-]?key|^sig$|^[A-Z0-9_]+_KEY$|^_?authToken$/i
/** The word is in the name, the secret is not in the value. */
const OTHER =
  /(?:count|counts|limit|max|min|length|size|type|types|name|names|field|path|file|url|uri|endpoint|expir\w*|ttl|age|hash|digest|sha\d*|checksum|policy|label|placeholder|hint|regex|pattern|usage|budget|used|total|index|header|prefix|suffix|param|format|version|scheme|provider|issuer|arn|error|message|title|rules?|strength|encryption|_id|Id|ID|ids|s_per\w*|tokens)$|passw(?:or)?d[_-]?key$|public|tokeniz|max_?tokens|token_?(?:count|limit|usage)|(?:prompt|completion|input|output|cached|reasoning)_?tokens/i

const VENDOR =
  /heroku|datadog|dd(?=_(?:api|app))|twilio|azure|accountkey|sharedaccesskey|aws|cloudflare|mailgun|algolia|netlify|circleci|codecov|npm|authtoken|sig$/i
const VENDOR_KINDS: Readonly<Record<string, string>> = {
  dd: 'datadog',
  accountkey: 'azure',
  sharedaccesskey: 'azure',
  sig: 'azure',
  authtoken: 'npm',
}

type Value = { readonly start: number; readonly end: number; readonly quoted: boolean }

const OPENING = /[ \t]{0,8}(\\{0,3})(["'`])/y
const QUOTED_LONGEST = 4096

/** Up to the same quote at the same depth of escaping, on one line. */
function quotedAt(text: string, at: number): Value | undefined {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening === null) return undefined
  const [all, escapes = '', quote] = opening
  const start = at + all.length
  let slashes = 0
  for (let end = start; end < text.length && end - start < QUOTED_LONGEST; end += 1) {
    const sign = text[end]
    if (sign === quote && slashes <= escapes.length) {
      return { start, end: end - slashes, quoted: true }
    }
    if (sign === '\n') return undefined
    slashes = sign === '\\' ? slashes + 1 : 0
  }
  return undefined
}

/** So much of a value is enough to judge it, and one sign more than a password has. */
// oxlint-disable-next-line no-control-regex
const BARE = /[^\s\x00-\x1f"'`,;&<>(){}[\]|\\]{1,257}/y
// oxlint-disable-next-line no-control-regex
const SHELL = /[^\s\x00-\x1f"'`;&<>|\\]{1,257}/y

function bareAt(text: string, at: number, pattern: RegExp): Value | undefined {
  let start = at
  while (start - at < 8 && /[ \t]/.test(text[start] ?? '')) start += 1
  pattern.lastIndex = start
  const value = pattern.exec(text)?.[0] ?? ''
  if (value === '' || isSample(value.slice(0, 128))) return undefined
  const end = start + value.length
  // A call, an index, an object: code.
  return '([{'.includes(text[end] ?? ' ') ? undefined : { start, end, quoted: false }
}

function endOfBare(text: string, from: number, pattern: RegExp): number {
  let end = from
  pattern.lastIndex = end
  while (pattern.test(text)) end = pattern.lastIndex
  return end
}
