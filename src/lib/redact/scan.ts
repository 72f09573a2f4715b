/**
 * Finds secrets in a text, in three layers: values that are known, shapes, and values that the words before them
 * give away. What is linear and cheap always runs to the end; the shapes run within a budget, and what the budget
 * leaves over is hidden by the marks alone, rather too much than too little.
 */
import { followClue } from './after-clue.ts'
import type { Known } from './known.ts'
import { hitsIn, type Hit } from './marks.ts'
import { isSample } from './plausible.ts'
import { presetMarks, type PresetScan } from './preset.ts'
import { RANK, merged, rangeOf, type Range } from './range.ts'
import { tokenRules, type TokenRule } from './token-rules.ts'

/** Finds every match of a rule's expression. */
export type TokenScan = (rule: TokenRule, text: string) => { start: number; end: number }[]
export type Engines = { readonly tokens: TokenScan; readonly preset: PresetScan }

type Scan = { readonly ranges: readonly Range[]; readonly partial: boolean }

const CLEAN: Scan = { ranges: [], partial: false }

/** Says whether `scan` could find anything. When it is false, no engine is needed. */
export const needsScan = (text: string, known: Known): boolean =>
  hitsIn(text).length > 0 || known.find(text).length > 0

export function scan(text: string, known: Known, engines: Engines, isOver: () => boolean): Scan {
  const ranges = known.find(text)
  const hits = hitsIn(text)
  // Most texts: nothing more is made for them.
  if (hits.length === 0 && ranges.length === 0) return CLEAN
  const byMark = new Map<string, Hit[]>()
  let hidden = 0
  for (const hit of hits) {
    if (hit.mark !== undefined) push(byMark, hit.mark, hit)
    else if (hit.clue !== undefined && hit.start >= hidden) {
      const range = followClue(text, hit.clue, hit)
      if (range === undefined) continue
      ranges.push(range)
      hidden = range.end
    }
  }
  if (byMark.size === 0) return { ranges: merged(ranges), partial: false }
  let partial = false
  const shapes = shapesNear(text, byMark)
  for (const { regions, find, span } of shapes) {
    for (const piece of regions.flatMap((region) => pieces(region, span))) {
      partial ||= isOver()
      if (partial) break
      const part = plain(text.slice(piece.start, piece.end))
      for (const range of find(part, engines)) ranges.push(...settled(text, piece, range))
    }
  }
  if (partial) ranges.push(...byMarksAlone(text, [...byMark.values()].flat()))
  return { ranges: merged(ranges), partial }
}

type TextRange = { readonly start: number; readonly end: number }
type ScanHit = Range & { readonly alone?: boolean }
type Shape = {
  readonly regions: readonly TextRange[]
  readonly span: number
  find(text: string, engines: Engines): ScanHit[]
}

const SPAN = 1024
/** Signs before a match that may belong to an escape or a colour. */
const CONTEXT = 12

/** The rules that have a mark in the text, with the places near their marks. */
function shapesNear(text: string, byMark: ReadonlyMap<string, readonly Hit[]>): Shape[] {
  const near = (marks: readonly string[], before: number, span: number) =>
    regionsNear(
      marks.flatMap((mark) => byMark.get(mark) ?? []),
      { before: before + CONTEXT, span, length: text.length },
    )
  const own = tokenRules.map((rule): Shape => {
    const { kind, marks, before = 0, span = SPAN, alone = false } = rule
    return {
      regions: near(marks, before, span),
      span,
      find: (part, { tokens }) =>
        tokens(rule, part).map(({ start, end }) => ({
          ...rangeOf(start, end, kind, RANK.token),
          alone,
        })),
    }
  })
  const preset = Object.entries(presetMarks).map(([name, { marks }]): Shape => ({
    regions: near(marks, 0, 2 * SPAN),
    span: 2 * SPAN,
    find: (part, engines) => engines.preset(name, part),
  }))
  return [...own, ...preset].filter(({ regions }) => regions.length > 0)
}

