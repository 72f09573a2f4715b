/** Words and signs that a secret follows, and what it looks like there. In the order in which they are tried. */
import { commandClues } from './commands.ts'
import { clue, follow, type Looks } from './follow.ts'
import { isLogin } from './named-value.ts'
import { namedValue, netrcValue, setValue } from './names-before.ts'
import { isMadeUp, isMixed, isPhrase, isWordy, looksRandom } from './plausible.ts'
import { privateKeyAt } from './private-key.ts'
import type { Rule } from './range.ts'

const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
const WORDS = ['pass', 'pwd?', 'psk', 'secret', 'token', 'key', 'credential', 'kennwort']
  .map(anyCase)
  .join('|')
const NAMED = new RegExp(
  `(?:${WORDS}|["']auth|_auth|[?&;]sig|AccountKey|REDISCLI_AUTH)[\\w-]{0,32}\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?::=|=>|[:=]|>|value=|\\((?=["'\`])|(?:\r?\n\r?\n|(?:\\\\r)?\\\\n(?:\\\\r)?\\\\n)(?=[^\\s-]))`,
  'y',
)

const isRandomCookie: Looks = (value) =>
  value.split(/;[ \t]*/).some((pair) => looksRandom(pair.slice(pair.indexOf('=') + 1)))

const isMixedOrPhrase: Looks = (value) =>
  /\s/.test(value) ? isPhrase(value, 'likely') : isMixed(value) && isMadeUp(value)

/** None of these is in the list from which the words of a wallet are drawn. */
const OF_PROSE =
  /\b(?:the|and|for|are|was|were|with|from|not|but|has|have|its|they|your|you|when)\b/
const isSeed: Looks = (value) => value.split(' ').length % 3 === 0 && !OF_PROSE.test(value)

const isMailLogin: Looks = (value) =>
  /^[^\0]*\0[^\0]+\0[^\0]+$/.test(Buffer.from(value, 'base64').toString('latin1'))

/** No path, address or kind of content. */
const isArgument: Looks = (value) =>
  isMixedOrPhrase(value) && !/^[./~]|:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+\/[\w.+-]+$/.test(value)

