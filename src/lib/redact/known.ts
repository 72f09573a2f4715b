/**
 * Secrets that are known by value: whatever shape they have, they are found, as they are and as base64, as part
 * of a URL and as part of a JSON string.
 */
import { RANK, rangeOf, type Range } from './range.ts'

const SECRET_NAME = /TOKEN|SECRET|KEY|PASSW/i
/** Names that hold the word and no secret: git's own settings, places, limits. */
const OTHER_NAME =
  /^GIT_CONFIG_KEY|KEYBOARD|KEYMAP|KEYCODE|MONKEY|TOKENIZERS?_|_(?:PATH|FILE|DIR|HOME|ID|LIMIT|COUNT|NAME|TYPE|URL)$/i
/** Values that stand in every second text. Hiding them would hide the text, and nobody's secret. */
const COMMON_VALUE =
  /^(?:password|passw0rd|postgres|changeme|localhost|username|undefined|disabled|required|optional|development|production|\d{1,15})$/i

const SHORTEST = 8

/** A variable whose name gives its value away as secret. */
const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !OTHER_NAME.test(name)

/** A proxy is how a program reaches anything; git ends where one of its numbered pairs is missing. */
const NEEDED = /^(?:\w+_)?proxy$|^GIT_CONFIG_/i
/** They name where something is, or how much: the secret is elsewhere. */
const PLACE =
  /^(?:OLD)?PWD$|^GOOGLE_APPLICATION_CREDENTIALS$|^LESSKEY|KEYTIMEOUT|KEYRING|MAX\w*TOKENS$|_(?:SOCK|SOCKET|PID|HOST|PORT|USER|URI)$/i
/** Words for a secret that are too short, or too common in texts, for the names that redaction goes by. */
const SHORT = /(?:^|_)(?:PASS|PWD|PASSPHRASE|PAT|CREDENTIALS?|AUTH)$/i
const LOGIN_IN_URL = /^[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i

/** A variable that no program is given by itself: a secret by its name, or a login in an address. */
export function looksSecret(name: string, value = ''): boolean {
  if (NEEDED.test(name)) return false
  if (LOGIN_IN_URL.test(value)) return true
  return !PLACE.test(name) && (isSecretName(name) || SHORT.test(name))
}

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that a person named as secret, whatever their names tell: --secret-env-vars puts them there. */
export const namedSecrets = {
  variable: 'REPRISE_SECRET_ENV_VARS',
  in: (env: Environment): readonly string[] =>
    (env[namedSecrets.variable] ?? '').split(',').flatMap((name) => name.trim() || []),
  /** Those whose values are too short to be found in a text. */
  unfindable: (env: Environment): readonly string[] =>
    namedSecrets.in(env).filter((name) => {
      const { length } = (env[name] ?? '').trim()
      return length > 0 && length < SHORTEST
    }),
} as const

/** Values of an environment that are secret by their names, or were named as such. */
export function knownFromEnv(env: Environment): string[] {
  const named = new Set(namedSecrets.in(env))
  const values = Object.entries(env).flatMap(([name, text = '']) => {
    const value = text.trim()
    if (value.length < SHORTEST || name === namedSecrets.variable) return []
    return named.has(name) || (isSecretName(name) && !COMMON_VALUE.test(value)) ? [value] : []
  })
  return [...new Set(values)]
}

export type Known = {
  find(text: string): Range[]
  /** True if a text that ends at `end` may be the beginning of a known value that holds white space. */
  isOpenAt(text: string, end: number): boolean
}

export function knownSecrets(values: Iterable<string>): Known {
  const valueOf = new Map<string, string>()
  for (const value of new Set(values)) {
    if (value.length < SHORTEST) continue
    for (const form of formsOf(value)) if (!valueOf.has(form)) valueOf.set(form, value)
  }
  const forms = [...valueOf.keys()].sort((a, b) => b.length - a.length)
  if (forms.length === 0) return { find: () => [], isOpenAt: () => false }
  const any = new RegExp(forms.map(escaped).join('|'), 'g')
  const beginnings = forms.flatMap((form) =>
    Array.from(form.matchAll(/\s/g), ({ index }) => form.slice(0, index + 1)),
  )
  return {
    find: (text) => {
      const found: Range[] = []
      any.lastIndex = 0
      for (let match = any.exec(text); match !== null; match = any.exec(text)) {
        const { 0: form, index: start } = match
        const value = valueOf.get(form) ?? form
        found.push({ ...rangeOf(start, start + form.length, 'known', RANK.known), value })
      }
      return found
    },
    isOpenAt: (text, end) => beginnings.some((beginning) => text.endsWith(beginning, end)),
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The ways in which one value is written. */
export function formsOf(value: string): Set<string> {
  const wellFormed = value.toWellFormed()
  const url = encodeURIComponent(wellFormed)
  return new Set([
    value,
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    ...base64Forms(wellFormed),
  ])
}

/**
 * Base64 of the value alone, and what stays the same of it at each of the three places where it may begin within
 * something longer, such as `user:password`.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value)
  const alone = [bytes.toString('base64'), bytes.toString('base64url')]
  const within = [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
    const first = before === 0 ? 0 : before + 1
    const last = Math.floor((shifted.length * 8) / 6)
    return (['base64', 'base64url'] as const).map((form) =>
      shifted.toString(form).slice(first, last),
    )
  })
  return [...alone, ...within].filter((form) => form.length >= SHORTEST)
}
