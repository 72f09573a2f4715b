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
  // Base32, as the seeds of one-time codes are written.
  if (/^(?=(?:[A-Z]*[2-7]){2})[A-Z2-7]{16,128}$/.test(value)) return new Set(head).size >= 8
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

/** Random, and not the row of one letter or the word that manuals write in its place. */
export const isToken = (token: string): boolean =>
  !/EXAMPLE$|x{6}|X{6}|\*{3}/.test(token) &&
  (/\d.*\d/.test(token) ||
    (/[a-z]/.test(token) && /[A-Z]/.test(token)) ||
    /^[A-Z0-9-]+$/.test(token)) &&
  new Set(token.slice(4, 64)).size >= 6 &&
  !/your[_-]|placeholder|changeme/i.test(token)

export const hasNumber = (value: string) => /\d/.test(value) && /[A-Za-z]/.test(value)

/** A short word with a number or a sign that words do not have. What is called so in code is left out. */
export const isMixed = (value: string): boolean =>
  value.length >= 6 &&
  value.length <= 256 &&
  /[A-Za-z]/.test(value) &&
  /[\d!@#$%^&*+=?~]/.test(value) &&
  !/^(?:sha|md|base|utf|aes|rsa|pbkdf|argon|iso|oauth|ipv|http|rfc|version|v)-?_?\d/i.test(value) &&
  !isSample(value)

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

/** Passwords that every manual uses. */
export const isDefault = (value: string): boolean =>
  /^(?:pass|password|passwd|postgres|secret|root|admin|user|guest|test|mysql|changeme|pw|pwd|token|key|auth|x-oauth-basic)$/i.test(
    value,
  )

/** For places where nothing but a password stands: all but a variable, a sample and what manuals write there. */
export const isMadeUp = (value: string): boolean =>
  value.length >= 4 && !isSample(value) && !isDefault(value)

/**
 * Words that a person strung together to remember them, as a password in quotes. What is written about passwords
 * stands in the same place ("Enter your password", "must be longer"), and has the small words that sentences need;
 * where nothing but a value stands (`sure`), only those words count that speak of a password.
 */
export function isPhrase(value: string, place: 'sure' | 'likely'): boolean {
  if (value.length > 128 || isSample(value) || !/^\S.*\s.*\S$/.test(value)) return false
  if (/[.:?,]$/.test(value)) return false
  const words = value.split(/[^\p{L}]+/u).map((word) => word.toLowerCase())
  if (words.some((word) => ABOUT_PASSWORDS.has(word))) return false
  if (place === 'sure') return value.length >= 6
  // A short one that begins with a capital is a label.
  if (value.length < 12 && (value.length < 9 || /^[A-Z]/.test(value))) return false
  if (!/^[^\s<>{}()[\]=;]+(?: [^\s<>{}()[\]=;]+){1,9}$/.test(value)) return false
  return !words.some((word) => OF_SENTENCES.has(word))
}

const wordsOf = (...lines: string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

const ABOUT_PASSWORDS = wordsOf(
  'enter your please choose confirm repeat reset forgot invalid incorrect must required should password passwords',
  'passphrase passcode passwort kennwort contraseña senha wachtwoord parola hasło lösenord adgangskode salasana пароль',
  'passe characters placeholder goes',
)
const OF_SENTENCES = wordsOf(
  'a an and are as at be by can cannot do does for from has have if in is it must my new no not of old on',
  'only or our see set should than that the this to too use was were when will with you again same show hashed via',
  'type change create wrong weak strong optional hide missing current secret token key login user username plain text',
  'email character least long longer short shorter minimum maximum empty unset none null string value',
)