/** No label, and no name of a type. */
const isElement: Looks = (value) => {
  if (/\s/.test(value)) return isPhrase(value, 'likely') && isMadeUp(value)
  const isLabel = /^[A-Z][a-z]+$|^[{$%&]|^(?:string|xsd?:\w+)$/.test(value)
  return (!isLabel || looksRandom(value)) && isMadeUp(value) && !(/[-_.]/.test(value) && isWordy(value)) // prettier-ignore
}

export const clueRules: readonly Rule[] = [
  // No clue: the sign before it may be one of another, such as the dash of a diff.
  { ...clue('--- Pri', /-----BEGIN(?=[ A-Z0-9]{0,30}PRIVATE KEY)|Private-Lines:(?=[ \t]*\d)/y, (text, { start }) => privateKeyAt(text, start).range), isClue: false }, // prettier-ignore
  clue('[Bb]ea BEA', /\b(?:[Bb]earer|BEARER)[ \t]+(?=[\w+/.=~-]{8})/y, follow('bearer', /([\w+/.=~-]{8,4096})/dy, looksRandom)), // prettier-ignore
  clue('[Bb]as BAS', /\b(?:[Bb]asic|BASIC)[ \t]+(?=[\w+/.=~-]{8})/y, follow('basic-auth', /([\w+/.=~-]{8,4096})/dy, isLogin)), // prettier-ignore
  clue(
    '[Aa]ut AUT',
    /(?:[Aa]uthorization|AUTHORIZATION)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?:[Tt]oken[ \t]+|[Aa]pi[Kk]ey[ \t]+)?(?=[\w+/.=~-]{16})/y,
    follow('authorization', /([\w+/.=~-]{16,4096})/dy, looksRandom),
  ),
  clue(
    '[Cc]oo COO',
    /(?:[Cc]ookie|COOKIE)\\{0,3}["']?:[ \t]{0,4}(?=\\{0,3}["']?[^\s=;,"']{1,64}=)/y,
    follow('cookie', /\\{0,3}["']?([^\n"'\\]{1,4096})/dy, isRandomCookie),
  ),
  clue(
    '://',
    /:\/\/(?=[\w-]{20,255}@|[^\s/@:"'<>]{16,128}:x-oauth-basic@)/y,
    follow('url-token', /([^\s/@:"'<>]{16,255})/dy, looksRandom),
  ),
  clue(
    '://',
    /:\/\/(?=[^\s/@:"'<>]{0,128}:[^\s/@"'<>]{1,256}@)/y,
    follow('url-password', /[^\s/@:"'<>]{0,128}:([^\s/@"'<>]{4,256})/dy, isMadeUp),
  ),
  ...commandClues.early,
  clue(
    '[dD]\\ [bB]',
    /[dD] (?:by|BY)[ \t]+(?='[^'\n]{4,256}')/y,
    follow('password', /'([^'\n]{4,256})/dy, isMadeUp, /\bidentified by[ \t]+$/i),
  ),
  clue(
    'PAS [pP]as',
    /(?:PASSWORD|[pP]assword)(?: FOR [^\s;=]{1,80} ?=)?[ \t]+(?='[^'\n]{4,256}')/y,
    follow(
      'password',
      /'([^'\n]{4,256})/dy,
      isMadeUp,
      /(?:\bwith|\bencrypted|\bset|\b(?:user|role|login)[ \t]+\S{1,80})[ \t]+password(?: for \S{1,80}? ?=)?[ \t]+$/i,
    ),
  ),
  clue(
    '[pP]as',
    /[pP]ass(?:word|phrase|code)?[ \t]+(?:is|was)[ \t]+(?=[^\s])/y,
    follow(
      'password',
      /"([^\n"'`]{4,128})"|'([^\n"'`]{4,128})'|`([^\n"'`]{4,128})`|([^\s"'`,;()<>]{5,127}[^\s"'`,;()<>.:])/dy,
      isMixedOrPhrase,
    ),
  ),
  clue('pas', /\bpassword[ \t]+(?=[^\s=:])/y, netrcValue),
  clue(
    '_PA _SE _TO _KE _[as][cue] _pa qui mas',
    /(?:_(?:PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|KEY|(?:secret_)?access_key|auth(?:Token)?|password)|quirepass|\bmasterauth)[ \t]+(?=[^\s=:>-])/y,
    setValue,
  ),
  ...commandClues.late,
  clue(
    ':54',
    /:5432:(?=[^\s:]{1,64}:[^\s:]{1,64}:[^\s:]{4})/y,
    follow('password', /[^\s:]{1,64}:[^\s:]{1,64}:([^\s:"'()[\]{}]{4,256})/dy, isMadeUp),
  ),
  clue(
    'sql :th',
    /(?:\bsqlplus[ \t]+["']?|:thin:)(?=[\w$#]{1,64}\/[^\s@"']{4,128}@)/y,
    follow('password', /[\w$#]{1,64}\/([^\s@"']{4,128})/dy, isMadeUp),
  ),
  clue(
    'Dig',
    /\bDigest[ \t]+(?=[a-z]{2,12}=)/y,
    follow('digest', /[^\n]{0,1000}?\bresponse=\\{0,3}"?([0-9a-f]{32,128})/dy, () => true),
  ),
  clue(
    '[iI]n\\( [tT]ic [aA]ut [cC]re',
    /(?:[iI]n|[tT]icate|[aA]uth|[aA]uth=|[cC]redentials?)\((?=[^\n()]{1,80},\s{0,4}\\{0,3}["'`])/y,
    follow(
      'password',
      /\s{0,4}(?:\w+=)?(?:\\{0,3}["'`][^\n"'`\\]{1,64}\\{0,3}["'`]|[\w.$@[\]]{1,64})\s{0,4},\s{0,4}(?:\w+=)?\\{0,3}["'`]([^\n"'`\\]{4,128})(?=\\{0,3}["'`]\s{0,40}[,)])/dy,
      isArgument,
      /(?:\b(?:do|try|user|admin)?_?(?:log|sign)_?in|\bauthenticate|\b(?:http)?(?:basic|digest)?_?auth=?|credentials?)\($/i,
    ),
  ),
  clue(
    '[pP][iI][nN] [oO][tT][pP] [pP]as PAS',
    /(?:(?<![A-Za-z-])|(?<=[a-z])(?=P))(?:[pP][iI][nN]|[oO][tT][pP]|[pP]asscode|PASSCODE)(?:_CODE|_code|Code)?\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}(?=\\{0,3}["']?\d{4,8})/y,
    follow('pin', /\\{0,3}["']?(\d{4}(?:\d\d){0,2})(?![\w.])/dy, () => true),
  ),
  ...commandClues.words,
  clue(
    '[mM]ne MNE [pP]hr PHR',
    /(?:[mM]nemonic|MNEMONIC|[pP]hrase|PHRASE)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?=[a-z]{3,8}(?: [a-z]{3,8}){11})/y,
    follow('seed-phrase', /([a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![ \t]+[a-z])/dy, isSeed),
  ),
  clue('AUT', /\bAUTH[ \t]+PLAIN[ \t]+(?=[^\s=:])/y, follow('basic-auth', /([A-Za-z0-9+/]{8,512}={0,2})/dy, isMailLogin)), // prettier-ignore
  clue(
    'AUT',
    /\bAUTH[ \t]+(?=[^\s=:])/y,
    follow(
      'password',
      /(?:[\w.-]{1,40}[ \t]+(?=\S+[ \t]*(?:\r?\n|$)))?([^\s"'`]{6,256})(?=[ \t]*(?:\r?\n|$))/dy,
      (value) => isMixed(value) && isMadeUp(value),
      /(?:^|\n|> |redis-cli )[ \t]*AUTH[ \t]+$/,
    ),
  ),
  clue(
    '[pP]as PAS',
    /(?:[pP]assword|PASSWORD|[pP]asswd|[pP]ass)(?:[ \t][^<>\n]{1,120})?>(?=[^<>\n]{4,128}<\/)/y,
    follow('password', /([^<>\n]{4,128})/dy, isElement, /<[\w:.-]{0,40}pass(?:word|wd)?(?:[ \t][^<>\n]{1,120})?>$/i), // prettier-ignore
  ),
  clue(
    `${['pas', 'pwd', 'psk', 'sec', 'tok', 'key', 'cre', 'ken'].map(anyCase).join(' ')} [pP][wW]. RED ["'_]au [?&;]si Acc`,
    NAMED,
    namedValue,
  ),
]
