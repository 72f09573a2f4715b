/** What a clue leads to: the place of the secret that follows it, if there is one. */
import type { Clue } from './clues.ts'
import { flagValue, loginValue, optionValue, pipedValue } from './command-values.ts'
import { commandValue } from './command-args.ts'
import { found, isMadeUp, read, type TextRange } from './found.ts'
import { isLogin, namedValueAt } from './named-value.ts'
import { isDefault, isMixed, isSample, looksLikePassword, looksRandom } from './plausible.ts'
import { privateKeyAt } from './private-key.ts'
import type { Range } from './range.ts'
import {
  callValue,
  digestValue,
  elementValue,
  pinValue,
  saidValue,
  seedValue,
  smtpValue,
  sqlValue,
} from './said-values.ts'

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
    const isPassword = password.length >= 4 && !isSample(password) && !isDefault(password)
    return isPassword
      ? found('url-password', { start: start + colon + 1, end }, place.start)
      : undefined
  },
  authorization: (text, place) => {
    const value = read(text, place.end, /[\w+/.=~-]{16,4096}/y)
    const isRandom = looksRandom(text.slice(value.start, value.end))
    return isRandom ? found('authorization', value, place.start) : undefined
  },
  cookie: (text, place) => {
    const { start, end } = read(text, place.end, /\\{0,3}["']?/y)
    const value = read(text, end, /[^\n"'\\]{1,4096}/y)
    const pairs = text.slice(value.start, value.end).split(/;[ \t]*/)
    const isOpen = !pairs.some((pair) => looksRandom(pair.slice(pair.indexOf('=') + 1)))
    return isOpen ? undefined : found('cookie', value, Math.min(start, place.start))
  },
  flag: flagValue,
  piped: pipedValue,
  login: loginValue,
  option: optionValue,
  digest: digestValue,
  call: callValue,
  command: commandValue,
  sql: sqlValue,
  said: saidValue,
  pin: pinValue,
  seed: seedValue,
  smtp: smtpValue,
  element: elementValue,
  oracle: (text, place) => {
    const value = read(text, text.indexOf('/', place.end) + 1, /[^\s@"']{4,128}/y)
    return isMadeUp(text, value) ? found('password', value, place.start) : undefined
  },
  pgpass: (text, place) => {
    const user = text.indexOf(':', text.indexOf(':', place.end) + 1) + 1
    const value = read(text, user, /[^\s:"'()[\]{}]{4,256}/y)
    return isMadeUp(text, value) ? found('password', value, place.start) : undefined
  },
  netrc: (text, place) => {
    // A digit says how it is written down.
    const { end } = read(text, place.end, /(?:[0-9][ \t]+)?["']?/y)
    const value = read(text, end, /[^\s"'`,;()]{4,256}/y)
    const secret = text.slice(value.start, value.end)
    const before = text.slice(Math.max(0, place.start - BEFORE_LONGEST), place.start)
    AFTER_NETRC.lastIndex = value.end
    const isOfNetrc = NETRC.test(before) && isMadeUp(text, value) && AFTER_NETRC.test(text)
    const isOfNetwork = end > place.end || /\bnmcli\b[^\n;|&]*$/.test(before)
    return isOfNetrc ||
      (isOfNetwork && isMixed(secret) && isMadeUp(text, value)) ||
      looksRandom(secret) ||
      (/\d/.test(secret) && /[A-Z]/.test(secret) && looksLikePassword(secret, false))
      ? found('password', value, place.start)
      : undefined
  },
  set: (text, place) => {
    const before = text.slice(Math.max(0, place.start - BEFORE_LONGEST), place.start)
    const [, set, own] = SETS.exec(before) ?? []
    const name = set ?? own
    if (name === undefined) return undefined
    const value = namedValueAt(text, place.start - name.length, place.end)
    return value && found(value.kind, value, place.start - name.length)
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

/** Who a password is for stands right before it. */
const NETRC =
  /(?:^|\n)[ \t]*(?:(?:machine[ \t]+\S+|default)\s+)?(?:login|user|account)[ \t]+\S+\s+$/
const AFTER_NETRC = /[ \t]*(?:\r?\n|$)|[ \t]+(?:machine|account|macdef)\b/y
/** What gives the next but one word to a name: a Dockerfile, shells, `aws configure set`, `redis.conf`. */
const SETS =
  /(?:\b(?:ENV|setx|set[ \t]+-[a-zA-Z]{1,4}|config(?:ure)?[ \t]+set)[ \t]+(?:[^\s=]{0,60}[/:])?([\w.-]{0,60})|(?:^|\n)[ \t]*(re|))$/
const BEFORE_LONGEST = 160
