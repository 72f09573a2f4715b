import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanEvents } from '../../../test/support/clean-events.ts'
import { seededSecrets, shapes } from '../../../test/support/seeded-secrets.ts'
import { RULES, rulesAtPlace } from './scan.ts'

/** Every rule where its expression opens, whether or not the table of beginnings knows the place. */
const openings = RULES.map((rule) => {
  const { opening } = rule
  const source = typeof opening === 'string' ? opening.replace(/[.~/$]/g, '\\$&') : opening.source
  return { rule, source, everywhere: new RegExp(source.replace(/^\\.$/, '\\.[\\w-]{2}'), 'g') }
})

function opened(text: string): number {
  let count = 0
  for (const { rule, source, everywhere } of openings) {
    for (const { index, 0: said } of text.matchAll(everywhere)) {
      // At the very end of a text a mark of two signs has nothing behind it.
      if (index + 2 >= text.length) continue
      assert.ok(rulesAtPlace(text, index).includes(rule), `${JSON.stringify(said)} of ${source}`)
      count += 1
    }
  }
  return count
}

test('the places that are passed over open no rule', () => {
  const texts = [
    ...seededSecrets(31, shapes.length * 2).map(({ text }) => text),
    ...cleanEvents(32, 400),
  ]
  assert.ok(texts.reduce((sum, text) => sum + opened(text), 0) > 2000)
})

test('a clue is found however it is written and wherever it stands', () => {
  // What a clue must be followed by is given to it, so that the expression can be turned into texts.
  const written = openings
    .filter(({ rule }) => rule.isClue)
    .map(({ source }) =>
      fc.stringMatching(
        new RegExp(
          `^${source
            .replace(/\(\?:\(\?<![^)]*\)\|\(\?<=[^)]*\)\(\?=P\)\)/g, '')
            .replaceAll('(?=', '(?:')
            .replaceAll('\\b', '')}$`,
        ),
      ),
    )
  const noise = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('-', '.', ' ', '\u2028', '\u00a0-u', ' -u', 'pass', '--', 'key', 'a'),
  )
  let found = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, ...written), { maxLength: 8 }), (parts) => {
      found += opened(parts.join(''))
    }),
    { numRuns: 1000, seed: 33 },
  )
  assert.ok(found > 1000, `${found} openings`)
})
