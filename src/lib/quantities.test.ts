import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, amount, counted, relativeTime, sizeText } from './quantities.ts'

const now = new Date('2026-05-05T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()

test('times are told as people tell them', () => {
  assert.deepEqual(
    [0, 59, 60, 3 * 60, 3600, 86_400, 8 * 86_400, 40 * 86_400, 800 * 86_400].map((seconds) =>
      relativeTime(before(seconds), now),
    ),
    [
      'just now',
      'just now',
      '1 minute ago',
      '3 minutes ago',
      '1 hour ago',
      '1 day ago',
      '1 week ago',
      '1 month ago',
      '2 years ago',
    ],
  )
})

test('a time ahead of the clock is a date, and no time is a dash', () => {
  assert.equal(relativeTime(before(-30), now), 'just now')
  assert.equal(relativeTime(before(-86_400), now), '2026-05-06')
  assert.equal(relativeTime('whenever', now), '–')
})

test('sizes have two figures and a unit', () => {
  assert.deepEqual([0, 999, 1000, 1_234_567, 12_345_678, 999_600, 5e9, 3e15].map(sizeText), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.2 MB',
    '12 MB',
    '1.0 MB',
    '5.0 GB',
    '3000 TB',
  ])
  assert.deepEqual([counted(1, 'turn'), counted(1200, 'turn')], ['1 turn', '1,200 turns'])
})

test('where there is little room a time is short', () => {
  assert.deepEqual(
    [-86_400, 10, 5 * 60, 3 * 3600, 40 * 86_400].map((seconds) => ago(before(seconds), now)),
    ['now', 'now', '5m ago', '3h ago', '1mo ago'],
  )
  assert.equal(ago('whenever', now.getTime()), '–')
})

test('amounts have at most three figures and a unit', () => {
  assert.deepEqual([0, 999, 1000, 1234, 123_456, 2_500_000, 2e9].map(amount), [
    '0',
    '999',
    '1k',
    '1.2k',
    '123k',
    '2.5M',
    '2B',
  ])
})
