import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { safeHref } from './inline.ts'
import { parseInline, parseMarkdown, type Block } from './markdown.ts'

const text = (value: string) => ({ kind: 'text', text: value }) as const
const paragraph = (value: string): Block => ({ kind: 'paragraph', inside: [text(value)] })

test('blocks that agents write are understood', () => {
  assert.deepEqual(
    parseMarkdown('# Title\n\nOne\ntwo\n\n- a\n- [x] b\n  - c\n\n1. d\n\n---\n> said\n'),
    [
      { kind: 'heading', level: 1, inside: [text('Title')] },
      paragraph('One\ntwo'),
      {
        kind: 'list',
        start: undefined,
        items: [
          { done: undefined, blocks: [paragraph('a')] },
          {
            done: true,
            blocks: [
              paragraph('b'),
              {
                kind: 'list',
                start: undefined,
                items: [{ done: undefined, blocks: [paragraph('c')] }],
              },
            ],
          },
        ],
      },
      { kind: 'list', start: 1, items: [{ done: undefined, blocks: [paragraph('d')] }] },
      { kind: 'rule' },
      { kind: 'quote', blocks: [paragraph('said')] },
    ],
  )
})

test('a fence holds its text as it is, and one without an end goes to the end', () => {
  assert.deepEqual(parseMarkdown('```ts\nconst a = **1**\n\n# no\n```\nafter'), [
    { kind: 'code', language: 'ts', text: 'const a = **1**\n\n# no' },
    paragraph('after'),
  ])
  assert.deepEqual(parseMarkdown('```sh\nls'), [{ kind: 'code', language: 'sh', text: 'ls' }])
})

test('a table has a head and rows', () => {
  assert.deepEqual(parseMarkdown('| a | b |\n|---|--:|\n| 1 | `2` |'), [
    {
      kind: 'table',
      aligns: [undefined, 'right'],
      head: [[text('a')], [text('b')]],
      rows: [[[text('1')], [{ kind: 'code', text: '2' }]]],
    },
  ])
})

test('inline marks nest, code keeps its stars, an underscore within a word is a letter', () => {
  assert.deepEqual(parseInline('**bold _both_** `a*b*` snake_case_name \\*no\\*'), [
    { kind: 'strong', inside: [text('bold '), { kind: 'em', inside: [text('both')] }] },
    text(' '),
    { kind: 'code', text: 'a*b*' },
    text(' snake_case_name *no*'),
  ])
})

test('only links to the web and to mail are links', () => {
  const hrefs = ['https://a.example/x', 'http://a.example/', 'mailto:a@b.example']
  for (const href of hrefs)
    assert.deepEqual(parseInline(`[x](${href})`), [{ kind: 'link', href, inside: [text('x')] }])
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://a/b',
    '//a.example/x',
    '/api/sessions',
  ]
  assert.deepEqual(
    refused.map((href) => safeHref(href)),
    refused.map(() => undefined),
  )
})

test('footnotes are marks and lines, also where they are an address', () => {
  assert.deepEqual(
    parseMarkdown('One[^1] and[^b] not[^2].\n\n[^1]: https://a.example/x\n[^b]: *said*\n  there'),
    [
      {
        kind: 'paragraph',
        inside: [
          text('One'),
          { kind: 'note', text: '1' },
          text(' and'),
          { kind: 'note', text: 'b' },
          text(' not[^2].'),
        ],
      },
      {
        kind: 'note',
        name: '1',
        inside: [
          { kind: 'link', href: 'https://a.example/x', inside: [text('https://a.example/x')] },
        ],
      },
      {
        kind: 'note',
        name: 'b',
        inside: [{ kind: 'em', inside: [text('said')] }, text('\nthere')],
      },
    ],
  )
})

test('a formula is kept whole; a price and a variable are none', () => {
  const formula = (tex: string) => ({ kind: 'formula', text: tex })
  assert.deepEqual(parseInline('so $a_i * b_i * c$, or $x$.'), [
    text('so '),
    formula('a_i * b_i * c'),
    text(', or '),
    formula('x'),
    text('.'),
  ])
  for (const source of ['$`a_i*b*`$', '$$a_i*b*$$', String.raw`\( a_i*b* \)`])
    assert.deepEqual(parseInline(`x ${source}.`), [text('x '), formula('a_i*b*'), text('.')])
  for (const plain of ['$5 and $6', '$HOME:$PATH', 'a $ b $ c', 'US$5 or US$6', '$$', '$$$$'])
    assert.deepEqual(parseInline(plain), [text(plain)])
  assert.deepEqual(parseInline(String.raw`f\(x\) or \(never`), [text('f(x) or (never')])
  assert.deepEqual(parseMarkdown('so\n$$\na_1 * b_1\n$$\n\n```math\nc\n```\n\n$$\nnever ends'), [
    paragraph('so'),
    formula('a_1 * b_1'),
    formula('c'),
    paragraph('$$\nnever ends'),
  ])
  const many = parseInline('$x$ '.repeat(5000))
  assert.equal(many.filter(({ kind }) => kind === 'formula').length, 400)
  assert.equal(many.filter(({ kind }) => kind === 'code').length, 4600)
  assert.deepEqual(parseMarkdown(String.raw`\[`.concat('\na\n', String.raw`\]`)), [formula('a')])
})

test('HTML is text', () => {
  assert.deepEqual(parseMarkdown('<img src=x onerror=alert(1)>'), [
    paragraph('<img src=x onerror=alert(1)>'),
  ])
})

test('any text is parsed, and no letter of plain words is lost', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (source) => void parseMarkdown(source)))
  const words = fc.stringMatching(/^[a-z]+( [a-z]+)*$/)
  fc.assert(
    fc.property(fc.array(words, { minLength: 1 }), (paragraphs) => {
      assert.deepEqual(parseMarkdown(paragraphs.join('\n\n')), paragraphs.map(paragraph))
    }),
  )
})

test('a text made to be slow is parsed all the same', () => {
  const long = 20_000
  for (const piece of [
    '*',
    '[',
    '`',
    '> ',
    '- ',
    '|',
    '_a',
    '**a',
    '[a](',
    '~~',
    '\\',
    '$a',
    '$$a\n',
    '[^a]: ',
    '[^a]',
  ])
    parseMarkdown(piece.repeat(long))
})
