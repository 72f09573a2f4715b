/** Where the motions of vim lead in a text. A place is an index into the whole text. Pure. */

export type Motion = (text: string, at: number) => number

const kindOf = (sign: string | undefined, isBig: boolean): 'blank' | 'word' | 'other' => {
  if (sign === undefined || /\s/.test(sign)) return 'blank'
  return isBig || /[\p{L}\p{N}\p{M}_\ud800-\udfff]/u.test(sign) ? 'word' : 'other'
}

export const lineStart: Motion = (text, at) => text.lastIndexOf('\n', at - 1) + 1

/** Behind the last sign of the line. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

export function firstOfLine(text: string, at: number): number {
  const start = lineStart(text, at)
  const line = text.slice(start, lineEnd(text, at))
  return start + (/\S/.exec(line)?.index ?? line.length)
}

/** The beginning of a line, by its number from 0. */
export function startOfLine(text: string, line: number): number {
  let at = 0
  for (let left = line; left > 0; left--) {
    const end = text.indexOf('\n', at)
    if (end === -1) break
    at = end + 1
  }
  return at
}

const isEmptyLine = (text: string, at: number): boolean =>
  text[at] === '\n' && (at === 0 || text[at - 1] === '\n')

const nextWord =
  (isBig: boolean): Motion =>
  (text, at) => {
    let to = kindOf(text[at], isBig) === 'blank' ? at : lastOfWord(text, at, isBig) + 1
    const isOut = to > at
    while (to < text.length && kindOf(text[to], isBig) === 'blank') {
      if (isEmptyLine(text, to) && (isOut || to > at)) break
      to++
    }
    return to
  }

/** On the last sign of a word. */
const endOfWord =
  (isBig: boolean): Motion =>
  (text, at) => {
    let to = at + 1
    while (to < text.length && kindOf(text[to], isBig) === 'blank') to++
    return Math.min(lastOfWord(text, to, isBig), Math.max(0, text.length - 1))
  }

/** The last sign of the word that a place is in. */
export function lastOfWord(text: string, at: number, isBig: boolean): number {
  const kind = kindOf(text[at], isBig)
  let to = at
  while (to + 1 < text.length && kindOf(text[to + 1], isBig) === kind) to++
  return to
}

function firstOfWord(text: string, at: number, isBig: boolean): number {
  const kind = kindOf(text[at], isBig)
  let to = at
  while (to > 0 && kindOf(text[to - 1], isBig) === kind) to--
  return to
}

const wordBefore =
  (isBig: boolean): Motion =>
  (text, at) => {
    let to = at - 1
    while (to > 0 && kindOf(text[to], isBig) === 'blank' && !isEmptyLine(text, to)) to--
    if (kindOf(text[to], isBig) !== 'blank') to = firstOfWord(text, to, isBig)
    return Math.max(0, to)
  }

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How many steps of a cursor lead over a part of a text. */
export const stepsIn = (part: string): number => [...signs.segment(part)].length

const left: Motion = (text, at) => {
  const before = text.slice(lineStart(text, at), at)
  return at - ([...signs.segment(before)].at(-1)?.segment.length ?? 0)
}

export const right: Motion = (text, at) => {
  const [first] = signs.segment(text.slice(at, lineEnd(text, at)))
  return at + (first?.segment.length ?? 0)
}

/** In normal mode the cursor is on a sign, and behind none. */
export const onSign: Motion = (text, at) => (at === lineEnd(text, at) ? left(text, at) : at)

export const motions: Readonly<Record<string, Motion>> = {
  h: left,
  left,
  backspace: left,
  l: right,
  right,
  space: right,
  w: nextWord(false),
  W: nextWord(true),
  e: endOfWord(false),
  E: endOfWord(true),
  b: wordBefore(false),
  B: wordBefore(true),
  '0': lineStart,
  '^': firstOfLine,
  home: lineStart,
  $: lineEnd,
  end: lineEnd,
}

/** What an operator takes along: a motion that ends on a sign takes that sign, too. */
export const takesItsEnd: ReadonlySet<string> = new Set(['e', 'E', 'f', 't'])

/** The word at a place, and with `a` the blanks behind it, else those before it. */
export function wordAround(text: string, at: number, how: 'i' | 'a'): readonly [number, number] {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)]
  const kind = kindOf(text[at], false)
  const run = (from: number, step: 1 | -1, of: typeof kind): number => {
    let to = from
    const next = () => (step === 1 ? to : to - 1)
    while (next() >= start && next() < end && kindOf(text[next()], false) === of) to += step
    return to
  }
  const [from, to] = [run(at, -1, kind), run(at, 1, kind)]
  if (how === 'i') return [from, to]
  const behind = run(to, 1, 'blank')
  return behind > to ? [from, behind] : [run(from, -1, 'blank'), to]
}

/** `f`, `t` and their kin look within the line; undefined when the sign is not there. */
export function found(text: string, at: number, key: string, sign: string): number | undefined {
  const isBack = key === 'F' || key === 'T'
  const [start, end] = [lineStart(text, at), lineEnd(text, at)]
  const to = isBack
    ? text.slice(start, at).lastIndexOf(sign)
    : text.slice(right(text, at), end).indexOf(sign)
  if (to === -1) return undefined
  const place = to + (isBack ? start : right(text, at))
  return key === 't' ? left(text, place) : key === 'T' ? right(text, place) : place
}
