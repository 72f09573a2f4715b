import assert from 'node:assert/strict'
import test from 'node:test'
import { matchesGlob } from 'node:path'
import * as fc from 'fast-check'
import { compileGlob } from './match-glob.ts'

const fits = (pattern: string, path: string) => compileGlob(pattern)?.(path)

test('patterns mean what people expect of them', () => {
  const cases: [string, string, boolean][] = [
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**/b', 'src/b', true],
    ['./a', 'a', true],
    ['?.md', '😀.md', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['*.{ts,js{,x}}', 'a.jsx', true],
    ['*.{ts,js{,x}}', 'a.js', true],
    ['{a', '{a', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['.*', '.env', true],
  ]
  assert.deepEqual(
    cases.map(([pattern, path]) => [pattern, path, fits(pattern, path)]),
    cases,
  )
})

test('it agrees with the matcher of the platform on names without a leading dot', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 })
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const part = fc.oneof(
    fc.constant('**'),
    fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?', '[ab]', '{a,b}'),
      minLength: 1,
      maxLength: 4,
    }),
  )
  const pattern = fc
    .array(
      part.filter((each) => each === '**' || !each.includes('**')),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('/'))
    // There the platform wants at least one name below the folder.
    .filter((each) => !each.endsWith('/**'))
  fc.assert(
    fc.property(pattern, path, (glob, each) => fits(glob, each) === matchesGlob(each, glob)),
    { numRuns: 2000 },
  )
})

test('a pattern made to take for ever does not', () => {
  assert.equal(fits(`${'*a'.repeat(60)}*b`, 'a'.repeat(250)), false)
  assert.equal(fits(`${'**/a/'.repeat(60)}b`, 'a/'.repeat(200)), false)
  assert.equal(compileGlob('{a,b}'.repeat(40)), undefined)
})
