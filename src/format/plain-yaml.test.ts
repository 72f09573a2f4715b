import { test } from 'node:test'
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { printLine } from './plain-yaml.ts'
import { parsePlainYaml } from './workspace-file.ts'

test('plain and quoted scalars on one line are read', () => {
  const text = `# a comment
id: 8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35
cwd: /home/ada/a b#c:d

name: 'it''s "here"'
title: "two\\nlines \\u00e9"
count: 12
ratio: -1.5e2
yes: true
no: False
none: ~
empty:
created_at: 2026-03-02T09:30:00.000Z
windows: C:\\work
`
  const values = {
    id: '8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35',
    cwd: '/home/ada/a b#c:d',
    name: `it's "here"`,
    title: 'two\nlines é',
    count: 12,
    ratio: -150,
    yes: true,
    no: false,
    none: null,
    empty: null,
    created_at: '2026-03-02T09:30:00.000Z',
    windows: 'C:\\work',
  }
  assert.deepEqual(parsePlainYaml(text), values)
  assert.deepEqual(parse(text), values)
})

const beyond = {
  'a list': 'a:\n  - 1\n',
  'a map in braces': 'a: {b: 1}\n',
  'a folded text': 'a: >\n  b\n',
  'a second line of a plain text': 'a: b\n  c\n',
  'a comment after a value': 'a: b # c\n',
  'a comment after a quoted value': 'a: "b" # c\n',
  'an anchor': 'a: &b c\n',
  'a tag': 'a: !!str 1\n',
  'a key in a value': 'a: b: c\n',
  'a key twice': 'a: 1\na: 2\n',
  'a quoted key': '"a": 1\n',
  'a document marker': '---\na: 1\n',
  'carriage returns': 'a: 1\r\n',
  'a tab': 'a: b\tc\n',
  'an unfinished quote': 'a: "b\n',
  'an escape that JSON lacks': 'a: "\\x41"\n',
  'a hexadecimal number': 'a: 0x1f\n',
  'no space after the colon': 'a:b\n',
}

for (const [what, text] of Object.entries(beyond)) {
  test(`${what} is left to a full reader`, () => assert.equal(parsePlainYaml(text), undefined))
}

const words =
  'null ~ True yes No y N off 12 0x1f 0o7 0b1 1_000 12:30:45 1e3 +.5 .inf -.INF .nan 2024-01-01 - ? a: # ' +
  '&a *a !a | > \' " % @a ` {} [] << = --- ... \\ \\n 😀 \0 \x7f \x85 \u2028 \ufeff \ufffe \ud800'
const tricky = fc.constantFrom(
  ...words.split(' '),
  '',
  ' ',
  '- a',
  ': a',
  'a: b',
  'a #b',
  ' a',
  'a ',
  'a\tb',
  '\r\n',
)
const anyText = fc.oneof(
  tricky,
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...':#\'"- \\\nax1.') }),
)

test('any text reads back the same by this reader and by a full one', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const expected = { key: text.toWellFormed() }
      const line = printLine('key', text)
      assert.deepEqual(parsePlainYaml(line), expected)
      assert.deepEqual(parse(line), expected)
      assert.deepEqual(parse(line, { version: '1.1' }), expected)
    }),
    { numRuns: 2000 },
  )
})

test('what this reader takes, a full reader takes for the same', () => {
  const source = fc.string({ unit: fc.constantFrom(...'ab: \'"#-\n\\~.1e+tru{[&!') })
  fc.assert(
    fc.property(source, (text) => {
      const values = parsePlainYaml(`k: ${text}`)
      if (values !== undefined) assert.deepEqual(values, parse(`k: ${text}`) as unknown)
    }),
    { numRuns: 2000 },
  )
})

test('any JSON value reads back the same by a full reader', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(parse(printLine('key', value)), { key: value })
    }),
  )
})
