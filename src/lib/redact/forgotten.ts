/**
 * Values that are known by a keyed hash alone: what was forgotten is known again where it is said, and cannot be read
 * from what is kept of it. A rolling hash over the text finds where to look, the keyed one decides.
 */
import { createHmac } from 'node:crypto'
import { formsOf, type Known } from './known.ts'
import { RANK, rangeOf, type Range } from './range.ts'

export type ForgottenForm = {
  /** In UTF-16 units. */
  readonly length: number
  readonly rolling: number
  readonly hash: string
  /** Only its beginning, up to a white space: what follows has to be waited for. */
  readonly isBeginning?: true
}

/** Shorter ones would hide what has nothing to do with them. */
const SHORTEST_LEARNED = 8
const MOST_BEGINNINGS = 8

/** What is to be kept of a value. */
export function formsToKeep(value: string, key: Uint8Array): readonly ForgottenForm[] {
  if (value.length < SHORTEST_LEARNED) return []
  const forms = [...formsOf(value)].map((form) => hashed(form, key))
  const beginnings = [...value.matchAll(/\s/g)]
    .slice(0, MOST_BEGINNINGS)
    .map(({ index }) => ({ ...hashed(value.slice(0, index + 1), key), isBeginning: true as const }))
  return [...forms, ...beginnings]
}

export function knownForgotten(forms: readonly ForgottenForm[], key: Uint8Array): Known {
  if (forms.length === 0) return { find: () => [], isOpenAt: () => false }
  const base = baseOf(key)
  const whole = new Map<number, ForgottenForm[]>()
  for (const form of forms) {
    if (form.isBeginning === true) continue
    const some = whole.get(form.length)
    if (some === undefined) whole.set(form.length, [form])
    else some.push(form)
  }
  const beginnings = forms.filter(({ isBeginning }) => isBeginning === true)
  return {
    find: (text) => [...whole].flatMap(([length, some]) => findOf(text, length, some, base, key)),
    isOpenAt: (text, end) =>
      beginnings.some(
        ({ length, hash }) => length <= end && keyed(text.slice(end - length, end), key) === hash,
      ),
  }
}

/** Both. */
export const either = (one: Known, other: Known): Known => ({
  find: (text) => [...one.find(text), ...other.find(text)],
  isOpenAt: (text, end) => one.isOpenAt(text, end) || other.isOpenAt(text, end),
})

function findOf(
  text: string,
  length: number,
  forms: readonly ForgottenForm[],
  base: number,
  key: Uint8Array,
): Range[] {
  const found: Range[] = []
  if (text.length < length) return found
  const rolling = new Set(forms.map((form) => form.rolling))
  const hashes = new Set(forms.map(({ hash }) => hash))
  let power = 1
  for (let at = 1; at < length; at += 1) power = Math.imul(power, base)
  let sum = 0
  for (let at = 0; at < text.length; at += 1) {
    if (at >= length) sum = (sum - Math.imul(text.charCodeAt(at - length), power)) | 0
    sum = (Math.imul(sum, base) + text.charCodeAt(at)) | 0
    const start = at - length + 1
    if (start < 0 || !rolling.has(sum)) continue
    if (!hashes.has(keyed(text.slice(start, at + 1), key))) continue
    found.push(rangeOf(start, at + 1, 'forgotten', RANK.known))
  }
  return found
}

function hashed(form: string, key: Uint8Array): ForgottenForm {
  const base = baseOf(key)
  let sum = 0
  for (let at = 0; at < form.length; at += 1) sum = (Math.imul(sum, base) + form.charCodeAt(at)) | 0
  return { length: form.length, rolling: sum, hash: keyed(form, key) }
}

const keyed = (text: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(`forgotten:${text}`).digest('hex')

/** Odd, and of this install. */
const baseOf = (key: Uint8Array): number =>
  createHmac('sha256', key).update('rolling').digest().readInt32LE() | 1