function regionsNear(
  hits: readonly Hit[],
  { before, span, length }: { before: number; span: number; length: number },
): TextRange[] {
  const regions: { start: number; end: number }[] = []
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const start = Math.max(0, hit.start - before)
    const end = Math.min(length, hit.end + span)
    const last = regions.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else regions.push({ start, end })
  }
  return regions
}

const PIECE = 16 * 1024

/** A long region in pieces that overlap by the length of a match, so that the budget can be looked at between them. */
function pieces({ start, end }: TextRange, span: number): TextRange[] {
  if (end - start <= PIECE) return [{ start, end }]
  const parts: TextRange[] = []
  for (let from = start; from < end; from += PIECE - span) {
    parts.push({ start: from, end: Math.min(end, from + PIECE) })
  }
  return parts
}

/** Escapes and colours without their letters, which would seem to belong to what follows. Lengths stay. */
const plain = (text: string): string =>
  text.replace(ESCAPES, (sign) => (/^%3a$/i.test(sign) ? ':' : ' ').repeat(sign.length))
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /(?:\x1b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,16}[A-Za-z]|\\{1,4}u[0-9a-f]{4}|\\{1,4}[nrtbf"']|%[0-9A-F]{2}/gi

/** A match of a piece as a range of the text, followed to its end where the piece has cut it. */
function settled(text: string, piece: TextRange, found: ScanHit): Range[] {
  const start = piece.start + found.start
  const end = piece.start + found.end
  const token = text.slice(start, end)
  if (!isToken(token)) return []
  if (found.alone === true && !standsAlone(text, start, end)) return []
  const reach = end === piece.end ? end + lengthOfToken(text, end) : end
  const range = rangeOf(start, reach, found.kind, RANK.token)
  return found.kind === 'aws-access-key' ? [range, ...awsSecretAfter(text, reach)] : [range]
}

/** Random, and not the row of one letter or the word that manuals write in its place. */
const isToken = (token: string) =>
  !/EXAMPLE$|x{6}|X{6}|\*{3}/.test(token) &&
  (/\d.*\d/.test(token) ||
    (/[a-z]/.test(token) && /[A-Z]/.test(token)) ||
    /^[A-Z0-9-]+$/.test(token)) &&
  new Set(token.slice(4, 64)).size >= 6 &&
  !/your[_-]|placeholder|changeme/i.test(token)

function standsAlone(text: string, start: number, end: number): boolean {
  const before = plain(text.slice(Math.max(0, start - CONTEXT), start)).at(-1) ?? ' '
  return !/[A-Za-z0-9]/.test(before) && !/[A-Za-z0-9]/.test(text[end] ?? ' ')
}

function lengthOfToken(text: string, from: number): number {
  REST.lastIndex = from
  return REST.exec(text)?.[0].length ?? 0
}
const REST = /[\w.~+/=-]*/y

/** The secret key that is written behind its id, as in a table or a pair. */
function awsSecretAfter(text: string, from: number): Range[] {
  AWS_SECRET.lastIndex = from
  const match = AWS_SECRET.exec(text)
  const secret = match?.[1]
  if (match === null || secret === undefined || isSample(secret)) return []
  const end = from + match[0].length
  return [{ ...rangeOf(end - secret.length, end, 'aws-secret', RANK.token), from }]
}
const AWS_SECRET = /[^\n]{1,80}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y

/** What stands behind a mark, without a closer look. */
function byMarksAlone(text: string, hits: readonly Hit[]): Range[] {
  let done = 0
  return hits
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end }) => {
      if (end < done) return []
      done = end + lengthOfToken(text, end)
      return done - end < 12 ? [] : [rangeOf(start, done, 'token', RANK.cheap)]
    })
}

function push(map: Map<string, Hit[]>, mark: string, hit: Hit): void {
  const list = map.get(mark)
  if (list === undefined) map.set(mark, [hit])
  else list.push(hit)
}
