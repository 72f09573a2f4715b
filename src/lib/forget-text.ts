/**
 * Takes values out of a text, in every form in which they are written, and puts a mark of the same length in bytes in
 * their place: letters alone, so that JSON, YAML, paths and base64 stay what they are and no place behind moves. Pure.
 */
import { formsOf } from './redact/known.ts'

export type Cleaned<T> = { readonly cleaned: T; readonly count: number }

type TextRange = { readonly start: number; readonly end: number }

export interface Forgetter {
  /** How the values may stand in raw bytes, for a first look. */
  readonly needles: readonly Buffer[]
  /** Where they stand, in order and apart. */
  ranges(text: string): readonly TextRange[]
  /** Undefined when there is nothing to take out. */
  text(text: string): Cleaned<string> | undefined
  bytes(raw: Buffer): Cleaned<Buffer> | undefined
}

const WORD = 'forgotten'

export const markOf = (length: number): string =>
  length < WORD.length ? 'x'.repeat(length) : WORD.padEnd(length, 'x')

export function createForgetter(given: Iterable<string>): Forgetter {
  const values = [...new Set(given)]
  const forms = [...new Set(values.flatMap(allForms))].sort((a, b) => b.length - a.length)
  const any = new RegExp(forms.map(escaped).join('|'), 'g')
  const wide = values.flatMap((value) => {
    const [needle, mark] = [value, markOf(value.length)].map((each) => Buffer.from(each, 'utf16le'))
    return needle && mark
      ? [
          { needle, mark },
          { needle: swapped(needle), mark: swapped(mark) },
        ]
      : []
  })
  const inBytes = [
    ...forms.map((form) => ({ needle: Buffer.from(form), mark: markFor(form) })),
    ...wide,
  ]

  function ranges(text: string): readonly TextRange[] {
    if (forms.length === 0) return []
    const whole = Array.from(text.matchAll(any), ({ 0: form, index }) => ({
      start: index,
      end: index + form.length,
    }))
    return text.includes(CUT) ? [...whole, ...cutIn(text, forms)].sort(inOrder) : whole
  }

  return {
    needles: [...inBytes.map(({ needle }) => needle), ...(values.length > 0 ? [CUT_BYTES] : [])],
    ranges,
    text(text) {
      const found = ranges(text)
      if (found.length === 0) return undefined
      let [cleaned, done] = ['', 0]
      for (const { start, end } of found) {
        if (start < done) continue
        cleaned += text.slice(done, start) + markFor(text.slice(start, end)).toString()
        done = end
      }
      return { cleaned: cleaned + text.slice(done), count: found.length }
    },
    bytes(raw) {
      const cleaned = Buffer.from(raw)
      let count = 0
      const put = (mark: Buffer, at: number) => {
        mark.copy(cleaned, at)
        count += 1
      }
      for (const { needle, mark } of inBytes)
        for (let at = cleaned.indexOf(needle); at !== -1; at = cleaned.indexOf(needle, at + 1))
          put(mark, at)
      for (const { start, end } of cutInBytes(cleaned, forms))
        put(Buffer.from(markOf(end - start)), start)
      return count === 0 ? undefined : { cleaned, count }
    },
  }
}

/** Where a text was cut, by us or by another program. A value that stood across the cut has its beginning before it. */
const CUT = '…'
const CUT_BYTES = Buffer.from(CUT)
/** Less of a value is no word of it. */
const LEAST = 4
/** A shorter name of a file is a common word. */
const LONG_ENOUGH = 8

/** At every cut, the beginning of a value before it and the end of one behind it. */
function cutIn(text: string, forms: readonly string[]): TextRange[] {
  const found: TextRange[] = []
  for (let at = text.indexOf(CUT); at !== -1; at = text.indexOf(CUT, at + 1)) {
    const before = skipped(text, at, -1)
    const after = skipped(text, at + CUT.length, 1)
    const begin = longest(forms, (form, n) => text.startsWith(form.slice(0, n), before - n))
    const rest = longest(forms, (form, n) => text.startsWith(form.slice(-n), after))
    if (begin > 0) found.push({ start: before - begin, end: before })
    if (rest > 0) found.push({ start: after, end: after + rest })
  }
  return found
}

/** Bytes as Latin-1 have one unit each, so a place in the text is a place in the bytes. */
const cutInBytes = (raw: Buffer, forms: readonly string[]): readonly TextRange[] => {
  if (!raw.includes(CUT_BYTES)) return []
  const asUnits = (text: string) => Buffer.from(text).toString('latin1')
  const text = raw.toString('latin1').replaceAll(asUnits(CUT), `${CUT}  `)
  return cutIn(text, forms.map(asUnits))
}

/** Past white space. */
function skipped(text: string, at: number, step: 1 | -1): number {
  let next = at
  while (/\s/.test(text[step === 1 ? next : next - 1] ?? '')) next += step
  return next
}

function longest(forms: readonly string[], stands: (form: string, n: number) => boolean): number {
  let most = 0
  for (const form of forms)
    for (let n = form.length - 1; n >= LEAST && n > most; n -= 1) if (stands(form, n)) most = n
  return most
}

const inOrder = (one: TextRange, other: TextRange): number => one.start - other.start

/** As it is, in JSON, in JSON within JSON, in URLs, in base64, in the name of a file. */
function allForms(value: string): string[] {
  const slug = value
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const nested = JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1)
  return [
    ...formsOf(value),
    nested,
    value.normalize('NFC'),
    value.normalize('NFD'),
    ...(slug.length < LONG_ENOUGH ? [] : [slug]),
  ]
}

/** As many letters as it takes to fill the same bytes. */
const markFor = (form: string): Buffer => Buffer.from(markOf(Buffer.byteLength(form)))

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
