/**
 * A configuration as its owner is shown it: whole, but for what is secret by its name, by the name of the option before
 * it, or by its shape. Screens are shared, and what a command prints ends in logs.
 */
import { randomBytes } from 'node:crypto'
import { knownFromEnv, looksSecret } from '../../lib/redact/known.ts'
import { createRedactor } from '../../lib/redact/redact.ts'

const HIDDEN = '(set, hidden)'

/** Names of headers that sign in. */
const SIGN_IN = /authorization|cookie|session|signature|credential|\bauth\b/i
/** Beside these the variable is named that holds the secret. */
const VARIABLE = /Env$/
/** A key that was put where its variable belongs is no such name. */
const NAME_OF_VARIABLE = /^[A-Z_][A-Z0-9_]{0,63}$/i

/** Settings whose own names sound like it. */
const OPEN: ReadonlySet<string> = new Set(['environment.pass', 'terminal.keys'])

/** What stands in the place of something that was found by its shape. */
const FOUND = /\[REDACTED:[^\]]*\]/g
const LOGIN = /\/\/[^\s/@]*@/g
const optionOf = (word: string): string => word.replace(/^-+|=$/g, '')

/** `place`: where the value stands in the configuration. */
export async function ownConfig(
  value: unknown,
  place: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<unknown> {
  const known = knownFromEnv(env)
  const { redactText } = createRedactor({ known, key: randomBytes(32) })
  const hides = (name: string, text: string) =>
    VARIABLE.test(name)
      ? !NAME_OF_VARIABLE.test(text) || redactText(text).text !== text
      : looksSecret(name.replaceAll('-', '_')) || SIGN_IN.test(name)

  function shown(item: unknown, at: readonly string[]): unknown {
    const name = OPEN.has(at.join('.')) ? '' : (at.at(-1) ?? '')
    if (typeof item === 'string')
      return hides(name, item)
        ? HIDDEN
        : redactText(item.replace(LOGIN, '//(hidden)@')).text.replace(FOUND, '(hidden)')
    if (Array.isArray(item))
      return item.map((each, index) => argument(each, item[index - 1] as unknown, at))
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(
      Object.entries(item).map(([key, inner]) => [key, shown(inner, [...at, key])]),
    )
  }
  /** `--api-key value`, in two words or with `=` in one. */
  function argument(item: unknown, before: unknown, at: readonly string[]): unknown {
    if (typeof item !== 'string') return shown(item, at)
    const [whole = '', name = '', value = ''] = /^(-{1,2}[a-z][\w-]*=)(.*)$/is.exec(item) ?? []
    if (whole !== '') return `${name}${String(shown(value, [optionOf(name)]))}`
    const isOption = typeof before === 'string' && /^--?[a-z][\w-]*$/i.test(before)
    return shown(item, isOption && !item.startsWith('-') ? [optionOf(before)] : at)
  }

  return shown(value, place)
}
