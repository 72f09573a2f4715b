import { test } from 'node:test'
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  checkpointFileName,
  parseIndex,
  parseSummary,
  printIndex,
  printSummary,
  sections,
} from './checkpoint-file.ts'

test('a file is named by its number and its title', () => {
  const names = [
    [1, 'Fix the parser'],
    [12, 'Ärger: “Öl”!'],
    [3, '../../etc/passwd'],
    [4, '日本語'],
    [1000, ''],
    [5, `${'very '.repeat(7)}long title`],
  ].map(([number, title]) => checkpointFileName(number as number, title as string))
  assert.deepEqual(names, [
    '001-fix-the-parser.md',
    '012-arger-ol.md',
    '003-etc-passwd.md',
    '004-checkpoint.md',
    '1000-checkpoint.md',
    '005-very-very-very-very-very-very-very-long.md',
  ])
})

test('any title gives a name that is safe in a path and that an index takes', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: 'binary' }), (number, title) => {
      const file = checkpointFileName(number, title)
      assert.match(file, /^\d{3,}-[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?\.md$/)
      assert.equal(parseIndex(printIndex([{ number, title: 'a', file }])).length, 1)
    }),
  )
})

test('an index is a heading, a sentence and a table', () => {
  assert.equal(
    printIndex([{ number: 1, title: 'a | b', file: '001-a-b.md' }]),
    `# Checkpoint History

Each row names a summary that took the place of the conversation before it.

| # | Title | File |
|---|-------|------|
| 1 | a \\| b | 001-a-b.md |
`,
  )
})

test('any title survives the index, with its white space on one line', () => {
  const title = fc.string({
    unit: fc.oneof(fc.constantFrom('|', '\\', '\n', ' ', '['), fc.string()),
  })
  fc.assert(
    fc.property(fc.array(title), (titles) => {
      const entries = titles.map((each, at) => ({
        number: at + 1,
        title: each,
        file: `00${at}-x.md`,
      }))
      const read = entries.map((entry) => ({
        ...entry,
        title: entry.title.replace(/\s+/g, ' ').trim(),
      }))
      assert.deepEqual(parseIndex(printIndex(entries)), read)
    }),
  )
})

test('rows of another hand are read, those that point elsewhere are left out', () => {
  const text = `# Checkpoint History\r
|#|Title|File|\r
|:-|:-|-:|
|  1 |Plain|001-plain.md|
| 2 | Linked | [002-linked.md](./002-linked.md) |
| 3 | Away | ../../secret.md |
| 4 | Windows | ..\\secret.md |
| x | No number | 005-x.md |
| 6 | Not Markdown | run.sh |
`
  assert.deepEqual(parseIndex(text), [
    { number: 1, title: 'Plain', file: '001-plain.md' },
    { number: 2, title: 'Linked', file: '002-linked.md' },
  ])
})

test('a summary has its sections in order, and only those that say something', () => {
  assert.equal(
    printSummary({ next_steps: 'Write it.', overview: ' The parser.\n', history: '  ' }),
    '<overview>\nThe parser.\n</overview>\n\n<next_steps>\nWrite it.\n</next_steps>\n',
  )
})

test('any sections survive, even when they speak of sections', () => {
  const words = fc.constantFrom(
    '<overview>',
    '</overview>',
    '<\\/history>',
    '<history>',
    '\\',
    '<',
    'a',
    '\n',
  )
  const content = fc
    .array(fc.oneof(words, fc.string()))
    .map((parts) => parts.join('').trim())
    .filter((text) => text !== '')
  const summary = fc.record(Object.fromEntries(sections.map((name) => [name, content])), {
    requiredKeys: ['overview'],
  })
  fc.assert(
    fc.property(summary, (each) => {
      assert.deepEqual(parseSummary(printSummary(each)), { ...each })
    }),
  )
})

test('what surrounds sections is left out, and a section without an end goes to the next', () => {
  const text = `Here is the summary:
<overview>The parser.
<history>
1. Asked <about> it.
</history>
Some remark.
<next_steps>
Write`
  assert.deepEqual(parseSummary(text), {
    overview: 'The parser.',
    history: '1. Asked <about> it.',
    next_steps: 'Write',
  })
})

test('text without sections is all overview, and no text is no summary', () => {
  assert.deepEqual(parseSummary('\nJust words.\n'), { overview: 'Just words.' })
  assert.deepEqual(parseSummary(' \n'), {})
})
