import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shellParts } from './parts.ts'

/** The words of each command; `?` stands for what an expansion makes. */
async function seen(text: string) {
  const { commands, reads, writes, unknown } = await shellParts(text)
  const word = ({ value }: { readonly value: string | undefined }) => value ?? '?'
  return {
    commands: commands.map(({ assignments, words }) => [...assignments, ...words].map(word)),
    reads: reads.map(word),
    writes: writes.map(word),
    isUnknown: unknown !== undefined,
  }
}

const plain = { reads: [], writes: [], isUnknown: false }

describe('a shell command is taken apart', () => {
  for (const [text, commands, rest] of [
    ['a "b c"; d\\ e && \'f\'g', [['a', 'b c'], ['d e'], ['fg']], {}],
    [
      'echo 😀 "é"; rm x',
      [
        ['echo', '😀', 'é'],
        ['rm', 'x'],
      ],
      {},
    ],
    ['a > b c < d 2>&1', [['a', 'c']], { writes: ['b'], reads: ['d'] }],
    ['>b a &> "c d"', [['a']], { writes: ['b', 'c d'] }],
    ['X=1 a "$y" $(b)', [['X=1', 'a', '?', '?'], ['b']], {}],
    ["sh -c 'a; b'", [['sh', '-c', 'a; b'], ['a'], ['b']], {}],
    ['timeout -k 3 5 nice a', [['timeout', '-k', '3', '5', 'nice', 'a'], ['nice', 'a'], ['a']], {}],
    [
      'find . -exec a {} +',
      [
        ['find', '.', '-exec', 'a', '{}', '+'],
        ['a', '?'],
      ],
      {},
    ],
    ["cat <<'E'\n$(a) `b`\nE", [['cat']], {}],
    ['cat <<E\n$(a)\nE', [['cat'], ['a']], {}],
    ['a | sh', [['a'], ['sh']], { isUnknown: true }],
    ['$x y', [['?', 'y']], { isUnknown: true }],
    ['timeout --odd 5 a', [['timeout', '--odd', '5', 'a']], { isUnknown: true }],
    ["echo 'a", [], { isUnknown: true }],
    ['echo "${x:-`a`}"', [], { isUnknown: true }],
    ['r\\\nm x', [], { isUnknown: true }],
  ] as const)
    test(JSON.stringify(text), async () => {
      assert.deepEqual(await seen(text), { commands, ...plain, ...rest })
    })
})

test('a command that is deep or long is not read, and ends all the same', async () => {
  for (const text of [
    '('.repeat(5000),
    `${'{ '.repeat(3000)}a`,
    `echo ${'$('.repeat(300)}a${')'.repeat(300)}`,
    'a'.repeat(70_000),
  ])
    assert.equal((await seen(text)).isUnknown, true)
})
