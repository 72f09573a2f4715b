/** Values that a name before them gives away, wherever the name begins and however the value is joined to it. */
import { namedValueAt } from './named-value.ts'
import { isMadeUp, isMixed, looksLikePassword, looksRandom } from './plausible.ts'
import { RANK, rangeOf, read, type TextRange } from './range.ts'

/** A file of logins: who a password is for stands right before it. Elsewhere the value itself must tell. */
export function netrcValue(text: string, place: TextRange) {
  // A digit says how it is written down.
  const end = read(text, place.end, /(?:[0-9][ \t]+)?["']?/y)?.end ?? place.end
  const value = read(text, end, /[^\s"'`,;()]{4,256}/y)
  if (value === undefined) return undefined
  const secret = text.slice(value.start, value.end)
  const before = text.slice(Math.max(0, place.start - BEFORE_LONGEST), place.start)
  const isOfNetrc = NETRC.test(before) && read(text, value.end, AFTER_NETRC) !== undefined
  const isOfNetwork = (end > place.end || /\bnmcli\b[^\n;|&]*$/.test(before)) && isMixed(secret)
  return ((isOfNetrc || isOfNetwork) && isMadeUp(secret)) ||
    looksRandom(secret) ||
    (/\d/.test(secret) && /[A-Z]/.test(secret) && looksLikePassword(secret, false))
    ? { ...rangeOf(value.start, value.end, 'password', RANK.context), from: place.start }
    : undefined
}
const BEFORE_LONGEST = 160
const NETRC =
  /(?:^|\n)[ \t]*(?:(?:machine[ \t]+\S+|default)\s+)?(?:login|user|account)[ \t]+\S+\s+$/
const AFTER_NETRC = /[ \t]*(?:\r?\n|$)|[ \t]+(?:machine|account|macdef)\b/y

/** The next but one word: a Dockerfile, shells, `aws configure set`, `redis.conf`. */
export function setValue(text: string, place: TextRange) {
  const before = text.slice(Math.max(0, place.start - BEFORE_LONGEST), place.start)
  const [, set, own] = SETS.exec(before) ?? []
  const name = set ?? own
  return name === undefined ? undefined : namedValueAt(text, place.start - name.length, place.end)
}
const SETS =
  /(?:\b(?:ENV|setx|set[ \t]+-[a-zA-Z]{1,4}|config(?:ure)?[ \t]+set)[ \t]+(?:[^\s=]{0,60}[/:])?([\w.-]{0,60})|(?:^|\n)[ \t]*(re|))$/

export function namedValue(text: string, place: TextRange) {
  let { start } = place
  while (start > 0 && place.start - start < 64 && /[\w.-]/.test(text[start - 1] ?? ' ')) start -= 1
  if (!/[\w-]/.test(text[place.start] ?? ' ')) start = place.start + 1
  return namedValueAt(text, start, place.end)
}
