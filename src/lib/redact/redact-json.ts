/**
 * Redacts the strings of a JSON value, keys included, and leaves the value that it was given alone. What a provider
 * signed or sealed is kept to the letter: it is no text, and with one sign changed it is refused.
 */
import { kindOfNamed } from './named-value.ts'
import { placeholder, placeholdersIn } from './placeholder.ts'

type FoundSecrets = { readonly kind: string; readonly count: number }
export type Redacted = { readonly text: string; readonly found: readonly FoundSecrets[] }

export const told = (counts: ReadonlyMap<string, number>): readonly FoundSecrets[] =>
  [...counts].sort().map(([kind, count]) => ({ kind, count }))

export type RedactedJson<T> = {
  readonly value: T
  readonly found: readonly FoundSecrets[]
}

/** Fields whose content nobody but the one who made it can read. */
const SEALED =
  /^(?:reasoningOpaque|reasoning_opaque|encryptedContent|encrypted_content|signature|thoughtSignature|thought_signature)$/

/** What lies deeper is not looked at, and so not let through. */
const DEEPEST = 1000

export function redactJson<T>(
  value: T,
  redactText: (text: string) => Redacted,
  key: Uint8Array,
): RedactedJson<T> {
  const counts = new Map<string, number>()

  const note = (kind: string, count: number) => counts.set(kind, (counts.get(kind) ?? 0) + count)

  const text = (string: string): string => {
    const redacted = redactText(string)
    for (const { kind, count } of redacted.found) note(kind, count)
    return redacted.text
  }

  const member = (name: string, item: unknown, depth: number): unknown => {
    if (SEALED.test(name)) return item
    if (typeof item === 'number') return number(name, item)
    if (typeof item !== 'string') return walk(item, depth)
    const redacted = text(item)
    if (redacted !== item || placeholdersIn(item).length > 0) return redacted
    const kind = kindOfNamed(name, item)
    if (kind === undefined) return item
    note(kind, 1)
    return placeholder(kind, item, key)
  }

  const number = (name: string, item: number): unknown => {
    const kind = kindOfNamed(name, `${item}`)
    if (kind === undefined) return item
    note(kind, 1)
    return placeholder(kind, `${item}`, key)
  }

  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return text(item)
    if (typeof item !== 'object' || item === null) return item
    if (depth > DEEPEST) {
      note('too-deep', 1)
      return placeholder('too-deep', '', key)
    }
    if (Array.isArray(item)) {
      return kept(
        item,
        item.map((inner) => walk(inner, depth + 1)),
      )
    }
    const entries = Object.entries(item)
    const redacted = entries.map(
      ([name, inner]) => [text(name), member(name, inner, depth + 1)] as const,
    )
    const isSame = redacted.every(
      ([name, inner], at) => name === entries[at]?.[0] && inner === entries[at]?.[1],
    )
    return isSame ? item : Object.fromEntries(redacted)
  }

  const walked = walk(value, 0) as T
  return { value: walked, found: told(counts) }
}

/** The array as it was, if nothing in it has changed. */
const kept = (before: readonly unknown[], after: readonly unknown[]) =>
  after.every((item, at) => item === before[at]) ? before : after
