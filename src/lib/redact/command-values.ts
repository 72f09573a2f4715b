/** Secrets that a command is given as its argument, or on its standard input by an `echo`. */
import { found, isMadeUp, read, type TextRange } from './found.ts'
import { isMixed, isPhrase, looksLikePassword, looksRandom } from './plausible.ts'
import type { Range } from './range.ts'

/** `--password X`, `--token X`, `-passin pass:X`. */
export function flagValue(text: string, place: TextRange): Range | undefined {
  const flag = text.slice(place.start, place.end).trimStart()
  const isPassword = /pass|pw/.test(flag)
  const phrase = quotedAt(text, place.end)
  if (isPassword && phrase !== undefined && isPhrase(text.slice(phrase.start, phrase.end), 'sure'))
    return found('password', phrase, place.start)
  const source = read(text, place.end, /["']?pass:/y)
  if (/^--?pass(?:in|out)?[ \t]/.test(flag) && source.end > source.start) {
    const value = quotedAt(text, source.end) ?? read(text, source.end, /[^\s"'`;|&<>\\]{4,1024}/y)
    return isMadeUp(text, value) ? found('password', value, place.start) : undefined
  }
  const value = read(text, place.end, /["']?[^\s"'`;|&<>\\]{6,1024}/y)
  const isQuoted = /["']/.test(text[value.start] ?? '')
  const bare = { start: value.start + (isQuoted ? 1 : 0), end: value.end }
  const secret = text.slice(bare.start, bare.end)
  const looks = isPassword
    ? looksLikePassword(secret, false) || (isMixed(secret) && isMadeUp(text, bare))
    : looksRandom(secret) || (/secret-string/.test(flag) && isMixed(secret))
  return looks ? found(isPassword ? 'password' : 'token', bare, place.start) : undefined
}

/** `-u name:X`. */
export function loginValue(text: string, place: TextRange): Range | undefined {
  const quoted = quotedAt(text, place.end)
  const all = quoted ?? read(text, place.end, /["']?[^\s"'`]{6,400}/y)
  const value = { start: text.indexOf(':', all.start) + 1, end: all.end }
  const secret = text.slice(value.start, value.end)
  const isWeb = WEB.test(text.slice(Math.max(0, place.start - COMMAND_LONGEST), place.start))
  const looks = /[ \t]/.test(secret)
    ? isPhrase(secret, 'sure')
    : looksLikePassword(secret, false) || (isWeb && isMadeUp(text, value))
  return looks ? found('password', value, place.start) : undefined
}

type Takes = {
  readonly commands: RegExp
  /** How it takes the value: glued to the letter, as the next word, or either. */
  readonly as: 'joined' | 'apart' | 'either'
  /** What stands before the password in the same word. */
  readonly behind?: string
}

const command = (names: string, rest = '') =>
  new RegExp(`(?<![\\w.-])(?:${names})\\b${rest}[^\\n|;&]{0,200}$`)

/** Which commands take a password behind which letter. Behind the same letter others take a port, a path, a user. */
const OPTIONS: Readonly<Record<string, readonly Takes[]>> = {
  p: [
    { commands: command('(?:mysql|mariadb|mytop|7z[arz]?|unrar|rar)[a-z-]{0,16}'), as: 'joined' },
    { commands: command('sshpass'), as: 'either' },
    {
      commands: command('mongo(?:sh|dump|restore|export|import)?|cqlsh|psexec(?:64)?'),
      as: 'apart',
    },
    {
      commands: command(
        'docker|podman|nerdctl|buildah|skopeo|oras|helm|crane|az|oc',
        '[^\\n|;&]{0,80}\\blogin',
      ),
      as: 'apart',
    },
  ],
  P: [
    { commands: command('zip|unzip|zipcloak|ipmitool|ssh-keygen'), as: 'apart' },
    { commands: command('sqlcmd|bcp|osql'), as: 'either' },
  ],
  N: [{ commands: command('ssh-keygen'), as: 'apart' }],
  a: [
    { commands: command('(?:redis|keydb|valkey)-cli'), as: 'apart' },
    { commands: command('https?|xhs?'), as: 'apart', behind: ':' },
  ],
  w: [{ commands: command('ldap[a-z]{3,12}'), as: 'either' }],
  k: [{ commands: command('openssl'), as: 'apart' }],
  U: [{ commands: command('smbclient|rpcclient|smbget|net'), as: 'apart', behind: '%' }],
  n: [],
}
const COMMAND_LONGEST = 300
/** Elsewhere `-u` takes a user and a group: `docker run -u 1000:1000`. */
const WEB = command('curl|wget|https?|xhs?')

/** `mysql -pX`, `redis-cli -a X`. */
export function optionValue(text: string, place: TextRange): Range | undefined {
  const before = text.slice(Math.max(0, place.start - COMMAND_LONGEST), place.start)
  const isApart = /[ \t]/.test(text[place.end] ?? '')
  const takes = OPTIONS[text[place.end - 1] ?? '']?.find(
    ({ as, commands }) => as !== (isApart ? 'joined' : 'apart') && commands.test(before),
  )
  if (takes === undefined) return undefined
  const at = place.end + (isApart ? 1 : 0)
  const all = quotedAt(text, at) ?? read(text, at, /[^\s"'`;|&<>\\]{4,256}/y)
  const behind = takes.behind === undefined ? all.start : text.indexOf(takes.behind, all.start) + 1
  const value = { start: behind, end: all.end }
  if (behind < all.start || behind >= all.end || !isMadeUp(text, value)) return undefined
  return found('password', value, place.start - before.length + before.search(takes.commands))
}

/** `echo X | sudo -S …`, `echo X | docker login --password-stdin`. */
export function pipedValue(text: string, place: TextRange): Range | undefined {
  const from = Math.max(0, place.start - COMMAND_LONGEST)
  const echo = ECHO.exec(text.slice(from, place.start))
  if (echo === null) return hereValue(text, place)
  const [, words = '', , said = ''] = echo
  const at = from + echo.index + words.length
  const all = quotedAt(text, at) ?? { start: at, end: at + said.length }
  const name = text.slice(place.start, place.end).endsWith('chpasswd')
    ? text.indexOf(':', all.start)
    : -1
  const value = name > 0 && name < all.end ? { start: name + 1, end: all.end } : all
  return isMadeUp(text, value) ? found('password', value, from + echo.index) : undefined
}

/** `… --password-stdin <<< X`. */
function hereValue(text: string, place: TextRange): Range | undefined {
  const { start, end } = read(text, place.end, /[^\n|;&<]{0,80}<<<[ \t]*(?=[^\s$])/y)
  const value = quotedAt(text, end) ?? read(text, end, /[^\s"'`;|&<>\\]{4,256}/y)
  return end > start && isMadeUp(text, value) ? found('password', value, place.start) : undefined
}
const ECHO =
  /((?<![\w-])(?:echo|printf)[ \t]+(?:-[neE]{1,3}[ \t]+|(["']?)%s(?:\\n)?\2[ \t]+)?)('[^'\n]{4,256}'|"[^"\n]{4,256}"|[^\s"'|;&<>]{4,256})[ \t]*\|[^|\n;&]{0,200}$/

function quotedAt(text: string, at: number): TextRange | undefined {
  const { start, end } = read(text, at, /'[^'\n]{4,256}'|"[^"\n]{4,256}"/y)
  return end === start ? undefined : { start: start + 1, end: end - 1 }
}
