/** Words and signs that a secret follows. What they lead to is looked at elsewhere. */

export type Clue =
  | 'private-key'
  | 'header'
  | 'authorization'
  | 'cookie'
  | 'url'
  | 'flag'
  | 'piped'
  | 'netrc'
  | 'set'
  | 'login'
  | 'option'
  | 'pgpass'
  | 'oracle'
  | 'discord'
  | 'digest'
  | 'call'
  | 'command'
  | 'sql'
  | 'said'
  | 'pin'
  | 'seed'
  | 'smtp'
  | 'element'
  | 'named'

type FoundClue = { readonly clue: Clue; readonly start: number; readonly end: number }

/** Looks at this place only. */
export function clueAt(text: string, start: number): FoundClue | undefined {
  if (text.charCodeAt(start) === DOT && text.charCodeAt(start + 7) !== DOT) return undefined
  ANY_CLUE.lastIndex = start
  const match = ANY_CLUE.exec(text)
  const clue =
    match && CLUE_NAMES[match.findIndex((group, at) => at > 0 && group !== undefined) - 1]
  return clue ? { clue, start, end: start + match[0].length } : undefined
}

const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const NAMED = ['pass', 'pwd?', 'psk', 'secret', 'token', 'key', 'credential', 'kennwort']
  .map(anyCase)
  .join('|')

/** In the order in which they are tried. What follows a clue is left for the next hit. */
export const CLUES: Readonly<Record<Clue, string>> = {
  'private-key': '-----BEGIN(?=[ A-Z0-9]{0,30}PRIVATE KEY)|\\bPrivate-Lines:(?=[ \\t]*\\d)',
  header: '\\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[ \\t]+(?=[\\w+/.=~-]{8})',
  authorization: `(?:[Aa]uthorization|AUTHORIZATION)\\\\{0,3}["']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\{0,3}["']?(?:[Tt]oken[ \\t]+|[Aa]pi[Kk]ey[ \\t]+)?(?=[\\w+/.=~-]{16})`,
  cookie: `(?:[Cc]ookie|COOKIE)\\\\{0,3}["']?:[ \\t]{0,4}(?=\\\\{0,3}["']?[^\\s=;,"']{1,64}=)`,
  url: ':\\/\\/(?=[^\\s/@:"\'<>]{0,128}:[^\\s/@"\'<>]{1,256}@|[\\w-]{20,255}(?::x-oauth-basic)?@)',
  flag: '\\s?--?[a-z-]{0,24}(?:pass(?:word|wd|phrase|in|out)?|pw|token|secret(?:-string)?|api-?key|access-key)[ \\t]+(?=[^\\s-])',
  piped: '--password-stdin|--passphrase-fd|--with-token|\\bsudo -S|\\bchpasswd|\\bcryptsetup',
  sql: `(?:[dD] (?:by|BY)|(?:PASSWORD|[pP]assword)(?: FOR [^\\s;=]{1,80} ?=)?)[ \\t]+(?='[^'\\n]{4,256}')`,
  said: '[pP]ass(?:word|phrase|code)?[ \\t]+(?:is|was)[ \\t]+(?=[^\\s])',
  netrc: '\\bpassword[ \\t]+(?=[^\\s=:])',
  set: '(?:_(?:PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|KEY|(?:secret_)?access_key|auth(?:Token)?|password)|quirepass|\\bmasterauth)[ \\t]+(?=[^\\s=:>-])',
  login: '(?:\\s-[uU]|--(?:proxy-)?user)[ \\t=]{0,2}(?=["\']?[^\\s:"\']{1,64}:[^\\s"\']{2})',
  option: '\\s["\']?-[aknpwNPU](?=[^\\s-]|[ \\t][^\\s-])',
  pgpass: ':5432:(?=[^\\s:]{1,64}:[^\\s:]{1,64}:[^\\s:]{4})',
  oracle: '(?:\\bsqlplus[ \\t]+["\']?|:thin:)(?=[\\w$#]{1,64}/[^\\s@"\']{4,128}@)',
  discord: '\\.(?=[\\w-]{6}\\.[\\w-]{27})',
  digest: '\\bDigest[ \\t]+(?=[a-z]{2,12}=)',
  call: `(?:[iI]n|[tT]icate|[aA]uth|[aA]uth=|[cC]redentials?)\\((?=[^\\n()]{1,80},\\s{0,4}\\\\{0,3}["'\`])`,
  pin: `(?:[pP][iI][nN]|[oO][tT][pP]|[pP]asscode|PASSCODE)(?:_CODE|_code|Code)?\\\\{0,3}["']?[ \\t]{0,4}[:=][ \\t]{0,4}(?=\\\\{0,3}["']?\\d{4,8})`,
  command: `(?:htpasswd|vault[ \\t]+login|net[ \\t]+users?|net[ \\t]+use|rclone[ \\t]+obscure|wpa_passphrase|xfreerdp3?|lftp|qpdf|secrets?[ \\t]+set|SecureString)[ \\t]+(?=[^\\s=:])`,
  seed: `(?:[mM]nemonic|MNEMONIC|[pP]hrase|PHRASE)\\\\{0,3}["']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\{0,3}["']?(?=[a-z]{3,8}(?: [a-z]{3,8}){11})`,
  smtp: '\\bAUTH[ \\t]+(?:PLAIN[ \\t]+)?(?=[^\\s=:])',
  element:
    '(?:[pP]assword|PASSWORD|[pP]asswd|[pP]ass)(?:[ \\t][^<>\\n]{1,120})?>(?=[^<>\\n]{4,128}</)',
  named: `(?:${NAMED}|["']auth|_auth|[?&;]sig|AccountKey|REDISCLI_AUTH)[\\w-]{0,32}\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?::=|=>|[:=]|>|value=|\\((?=["'\`])|(?:\r?\n\r?\n|(?:\\\\r)?\\\\n(?:\\\\r)?\\\\n)(?=[^\\s-]))`,
}

const CLUE_NAMES = Object.keys(CLUES) as readonly Clue[]

const ANY_CLUE = new RegExp(
  Object.values(CLUES)
    .map((clue) => `(${clue})`)
    .join('|'),
  'y',
)

/** A dot begins a clue only when another stands behind it: most places are told apart without an expression. */
const DOT = 0x2e
