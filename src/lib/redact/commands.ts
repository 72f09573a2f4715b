/** Secrets that a command is given: behind a flag or a letter, as one of its words, or on its standard input. */
import { clue, either, follow } from './follow.ts'
import {
  hasNumber,
  isMadeUp,
  isMixed,
  isPhrase,
  looksLikePassword,
  looksRandom,
} from './plausible.ts'
import { RANK, rangeOf, type Rule, type TextRange } from './range.ts'

/** A word of a shell, quoted or not. What stands before the secret in the same word is left out. */
const word = (before = '') =>
  `(?:'${before}([^'\\n]{4,256})'|"${before}([^"\\n]{4,256})"|${before}([^\\s"'\`;|&<>\\\\*]{4,256}))`
const VALUE = word()
const OPTIONS = '(?:-{1,2}[\\w=-]{1,40}[ \\t]{1,8}(?:\\d{1,4}[ \\t]{1,8})?)'
const OVER = '(?=[ \\t]*(?:[\\n\\r|;&>"\'`)\\\\]|#|$))'
/** Where one begins: the shares of Windows have two strokes before them, more where they are escaped. */
const SHARE =
  '(?:"\\\\{2,8}[^"\\n]{1,200}"|\\\\{2,8}[\\w.$-]{1,100}\\\\{1,4}[\\w.$\\\\-]{1,200})[ \\t]+'

/** The command itself and what may stand between it and its password. */
const command = (names: string, rest = '') =>
  new RegExp(`(?<![\\w.-])(?:${names})\\b${rest}[^\\n|;&]{0,200}$`)

const isGiven = (value: string) =>
  looksLikePassword(value, false) || (isMixed(value) && isMadeUp(value))
const isSurePhrase = (value: string) => /\s/.test(value) && isPhrase(value, 'sure')

