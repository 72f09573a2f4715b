import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localDay } from './local-day.ts'

const always = { since: '0001-01-01T00:00:00.000Z', until: '2026-11-18T00:00:00.000Z' }

test('a period since the first year looks at the clocks of no time before sessions', () => {
  assert.equal(localDay('at', always), 'substr(at, 1, 10)')
  const berlin = localDay('at', { ...always, zone: 'Europe/Berlin' })
  const changes = [...berlin.matchAll(/at < '(\d{4})/g)].map(([, year]) => Number(year))
  assert.equal(changes.length, 2 * 27)
  assert.equal(Math.min(...changes), 2000)
})
