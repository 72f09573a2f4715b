/**
 * Tells a value that was made up or drawn by lot from a word, a variable, a path or a sample. Names alone do
 * not tell: `token: parseToken` and `token: 8fK2…` look the same but for the value.
 */

/** The value is a stand-in: a template, a variable, a sample, a row of one sign. */
export const isSample = (value: string): boolean => SAMPLE.test(value) || /^(.)\1*$/s.test(value)

const SAMPLE = new RegExp(
  [
    '^[$<{(@]',
    '\\$\\{|\\{\\{|\\$\\(|<[\\w -]*>|^%[A-Z_]+%$|:\\/\\/',
    'x{5}|X{5}|\\*{3}|\\.{3}|0{8}|1234567890|abcdefghi',
    '(?:example|placeholder|change_?-?me|your[_-]?|dummy|redacted|sample|replace|undefined|required|forbidden|process\\.env|environ|getenv)',
    '^(?:env|secrets|config|settings|self|this|ctx|req|request|options|params|props|args|process|vars|os)\\.',
  ].join('|'),
  'i',
)

/** A key or token in the strict sense: drawn by lot, at least 16 signs. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || value.length > 4096) return false
  const head = value.slice(0, 128)
  return (
    (/\d/.test(head) ? /[A-Za-z]/.test(head) : /[a-z]/.test(head) && /[A-Z]/.test(head)) &&
    /^[\w.~+/=:%!@#$^&*?-]+$/.test(head) &&
    new Set(head).size >= 8 &&
    !isSample(head) &&
    !isWordy(head)
  )
}

/** A password, which people make up from words too. `sure` is for places where nothing but a value can stand. */
export function looksLikePassword(value: string, sure: boolean): boolean {
  if (value.length < 8 || value.length > 256 || isSample(value)) return false
  if (/^(?:true|false|null|none|string|number|password|passwort|postgres)/i.test(value))
    return false
  if (sure) return !/^[./~]|\w\(/.test(value)
  return (
    /[A-Za-z]/.test(value) &&
    (/[\d!@#$%^&*+=?~]/.test(value) || !isWordy(value)) &&
    !/[()[\]{}<>;]/.test(value) &&
    !/^[./~]|^\w+(?:\.\w+)+$/.test(value)
  )
}

/** Made of words and small numbers, as names in code are: `oauth2ClientSecret`, `refresh-token-v2`, `a/b/c.ts`. */
export function isWordy(value: string): boolean {
  // No name with a number in it is so long without a break.
  if (value.length >= 32 && /\d/.test(value) && /^[A-Za-z0-9]+[_-]?[A-Za-z0-9]*$/.test(value))
    return false
  const parts = value
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((part) => part !== '')
  // Letters drawn by lot fall into such parts too, but into shorter ones.
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const numbers = value.match(/\d+/g)?.length ?? 0
  return numbers < 4 && length >= 3 * parts.length && parts.every((part) => WORD.test(part))
}

const WORD = /^(?:[A-Z]?[a-z]+\d{0,5}|[A-Z]+\d{0,5}|v?\d{1,4})$/

/**
 * Words that a person strung together to remember them, as a password in quotes. What is written about passwords
 * stands in the same place ("Enter your password", "must be longer"), and has the small words that sentences need.
 */
export function isPassphrase(value: string): boolean {
  if (value.length < 12 || value.length > 128 || isSample(value)) return false
  if (!/^[^\s<>{}()[\]=;]+(?: [^\s<>{}()[\]=;]+){1,9}$/.test(value) || /[.:?,]$/.test(value))
    return false
  return !value.split(/[^A-Za-z]+/).some((word) => OF_SENTENCES.has(word.toLowerCase()))
}

const OF_SENTENCES: ReadonlySet<string> = new Set(
  [
    'a an and are as at be by can cannot do does for forgot from has have here if in is it must my new no not of old on',
    'only or our please see set should than that the this to too use was were when will with you your again same show',
    'enter choose type confirm change reset repeat create invalid incorrect wrong weak strong required optional hide',
    'missing current password passwords passphrase passcode passwort kennwort secret token key login user username',
    'email character characters least long longer short shorter minimum maximum empty unset none null string value',
  ].flatMap((line) => line.split(' ')),
)
