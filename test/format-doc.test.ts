/** docs/format.md is true: its blocks are what the code reads, and each of its numbered sentences has a test. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { recognise } from '../src/format/event.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/format.md'), 'utf8')

type Block = { readonly language: string; readonly mark: string; readonly content: string }
const blocks: Block[] = [...text.matchAll(/^```(jsonl?)[ ]?(.*)\n([^]*?)^```$/gm)].map(
  ([, language = '', mark = '', content = '']) => ({ language, mark, content }),
)
const valuesOf = ({ language, content }: Block): unknown[] =>
  language === 'json'
    ? [JSON.parse(content)]
    : content.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
const isEventLine = (value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && 'parentId' in value

test('every JSON block of docs/format.md parses', () => {
  assert.ok(blocks.length > 10)
  for (const block of blocks) assert.doesNotThrow(() => valuesOf(block), block.content)
})

test('every line of a log in docs/format.md is an event, and only marked blocks hold unknown types', () => {
  for (const block of blocks) {
    const values = valuesOf(block)
    const events = block.language === 'jsonl' ? values : values.filter(isEventLine)
    const expected = block.mark === 'unknown' ? 'stranger' : 'event'
    assert.deepEqual(
      events.map((value) => recognise(value).kind),
      events.map(() => expected),
      block.content,
    )
  }
})

const byHand = text.replace(/<!-- generated:\w+ -->[^]*?<!-- \/generated -->/g, '')

test('every sentence with MUST or MAY stands in a numbered item', () => {
  const items = byHand
    .replace(/^```[^]*?^```$/gm, '')
    .split('\n')
    .filter((line) => /\b(?:MUST|MAY)\b/.test(line) && !line.startsWith('The words MUST'))
  assert.deepEqual(
    items.filter((line) => !/^- \*\*§\d+\.\d+\*\* /.test(line)),
    [],
  )
})

const numbers = [...byHand.matchAll(/^- \*\*§(\d+\.\d+)\*\* /gm)].map(([, number = '']) => number)

test('the numbers of a section run from 1 and name their section', () => {
  const sections = byHand.split(/^## /m).slice(1)
  for (const section of sections) {
    const own = [...section.matchAll(/^- \*\*§(\d+\.\d+)\*\* /gm)].map(([, number]) => number)
    const name = Number.parseInt(section, 10)
    assert.deepEqual(
      own,
      own.map((_, index) => `${name}.${index + 1}`),
    )
  }
  assert.equal(sections.length, 14)
})

test('every numbered sentence is named by the title of a test, and every title names a sentence', () => {
  const named = new Set<string>()
  for (const file of globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })) {
    for (const title of titlesOf(readFileSync(join(root, file), 'utf8'))) {
      for (const [, number = ''] of title.matchAll(/format §(\d+\.\d+)/g)) named.add(number)
    }
  }
  const missing = numbers.filter((number) => !named.has(number))
  const unknown = [...named].filter((number) => !numbers.includes(number))
  assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] })
})

/** The first arguments of calls that make tests, in one of the three kinds of quotes. */
function titlesOf(source: string): string[] {
  const calls = /\b(?:test|it|describe|inFolder|check)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
  return [...source.matchAll(calls)].map(([, , title = '']) => title)
}

test('every reference to a section of docs/format.md leads somewhere', () => {
  const references = [...byHand.matchAll(/§(\d+\.\d+)/g)].map(([, number = '']) => number)
  assert.deepEqual(
    references.filter((number) => !numbers.includes(number)),
    [],
  )
})

test('section 14 names every golden case', () => {
  const section = byHand.slice(byHand.indexOf('## 14. '))
  const named = [...section.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name)
  assert.deepEqual(named.sort(), readdirSync(join(root, 'test/golden/v1')).sort())
})
