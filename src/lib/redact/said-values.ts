/** Secrets that sentences, calls, elements and statements hold, in places where hardly anything else can stand. */
import { found, isMadeUp, read, type TextRange } from './found.ts'
import { isMixed, isPhrase, isWordy, looksRandom } from './plausible.ts'
import type { Range } from './range.ts'

const BEFORE_LONGEST = 160
const before = (text: string, { start }: TextRange) =>
  text.slice(Math.max(0, start - BEFORE_LONGEST), start)

/** `Digest username="bob", …, response="X"`: who has it can try out passwords. */
export function digestValue(text: string, place: TextRange): Range | undefined {
  RESPONSE.lastIndex = place.end
  const match = RESPONSE.exec(text)
  const secret = match?.[1]
  if (match === null || secret === undefined) return undefined
  const end = place.end + match[0].length
  return found('digest', { start: end - secret.length, end }, place.start)
}
const RESPONSE = /[^\n]{0,1000}?\bresponse=\\{0,3}"?([0-9a-f]{32,128})/y

/** `login("bob", "X")`, `auth=("bob", "X")`. */
export function callValue(text: string, place: TextRange): Range | undefined {
  if (!CALLED.test(before(text, place) + text.slice(place.start, place.end))) return undefined
  const { end: at } = read(text, place.end, FIRST_ARGUMENT)
  const { start, end } = read(text, at, /[^\n"'`\\]{4,128}(?=\\{0,3}["'`]\s{0,40}[,)])/y)
  if (at === place.end || end === start) return undefined
  const secret = text.slice(start, end)
  const isOne = !/\s/.test(secret)
  const isSecret = isOne ? isMixed(secret) && !NO_PASSWORD.test(secret) : isPhrase(secret, 'likely')
  return isSecret && isMadeUp(text, { start, end })
    ? found('password', { start, end }, place.start)
    : undefined
}
const CALLED =
  /(?:\b(?:do|try|user|admin)?_?(?:log|sign)_?in|\bauthenticate|\b(?:http)?(?:basic|digest)?_?auth=?|credentials?)\($/i
const FIRST_ARGUMENT =
  /\s{0,4}(?:\w+=)?(?:\\{0,3}["'`][^\n"'`\\]{1,64}\\{0,3}["'`]|[\w.$@[\]]{1,64})\s{0,4},\s{0,4}(?:\w+=)?\\{0,3}["'`]/y
/** A path, an address, a kind of content. */
const NO_PASSWORD = /^[./~]|:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+\/[\w.+-]+$/

/** `IDENTIFIED BY 'X'`, `WITH PASSWORD 'X'`, `SET PASSWORD FOR bob = 'X'`. */
export function sqlValue(text: string, place: TextRange): Range | undefined {
  const said = before(text, place)
  const isBy = /by[ \t]+$/i.test(text.slice(place.start, place.end))
  if (!(isBy ? /\bidentifie$/i : STATEMENT).test(said)) return undefined
  const value = read(text, place.end + 1, /[^'\n]{4,256}/y)
  return isMadeUp(text, value) ? found('password', value, place.start) : undefined
}
const STATEMENT = /(?:\bwith|\bencrypted|\bset|\b(?:user|role|login)[ \t]+\S{1,80})[ \t]+$/i

/** `the password is X`. */
export function saidValue(text: string, place: TextRange): Range | undefined {
  const quoted = read(text, place.end, /(["'`])[^\n"'`]{4,128}\1/y)
  if (quoted.end > quoted.start) {
    const value = { start: quoted.start + 1, end: quoted.end - 1 }
    const secret = text.slice(value.start, value.end)
    const isSecret = /\s/.test(secret) ? isPhrase(secret, 'likely') : isMadeUp(text, value)
    return isSecret && (/\s/.test(secret) || isMixed(secret))
      ? found('password', value, place.start)
      : undefined
  }
  const { start, end: last } = read(text, place.end, /[^\s"'`,;()<>]{6,128}/y)
  const end = /[.:]$/.test(text.slice(start, last)) ? last - 1 : last
  const isSecret = isMixed(text.slice(start, end)) && isMadeUp(text, { start, end })
  return isSecret ? found('password', { start, end }, place.start) : undefined
}

/** A PIN or a code that is good once. */
export function pinValue(text: string, place: TextRange): Range | undefined {
  const first = text[place.start] ?? ''
  const isApart = /[^A-Za-z-]$|^$/.test(before(text, place).slice(-1))
  if (!isApart && !(first === 'P' && /[a-z]/.test(text[place.start - 1] ?? ''))) return undefined
  const quote = read(text, place.end, /\\{0,3}["']?/y)
  const value = read(text, quote.end, /\d{4}(?:\d\d){0,2}(?![\w.])/y)
  return value.end > value.start ? found('pin', value, place.start) : undefined
}

/** The words from which a wallet is made. */
export function seedValue(text: string, place: TextRange): Range | undefined {
  const value = read(text, place.end, /[a-z]{3,8}(?: [a-z]{3,8}){11,23}(?![ \t]+[a-z])/y)
  const words = text.slice(value.start, value.end).split(' ')
  const isSeed = words.length % 3 === 0 && !words.some((word) => OF_PROSE.test(word))
  return isSeed ? found('seed-phrase', value, place.start) : undefined
}
/** None of these is in the list from which such words are drawn. */
const OF_PROSE = /^(?:the|and|for|are|was|were|with|from|not|but|has|have|its|they|your|you|when)$/

/** `AUTH PLAIN X` of a mail server, `AUTH X` of Redis. */
export function smtpValue(text: string, place: TextRange): Range | undefined {
  const isMail = /PLAIN/.test(text.slice(place.start, place.end))
  if (isMail) {
    const value = read(text, place.end, /[A-Za-z0-9+/]{8,512}={0,2}/y)
    const login = Buffer.from(text.slice(value.start, value.end), 'base64').toString('latin1')
    return /^[^\0]*\0[^\0]+\0[^\0]+$/.test(login)
      ? found('basic-auth', value, place.start)
      : undefined
  }
  if (!/(?:^|\n|> |redis-cli )[ \t]*$/.test(before(text, place))) return undefined
  const user = read(text, place.end, /[\w.-]{1,40}[ \t]+(?=\S+[ \t]*(?:\r?\n|$))/y)
  const value = read(text, user.end, /[^\s"'`]{6,256}(?=[ \t]*(?:\r?\n|$))/y)
  const isSecret = isMixed(text.slice(value.start, value.end)) && isMadeUp(text, value)
  return isSecret ? found('password', value, place.start) : undefined
}

/** `<Password>X</Password>`. */
export function elementValue(text: string, place: TextRange): Range | undefined {
  if (!/<[\w:.-]{0,40}$/.test(before(text, place))) return undefined
  const value = read(text, place.end, /[^<>\n]{4,128}(?=<\\?\/)/y)
  const secret = text.slice(value.start, value.end)
  const isOne = !/\s/.test(secret)
  const isLabel = /^[A-Z][a-z]+$/.test(secret) || /^[{$%&]|^(?:string|xsd?:\w+)$/.test(secret)
  const isSecret = isOne ? !isLabel || looksRandom(secret) : isPhrase(secret, 'likely')
  if (value.end === value.start || !isSecret || !isMadeUp(text, value)) return undefined
  return isOne && /[-_.]/.test(secret) && isWordy(secret)
    ? undefined
    : found('password', value, place.start)
}
