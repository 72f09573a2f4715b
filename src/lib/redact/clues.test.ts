import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanEvents } from '../../../test/support/clean-events.ts'
import { seededSecrets, shapes } from '../../../test/support/seeded-secrets.ts'
import { CLUES } from './clues.ts'
import { hitsIn } from './marks.ts'

/** The rule itself: the expressions from the first sign to the last, in their order. */
const rule = new RegExp(
  Object.entries(CLUES)
    .map(([name, clue]) => `(?<${name.replace('-', '')}>${clue})`)
    .join('|'),
  'g',
)
const byRule = (text: string) =>
  Array.from(text.matchAll(rule), ({ index, 0: { length }, groups = {} }) => ({
    clue: Object.keys(groups).find((name) => groups[name] !== undefined),
    start: index,
    end: index + length,
  }))
const byHits = (text: string) =>
  hitsIn(text).flatMap(({ clue, start, end }) =>
    clue === undefined ? [] : [{ clue: clue.replace('-', ''), start, end }],
  )

test('the places that are passed over hold no clue', () => {
  const texts = [
    ...seededSecrets(31, shapes.length * 4).map(({ text }) => text),
    ...cleanEvents(32, 400),
  ]
  for (const text of texts) assert.deepEqual(byHits(text), byRule(text))
})

test('a clue is found however it is written and wherever it stands', () => {
  // What a clue must be followed by is given to it, so that the expression can be turned into texts.
  const written = Object.values(CLUES).map((clue) =>
    fc.stringMatching(new RegExp(`^${clue.replaceAll('(?=', '(?:').replaceAll('\\b', '')}$`)),
  )
  const noise = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('-', '.', ' ', '\u2028', '\u00a0-u', ' -u', 'pass', '--', 'key', 'a'),
  )
  let found = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, ...written), { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      found += byRule(text).length
      assert.deepEqual(byHits(text), byRule(text))
    }),
    { numRuns: 2000, seed: 33 },
  )
  assert.ok(found > 2000, `${found} clues`)
})
