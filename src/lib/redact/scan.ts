/**
 * Finds secrets in a text: values that are known, shapes, and values that the words before them give away. One pass
 * tells near which places a rule of the table could open; everything else is looked at no further, which is what makes
 * clean text cheap. No rule looks at more than a bounded number of signs without finding something, so time is linear.
 */
import { clueRules } from './clues.ts'
import type { Known } from './known.ts'
import { merged, type Range, type Rule } from './range.ts'
import { shapeRules } from './shape-rules.ts'

export const RULES: readonly Rule[] = [...shapeRules, ...clueRules]

export function scan(text: string, known: Known): readonly Range[] {
  const ranges = known.find(text)
  let places: Places | undefined
  let last = 0
  for (let at = 0; at < text.length; at += 1) {
    last = ((last << 6) | (text.charCodeAt(at) & 63)) & ALL_BEGINNINGS
    const group = GROUP_AT[last] ?? 0
    if (group === 0 || at < 2) continue
    places ??= new Places(text, ranges)
    places.look(at - 2, RULES_OF[group] ?? [])
  }
  return ranges.length === 0 ? ranges : merged(ranges)
}

/** Where rules have opened in one text. */
class Places {
  readonly #text: string
  readonly #ranges: Range[]
  /** What stands within the words of a clue begins no other. */
  #open = 0
  #hidden = 0
  /** Up to where a rule has looked. */
  #done: Map<Rule, number> | undefined

  constructor(text: string, ranges: Range[]) {
    this.#text = text
    this.#ranges = ranges
  }

  look(start: number, rules: readonly Rule[]): void {
    for (const rule of rules) {
      const { also } = rule
      if (also !== undefined && !this.#text.startsWith(also[1], start + also[0])) continue
      if (rule.isClue ? start < this.#open : start < (this.#done?.get(rule) ?? 0)) continue
      const end = endOfOpening(rule.opening, this.#text, start)
      if (end === undefined) continue
      if (rule.isClue) this.#open = end
      if (rule.isClue && start < this.#hidden) continue
      const found = rule.find(this.#text, { start, end })
      if (!rule.isClue) (this.#done ??= new Map()).set(rule, found.end)
      else if (found.ranges.length > 0) this.#hidden = found.end
      this.#ranges.push(...found.ranges)
    }
  }
}

function endOfOpening(opening: string | RegExp, text: string, at: number): number | undefined {
  if (typeof opening === 'string')
    return text.startsWith(opening, at) ? at + opening.length : undefined
  opening.lastIndex = at
  return opening.test(text) ? opening.lastIndex : undefined
}

/** The first three signs of all that a rule may begin with, six bits each. */
const ALL_BEGINNINGS = 0x3ffff
/** Which group of rules begins with them, of 255 at most: half the memory is half the misses of the cache. */
const GROUP_AT = new Uint8Array(ALL_BEGINNINGS + 1)
const RULES_OF: (readonly Rule[])[] = [[]]

/** The rules that may open at a place. */
export const rulesAtPlace = (text: string, at: number): readonly Rule[] => {
  const [a = 0, b = 0, c = 0] = [0, 1, 2].map((next) => text.charCodeAt(at + next) & 63)
  return RULES_OF[GROUP_AT[(a << 12) | (b << 6) | c] ?? 0] ?? []
}

/** All signs that rules tell apart: others are blanks or none. */
const SIGNS =
  String.fromCharCode(...Array(128).keys()) +
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const bitsOf = new Map<string, readonly number[]>()

const rulesAt = new Map<number, Set<Rule>>()
for (const rule of RULES) for (const beginning of rule.begins) begin(rule, beginning)
const groups = new Map<string, number>()
for (const [at, rules] of rulesAt) {
  const name = Array.from(rules, (rule) => RULES.indexOf(rule)).join()
  if (!groups.has(name)) groups.set(name, RULES_OF.push([...rules]) - 1)
  GROUP_AT[at] = groups.get(name) ?? 0
}

function begin(rule: Rule, beginning: string): void {
  const choices = beginning.match(/\[[^\]]*\]|\\?./g) ?? []
  const [first = [], second = [], third = []] = [0, 1, 2].map((at) => bits(choices[at] ?? '[^]'))
  for (const a of first)
    for (const b of second)
      for (const c of third) {
        const at = (a << 12) | (b << 6) | c
        rulesAt.set(at, (rulesAt.get(at) ?? new Set()).add(rule))
      }
}

function bits(choice: string): readonly number[] {
  const known = bitsOf.get(choice)
  if (known !== undefined) return known
  const pattern = new RegExp(choice)
  const signs = Array.from(SIGNS).filter((sign) => pattern.test(sign))
  const made = [...new Set(signs.map((sign) => sign.charCodeAt(0) & 63))]
  bitsOf.set(choice, made)
  return made
}