const PASSWORD_FLAG = /-[a-z-]{0,24}(?:pass|pw)[a-z-]*[ \t]+$/
const QUOTED = /'([^'\n]{4,256})'|"([^"\n]{4,256})"/dy
const BARE = /["']?([^\s"'`;|&<>\\]{6,1024})/dy
const BARE_PASSWORD = /(?!["']?pass:)["']?([^\s"'`;|&<>\\]{6,1024})/dy
const SOURCE = /["']?pass:(?:'([^'\n]{4,256})'|"([^"\n]{4,256})"|([^\s"'`;|&<>\\]{4,1024}))/dy
const LOGIN =
  /'[^\s:"']{1,64}:([^'\n]{2,256})'|"[^\s:"']{1,64}:([^"\n]{2,256})"|["']?[^\s:"']{1,64}:([^\s"'`]{2,400})/dy

/** `--password X`, `--token X`, `-passin pass:X`, `echo X | sudo -S …`. */
const early: readonly Rule[] = [
  clue(
    '-[a-z-][a-z-] \\s-[a-z-]',
    /\s?--?[a-z-]{0,24}(?:pass(?:word|wd|phrase|in|out)?|pw|token|secret(?:-string)?|(?:api|access|signing|private|encryption|account|auth|master)-?key)[ \t]+(?=[^\s-])/y,
    either(
      follow('password', QUOTED, isSurePhrase, PASSWORD_FLAG),
      follow('password', SOURCE, isMadeUp, /--?pass(?:in|out)?[ \t]+$/),
      follow('password', BARE_PASSWORD, isGiven, PASSWORD_FLAG),
      follow('token', BARE, looksRandom, /(?:token|secret|key)[ \t]+$/),
      follow('token', BARE, isMixed, /secret-string[ \t]+$/),
    ),
  ),
  clue(
    '--[pw] c[hr][py] sud',
    /--password-stdin|--passphrase-fd|--with-token|\bsudo -S|\bchpasswd|\bcryptsetup/y,
    either(
      echoed,
      follow(
        'password',
        new RegExp(`[^\\n|;&<]{0,80}<<<[ \\t]*(?=[^\\s$])${VALUE}`, 'dy'),
        isMadeUp,
      ),
    ),
  ),
]

/** `echo X | sudo -S …`, `echo bob:X | chpasswd`. */
function echoed(text: string, place: TextRange) {
  const from = Math.max(0, place.start - 300)
  const echo = ECHO.exec(text.slice(from, place.start))
  const [at, end] = echo?.indices?.slice(3).find((each) => each !== undefined) ?? []
  if (at === undefined || end === undefined) return undefined
  const said = text.slice(from + at, from + end)
  const name = text.startsWith('chpasswd', place.start) ? said.indexOf(':') + 1 : 0
  return isMadeUp(said.slice(name))
    ? rangeOf(from + at + name, from + end, 'password', RANK.context)
    : undefined
}
const ECHO =
  /(?<![\w-])(?:echo|printf)[ \t]+(?:-[neE]{1,3}[ \t]+|(["']?)%s(?:\\n)?\1[ \t]+)?()(?:'([^'\n]{4,256})'|"([^"\n]{4,256})"|([^\s"'|;&<>]{4,256}))[ \t]*\|[^|\n;&]{0,200}$/d

/** How a command takes a password behind a letter: glued to it, as the next word, or either. */
const JOINED = new RegExp(VALUE, 'dy')
const APART = new RegExp(`[ \\t]${VALUE}`, 'dy')
const EITHER = new RegExp(`[ \\t]?${VALUE}`, 'dy')
const behind = (sign: string) => new RegExp(`[ \\t]${word(`[^\\s'":%]{0,64}${sign}`)}`, 'dy')

const letter = (sign: string, ...takes: readonly (readonly [RegExp, RegExp])[]): Rule =>
  clue(
    `\\s-${sign} \\s["']-`,
    new RegExp(`\\s["']?-${sign}(?=[^\\s-]|[ \\t][^\\s-])`, 'y'),
    either(...takes.map(([pattern, before]) => follow('password', pattern, isMadeUp, before))),
  )

/** Which commands take a password behind which letter. Behind the same letter others take a port, a path, a user. */
const late: readonly Rule[] = [
  // Elsewhere `-u` takes a user and a group: `docker run -u 1000:1000`.
  clue(
    '\\s-[uU] --[up]',
    /(?:\s-[uU]|--(?:proxy-)?user)[ \t=]{0,2}(?=["']?[^\s:"']{1,64}:[^\s"']{2})/y,
    either(
      follow('password', LOGIN, isSurePhrase),
      follow('password', LOGIN, (value) => !/\s/.test(value) && looksLikePassword(value, false)),
      follow('password', LOGIN, (value) => !/\s/.test(value) && isMadeUp(value), command('curl|wget|https?|xhs?')), // prettier-ignore
    ),
  ),
  letter(
    'p',
    [JOINED, command('(?:mysql|mariadb|mytop|7z[arz]?|unrar|rar)[a-z-]{0,16}')],
    [EITHER, command('sshpass')],
    [APART, command('mongo(?:sh|dump|restore|export|import)?|cqlsh|psexec(?:64)?')],
    [APART, command('docker|podman|nerdctl|buildah|skopeo|oras|helm|crane|az|oc', '[^\\n|;&]{0,80}\\blogin')], // prettier-ignore
  ),
  letter(
    'P',
    [APART, command('zip|unzip|zipcloak|ipmitool|ssh-keygen')],
    [EITHER, command('sqlcmd|bcp|osql')],
  ),
  letter('N', [APART, command('ssh-keygen')]),
  letter(
    'a',
    [APART, command('(?:redis|keydb|valkey)-cli')],
    [behind(':'), command('https?|xhs?')],
  ),
  letter('w', [EITHER, command('ldap[a-z]{3,12}')]),
  letter('k', [APART, command('openssl')]),
  letter('U', [behind('%'), command('smbclient|rpcclient|smbget|net')]),
]

const takes = (pattern: string, kind = 'password', looks = isMadeUp) =>
  follow(kind, new RegExp(pattern, 'dy'), (value) => isMadeUp(value) && looks(value))

const opens = (names: string) => new RegExp(`(?:${names})[ \\t]+(?=[^\\s=:])`, 'y')

/** Commands that take it as one of their words. Where prose goes on in the same way, the value alone must tell. */
const words: readonly Rule[] = [
  // With -n there is no file before the name.
  clue('htp', opens('htpasswd'), takes(`(?=[^\\n]{0,80}-\\w{0,8}b)${OPTIONS}{1,6}(?:[^\\s-]\\S{0,200}[ \\t]+){1,2}${VALUE}${OVER}`)), // prettier-ignore
  clue('vau', opens('vault[ \\t]+login'), takes(`${OPTIONS}{0,6}${VALUE}${OVER}`, 'token', hasNumber)), // prettier-ignore
  clue('net', opens('net[ \\t]+users?'), takes(`[\\w.$-]{1,64}[ \\t]+(?!/)${VALUE}`, 'password', hasNumber)), // prettier-ignore
  clue(
    'net',
    opens('net[ \\t]+use'),
    either(
      takes(`[^\\n;|&"']{0,40}?${SHARE}(?!/)${VALUE}`),
      takes(`[^\\n;|&]{0,200}?/user:\\S{1,100}[ \\t]+(?![/*])${VALUE}`),
    ),
  ),
  clue('rcl', opens('rclone[ \\t]+obscure'), takes(VALUE, 'password', hasNumber)),
  clue('wpa', opens('wpa_passphrase'), takes(`(?:"[^"\\n]{1,64}"|'[^'\\n]{1,64}'|\\S{1,64})[ \\t]+${VALUE}${OVER}`)), // prettier-ignore
  clue('xfr', opens('xfreerdp3?'), takes(`[^\\n;|&]{0,200}?/p:${VALUE}`)),
  clue('lft', opens('lftp'), takes(`(?:[^\\n;|&]{0,80}[ \\t])?-u[ \\t]+[^\\s,"']{1,64},${VALUE}`)),
  clue('qpd', opens('qpdf'), takes(`[^\\n;|&]{0,80}?--encrypt[ \\t]+${VALUE}`)),
  clue(
    '[sS]ec',
    opens('secrets?[ \\t]+set'),
    either(
      takes(`[^\\n;|&]{1,120}?(?:--body|-b)(?:[ \\t]+|=)${VALUE}`, 'token'),
      takes(`[A-Z][A-Z0-9_]{0,64}=${VALUE}`, 'token', looksRandom),
    ),
  ),
  clue('[sS]ec', opens('SecureString'), takes(`(?:-String[ \\t]+)?(?=["'])${VALUE}`)),
]

export const commandClues = { early, late, words }
