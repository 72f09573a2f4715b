/** What a clue leads to: the place of the secret that follows it, if there is one. */
import type { Clue } from './clues.ts'
import { isLogin, namedValueAt } from './named-value.ts'
import { isPassphrase, isSample, looksLikePassword, looksRandom } from './plausible.ts'
import { privateKeyAt } from './private-key.ts'
import { RANK, type Range } from './range.ts'

type TextRange = { readonly start: number; readonly end: number }

/** Finds the secret of a clue that stands from `place.start` to `place.end`. */
export function followClue(text: string, clue: Clue, place: TextRange): Range | undefined {
  return FOLLOW[clue](text, place)
}

const FOLLOW: { readonly [C in Clue]: (text: string, place: TextRange) => Range | undefined } = {
  'private-key': (text, { start }) => privateKeyAt(text, start).range,
  header: (text, place) => {
    const value = read(text, place.end, /[\w+/.=~-]{8,4096}/y)
    const secret = text.slice(value.start, value.end)
    if (/^basic/i.test(text.slice(place.start, place.end))) {
      return isLogin(secret) ? found('basic-auth', value, place.start) : undefined
    }
    return looksRandom(secret) ? found('bearer', value, place.start) : undefined
  },
  url: (text, place) => {
    const { start, end } = read(text, place.end, /[^\s/@"'<>]{1,400}/y)
    const login = text.slice(start, end)
    const colon = login.indexOf(':')
    if (colon === -1 || login.endsWith(':x-oauth-basic')) {
      const token = { start, end: colon === -1 ? end : start + colon }
      const secret = text.slice(token.start, token.end)
      return looksRandom(secret) ? found('url-token', token, place.start) : undefined
    }
    const password = login.slice(colon + 1)
    const isPassword = password.length >= 4 && !isSample(password) && !DEFAULTS.test(password)
    return isPassword
      ? found('url-password', { start: start + colon + 1, end }, place.start)
      : undefined
  },
  flag: (text, place) => {
    const phrase = phraseAt(text, place)
    if (phrase !== undefined) return phrase
    const value = read(text, place.end, /["']?[^\s"'`;|&<>\\]{8,1024}/y)
    const quoted = /["']/.test(text[value.start] ?? '')
    const bare = { start: value.start + (quoted ? 1 : 0), end: value.end }
    const secret = text.slice(bare.start, bare.end)
    const isPassword = /pass/.test(text.slice(place.start, place.end))
    const looks = isPassword ? looksLikePassword(secret, false) : looksRandom(secret)
    return looks ? found(isPassword ? 'password' : 'token', bare, place.start) : undefined
  },
  netrc: (text, place) => {
    const value = read(text, place.end, /[^\s"'`,;()]{8,256}/y)
    const secret = text.slice(value.start, value.end)
    return looksRandom(secret) ||
      (/\d/.test(secret) && /[A-Z]/.test(secret) && looksLikePassword(secret, false))
      ? found('password', value, place.start)
      : undefined
  },
  login: (text, place) => {
    const all = read(text, place.end, /["']?[^\s"'`]{9,400}/y)
    const start = text.indexOf(':', all.start) + 1
    const value = { start, end: all.end }
    const secret = text.slice(start, all.end)
    return looksLikePassword(secret, false) ? found('password', value, place.start) : undefined
  },
  joined: (text, place) => {
    const before = text.slice(Math.max(0, place.start - COMMAND_LONGEST), place.start)
    const command = TAKES_JOINED.exec(before)
    if (command === null) return undefined
    const isApart = /[ \t]/.test(text[place.end] ?? '')
    // Only this one takes its password as the next word; the others would ask for it.
    if (isApart && !command[0].startsWith('sshpass')) return undefined
    const at = place.end + (isApart ? 1 : 0)
    const quoted = read(text, at, /'[^'\n]{4,256}'|"[^"\n]{4,256}"/y)
    const value =
      quoted.end > quoted.start
        ? { start: quoted.start + 1, end: quoted.end - 1 }
        : read(text, at, /[^\s"'`;|&<>\\]{4,256}/y)
    const secret = text.slice(value.start, value.end)
    if (secret === '' || isSample(secret) || DEFAULTS.test(secret)) return undefined
    return found('password', value, place.start - before.length + command.index)
  },
  discord: (text, place) => {
    const first = /[MNO][A-Za-z0-9]{22,27}$/.exec(
      text.slice(Math.max(0, place.start - 28), place.start),
    )?.[0]
    const rest = read(text, place.end, /[\w-]{6}\.[\w-]{27,40}/y)
    // The number of the bot, in base64.
    if (first === undefined || !/^\d{17,20}$/.test(Buffer.from(first, 'base64').toString('latin1')))
      return undefined
    return found(
      'discord',
      { start: place.start - first.length, end: rest.end },
      place.start - first.length,
    )
  },
  named: (text, place) => {
    let start = place.start
    while (start > 0 && place.start - start < 64 && /[\w.-]/.test(text[start - 1] ?? ' '))
      start -= 1
    if (!/[\w-]/.test(text[place.start] ?? ' ')) start = place.start + 1
    const value = namedValueAt(text, start, place.end)
    return value && found(value.kind, value, start)
  },
}

/** `--password "three words or more"`. */
function phraseAt(text: string, place: TextRange): Range | undefined {
  if (!/pass/.test(text.slice(place.start, place.end))) return undefined
  const { start, end } = read(text, place.end, /'[^'\n]{8,128}'|"[^"\n]{8,128}"/y)
  if (!isPassphrase(text.slice(start + 1, end - 1))) return undefined
  return found('password', { start: start + 1, end: end - 1 }, place.start)
}

/** Commands that take a password glued to `-p`, up to where the option stands. */
const TAKES_JOINED = /(?:mysql|mariadb|sshpass|mytop|7z|unrar|rar)[a-z-]{0,16}\b[^\n|;&]{0,200}$/
const COMMAND_LONGEST = 240

/** Passwords that every manual uses. */
const DEFAULTS =
  /^(?:pass|password|passwd|postgres|secret|root|admin|user|guest|test|mysql|changeme|pw|pwd|token|key|auth|x-oauth-basic)$/i

function read(text: string, at: number, pattern: RegExp): TextRange {
  pattern.lastIndex = at
  const length = pattern.exec(text)?.[0].length ?? 0
  return { start: at, end: at + length }
}

const found = (kind: string, { start, end }: TextRange, from: number): Range => ({
  start,
  end,
  kind,
  from,
  rank: RANK.context,
})
