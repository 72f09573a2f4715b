import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsIn } from './mentions.ts'

const first = (text: string) => mentionsIn(text).map(({ readings: [reading] }) => reading)

test('a file is named by an @ before it, with its lines behind it', () => {
  assert.deepEqual(first('see @src/a.ts, @src/b.ts:10-20 and @c.ts:7 or @d.ts#L3-L5'), [
    { path: 'src/a.ts,' },
    { path: 'src/b.ts', lines: { start: 10, end: 20 } },
    { path: 'c.ts', lines: { start: 7, end: 7 } },
    { path: 'd.ts', lines: { start: 3, end: 5 } },
  ])
  assert.deepEqual(first('(@"my notes.md":2 @~/x @/etc/hosts)'), [
    { path: 'my notes.md', lines: { start: 2, end: 2 } },
    { path: '~/x' },
    { path: '/etc/hosts)' },
  ])
})

test('punctuation behind a name may belong to the sentence, and lines may belong to the name', () => {
  assert.deepEqual(mentionsIn('what is @a.md?')[0]?.readings, [{ path: 'a.md?' }, { path: 'a.md' }])
  assert.deepEqual(mentionsIn('@a:5')[0]?.readings, [
    { path: 'a', lines: { start: 5, end: 5 } },
    { path: 'a:5' },
  ])
  assert.deepEqual(mentionsIn('@a:9-3 @a:0')[0]?.readings, [{ path: 'a:9-3' }])
})

test('an address is no file, and one that is named twice is named once', () => {
  assert.deepEqual(mentionsIn('me@example.org a/@b x.@y'), [])
  assert.equal(mentionsIn('@a @a').length, 1)
})
