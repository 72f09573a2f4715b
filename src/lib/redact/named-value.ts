/**
 * Values that a name before them gives away: `DB_PASSWORD=…`, `"api_key": "…"`, `?access_token=…`, in code, shell,
 * JSON, YAML and connection strings, quoted or not.
 */
import {
  isDefault,
  isMixed,
  isPhrase,
  isSample,
  isWordy,
  looksLikePassword,
  looksRandom,
} from './plausible.ts'
import { RANK, rangeOf, type Range, type TextRange } from './range.ts'
import { ALSO_CODE, PIN, kindOfName } from './secret-names.ts'
import {
  bareAt,
  blockAt,
  endOfBare,
  endOfShellWord,
  heldAt,
  quotedAt,
  wordsAt,
} from './value-at.ts'

/** The value of an assignment whose name begins at `nameStart` and whose separator ends at `at`. */
export function namedValueAt(text: string, nameStart: number, at: number): Range | undefined {
  const assignment = /^([\w.-]*)(.*)$/s.exec(text.slice(nameStart, at))
  const name = assignment?.[1] ?? ''
  const separator = assignment?.[2] ?? ''
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  const isLoud = LOUD.test(name)
  const isShell = isLoud && /^["']?\]?=$/.test(separator)
  const words = kind === 'password' ? wordsAt(text, nameStart, at, name) : undefined
  const found = ({ start, end }: TextRange): Range => ({
    ...rangeOf(start, end, kind, RANK.context),
    from: nameStart,
  })
  if (words !== undefined) return found(words)
  const inQuotes = quotedAt(text, at)
  const quoted = inQuotes && isShell ? endOfShellWord(text, inQuotes) : inQuotes
  const held = kind === 'password' ? heldAt(text, nameStart, at, separator) : undefined
  if (held !== undefined) return found(held)
  const isKey = /^\\{0,3}["']/.test(separator)
  if (quoted !== undefined && /[ \t]/.test(text.slice(quoted.start, quoted.end))) {
    const place = isShell || /phrase$/i.test(name) ? 'sure' : 'likely'
    const phrase = text.slice(quoted.start, quoted.end)
    if (!isSecretPhrase({ kind, name, value: phrase, place, isKey })) return undefined
    return found(quoted)
  }
  const value = quoted ?? blockAt(text, at) ?? bareAt(text, at, isShell)
  if (value === undefined) return undefined
  const secret = text.slice(value.start, value.end)
  const sure = isLoud && (isShell || (value.quoted && !isLabel(secret)))
  const isAlone =
    value.quoted ||
    isPair(text, { nameStart, separator, end: value.end, name }) ||
    (/^["']?[ \t]*[:=][ \t]*$/.test(separator) &&
      isLine(text, nameStart, value.end) &&
      !(separator !== '=' && isCode(name, secret)))
  if (!isSecret({ name, kind, value: secret, sure, isShell, isAlone })) return undefined
  const end = value.quoted ? value.end : endOfBare(text, value.end, isShell)
  return found({ start: value.start, end })
}

/** A value whose name is known apart from it, as in a JSON object. */
export function kindOfNamed(name: string, value: string): string | undefined {
  if (PIN.test(name) && /^\d{4}(?:\d\d){0,2}$/.test(value)) return 'pin'
  const kind = kindOfName(name)
  if (kind === undefined) return undefined
  const isLoud = LOUD.test(name)
  if (/\s/.test(value))
    return isSecretPhrase({ kind, name, value, place: isLoud ? 'sure' : 'likely', isKey: true })
      ? kind
      : undefined
  const sure = isLoud && !isLabel(value)
  return isSecret({ name, kind, value, sure, isShell: isLoud, isAlone: true }) ? kind : undefined
}

/** One of several in a row: a query, a connection string, options of a mount, an argument of its own. */
function isPair(
  text: string,
  at: { nameStart: number; separator: string; end: number; name: string },
) {
  const before = text.slice(Math.max(0, at.nameStart - 80), at.nameStart)
  const isNext = /^(?:[\s;&,"'\\]|$)/.test(text.slice(at.end, at.end + 1))
  if (before.endsWith('/') && at.separator === ':') return isNext
  // A field of a form that was sent in parts.
  if (/\n|\\n/.test(at.separator)) return /name=\\{0,3}["']?$/.test(before)
  if (/^\\{0,3}["']/.test(at.separator)) return /^[\s,}\]]/.test(text.slice(at.end, at.end + 1))
  if (at.separator !== '=' || !isNext) return false
  return (
    /[?&;,=/]$|-D$|\w=\S{1,60} $/.test(before) ||
    /^--?[a-zA-Z]/.test(at.name) ||
    /[&;]/.test(text[at.end] ?? '')
  )
}

/** What stands behind `=` or `:` with blanks around it is a name too, as code has them. */
const isCode = (name: string, value: string) =>
  name.includes('.') || (/^\w+$/.test(value) && isWordy(value) && !/[a-z]\d{2,5}$/.test(value))

/** Settings, a shell: the name and its value are all that the line holds. */
const isLine = (text: string, start: number, end: number) =>
  /(?:^|\n)[ \t]*(?:export[ \t]+|-[ \t]+|mot de )?["']?$/.test(
    text.slice(Math.max(0, start - 40), start),
  ) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40))

/** The name of an environment variable. */
const LOUD = /^[A-Z][A-Z0-9_]*$/

/** Constants of code have loud names too, and values such as `reset-password` or `auth.password`. */
const isLabel = (value: string) => /[-_.:/]/.test(value) && isWordy(value)

type Phrase = {
  readonly kind: string
  readonly name: string
  readonly value: string
  readonly place: 'sure' | 'likely'
  /** The name stands in quotes, as in JSON, where code does not name a pass over something. */
  readonly isKey: boolean
}

function isSecretPhrase({ kind, name, value, place, isKey }: Phrase): boolean {
  if (kind !== 'password') return kind === 'secret' && place === 'sure' && isPhrase(value, place)
  if (place === 'likely' && ALSO_CODE.test(name) && (!isKey || OF_TESTS.test(value))) return false
  return isPhrase(value, place)
}
/** What passes, and a sentence about it. */
const OF_TESTS =
  /^[A-Z'"<$]|[^\x20-\x7e]|(?: \S+){5}|\b(?:tests?|testing|pass(?:ed|es|ing)?|checks?|ok|all|renders?|returns?|works?|builds?|without|lint|stage|phase|step|done|green|valid|success\w*)\b/

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
  if (sure && isShell && value.length >= 4 && value.length < 8)
    return !isSample(value) && !isDefault(value) && !/^(?:true|false|null|none)$|[/(]/i.test(value)
  if (isAlone && isShort({ name, value })) return true
  if (!looksLikePassword(value, sure)) return false
  return sure || looksSet(value) || (isAlone && !ALSO_CODE.test(name))
}

/** Where no room is left for code, few signs are enough. */
const isShort = ({ name, value }: { name: string; value: string }) =>
  /^\d{6,16}$/.test(value)
    ? !ALSO_CODE.test(name) && !isSample(value)
    : isMixed(value) &&
      /\d/.test(value) &&
      !/[-_.:/()[\]{}<>]/.test(value) &&
      (!ALSO_CODE.test(name) || /\d{2}/.test(value))

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
