import { test } from 'node:test'
import assert from 'node:assert/strict'
import { z } from 'zod'
import { oneOf, openEnum } from './define.ts'
import { shapeCheck } from './shape-check.ts'

const check = shapeCheck(
  z.object({
    name: z.string(),
    count: z.int(),
    mode: z.exactOptional(openEnum('plan', 'interactive')),
    note: z.exactOptional(z.string().nullable()),
    anything: z.unknown(),
    inner: z.exactOptional(
      z.object({ tags: z.array(z.string()), sizes: z.record(z.string(), z.number()) }),
    ),
    shape: z.exactOptional(
      oneOf('kind', [
        z.object({ kind: z.literal('circle'), radius: z.number() }),
        z.object({ kind: z.literal('square'), side: z.number() }),
      ]),
    ),
    either: z.exactOptional(z.union([z.string(), z.number()])),
  }),
)
const good = { name: 'a', count: 1 }

const cases: [string, unknown, string | undefined][] = [
  ['the required fields are enough', good, undefined],
  ['fields that it does not know are let through', { ...good, extra: {} }, undefined],
  ['a missing field is named', { count: 1 }, 'name: expected string'],
  ['a field of another type is named', { ...good, count: '1' }, 'count: expected number'],
  ['the wrong kind of number is let through', { ...good, count: 1.5 }, undefined],
  ['an unknown value of a list is let through', { ...good, mode: 'dream' }, undefined],
  ['null is only for fields that may be null', { ...good, mode: null }, 'mode: expected string'],
  ['a field that may be null may be null', { ...good, note: null }, undefined],
  [
    'a field inside a field is named by its path',
    { ...good, inner: { tags: ['a', 1], sizes: {} } },
    'inner.tags.1: expected string',
  ],
  [
    'a value of a map is named by its key',
    { ...good, inner: { tags: [], sizes: { a: 'b' } } },
    'inner.sizes.a: expected number',
  ],
  [
    'a variant is checked by its own fields',
    { ...good, shape: { kind: 'circle', side: 1 } },
    'shape.radius: expected number',
  ],
  [
    'a variant that it does not know is let through',
    { ...good, shape: { kind: 'star' } },
    undefined,
  ],
  ['a variant must name itself', { ...good, shape: {} }, 'shape.kind: expected string'],
  [
    'a choice between unlike types is left to the schema',
    { ...good, either: true },
    'either: Invalid input',
  ],
  ['a list is not an object', [], 'expected object'],
  ['null is not an object', null, 'expected object'],
]

for (const [sentence, data, reason] of cases) {
  test(sentence, () => assert.equal(check(data), reason))
}
