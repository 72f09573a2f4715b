/**
 * Values that a name before them gives away: `DB_PASSWORD=…`, `"api_key": "…"`, `?access_token=…`, in code, shell,
 * JSON, YAML and connection strings, quoted or not.
 */
import { isPhrase, isWordy, looksLikePassword, looksRandom } from './plausible.ts'
import { bareAt, blockAt, endOfBare, endOfShellWord, quotedAt, wordsAt } from './value-at.ts'

type NamedValue = { readonly start: number; readonly end: number; readonly kind: string }

/** The value of an assignment whose name begins at `nameStart` and whose separator ends at `at`. */
export function namedValueAt(text: string, nameStart: number, at: number): NamedValue | undefined {
  const assignment = /^([\w.-]*)(.*)$/s.exec(text.slice(nameStart, at))
  const name = assignment?.[1] ?? ''
  const separator = assignment?.[2] ?? ''
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  const isLoud = LOUD.test(name)
  const isShell = isLoud && /^["']?\]?=$/.test(separator)
  const words = kind === 'password' ? wordsAt(text, nameStart, at, name) : undefined
  if (words !== undefined) return { ...words, kind }
  const inQuotes = quotedAt(text, at)
  const quoted = inQuotes && isShell ? endOfShellWord(text, inQuotes) : inQuotes
  if (quoted !== undefined && /[ \t]/.test(text.slice(quoted.start, quoted.end))) {
    const place = isShell || /phrase$/i.test(name) ? 'sure' : 'likely'
    if (!isSecretPhrase(kind, name, text.slice(quoted.start, quoted.end), place)) return undefined
    return { start: quoted.start, end: quoted.end, kind }
  }
  const value = quoted ?? blockAt(text, at) ?? bareAt(text, at, isShell)
  if (value === undefined) return undefined
  const secret = text.slice(value.start, value.end)
  const sure = isLoud && (isShell || (value.quoted && !isLabel(secret)))
  const isAlone =
    value.quoted ||
    /[?&]/.test(text[nameStart - 1] ?? '') ||
    (separator === '=' && isLine(text, nameStart, value.end))
  if (!isSecret({ name, kind, value: secret, sure, isShell, isAlone })) return undefined
  const end = value.quoted ? value.end : endOfBare(text, value.end, isShell)
  return { start: value.start, end, kind }
}

/** A value whose name is known apart from it, as in a JSON object. */
export function kindOfNamed(name: string, value: string): string | undefined {
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  const isLoud = LOUD.test(name)
  if (/\s/.test(value))
    return isSecretPhrase(kind, name, value, isLoud ? 'sure' : 'likely') ? kind : undefined
  const sure = isLoud && !isLabel(value)
  return isSecret({ name, kind, value, sure, isShell: isLoud, isAlone: true }) ? kind : undefined
}

/** Settings, a shell: the name and its value are all that the line holds. */
const isLine = (text: string, start: number, end: number) =>
  /(?:^|\n)[ \t]*(?:export[ \t]+)?$/.test(text.slice(Math.max(0, start - 40), start)) &&
  /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40))

/** The name of an environment variable. */
const LOUD = /^[A-Z][A-Z0-9_]*$/

/** Constants of code have loud names too, and values such as `reset-password` or `auth.password`. */
const isLabel = (value: string) => /[-_.:/]/.test(value) && isWordy(value)

function isSecretPhrase(kind: string, name: string, value: string, place: 'sure' | 'likely') {
  if (kind !== 'password') return kind === 'secret' && place === 'sure' && isPhrase(value, place)
  return (place === 'sure' || !ALSO_CODE.test(name)) && isPhrase(value, place)
}

type Judged = {
  readonly name: string
  readonly kind: string
  readonly value: string
  readonly sure: boolean
  readonly isShell: boolean
  /** Quotes, a query string or a line of its own leave no room for code. */
  readonly isAlone: boolean
}

function isSecret({ name, kind, value, sure, isShell, isAlone }: Judged): boolean {
  if (kind === 'basic-auth') return isLogin(value)
  if (kind === 'secret' && isShell && value.length < 16)
    return looksSet(value) && looksLikePassword(value, false)
  if (kind !== 'password') return looksRandom(value)
  if (!looksLikePassword(value, sure)) return false
  return sure || looksSet(value) || (isAlone && !ALSO_CODE.test(name))
}

/** Without quotes a word of code stands in the same place: only what nobody would name a variable counts. */
const looksSet = (value: string) =>
  !isWordy(value) &&
  /^[\x20-\x7e]+$/.test(value) &&
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
  if (PASSWORD.test(last) || PASS.test(last)) return 'password'
  if (!KEY.test(last)) return undefined
  if (vendor !== undefined) return VENDOR_KINDS[vendor] ?? vendor
  if (/token/i.test(last)) return 'token'
  return /secret/i.test(last) ? 'secret' : 'api-key'
}

const PASSWORD = /passw(?:or)?d|passwd|passphrase|(?:^|[_.-])p(?:ass)?wd|^pwd|(?:[a-z])Pwd/i
/** Short for it. In lower case and alone these are words of code too: a pass over something. */
const PASS =
  /(?:^|[_.-])(?:[Pp]ass|PASS|[Pp]w|PW|psk|PSK)$|[a-z](?:Pass|Pw)$|^SSHPASS$|^REDISCLI_AUTH$|^requirepass$|^masterauth$/
const ALSO_CODE = /^(?:[\w.-]*\.)?[Pp](?:ass|w)$/
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
