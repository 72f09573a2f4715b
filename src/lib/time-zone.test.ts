import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isZone, minuteIn, offsetsOf } from './time-zone.ts'

test('a minute is told by the clocks of its zone', () => {
  const at = '2026-03-01T22:45:30.000Z'
  assert.deepEqual(
    ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Los_Angeles'].map((zone) =>
      minuteIn(zone, at),
    ),
    ['2026-03-01 22:45', '2026-03-01 23:45', '2026-03-02 04:30', '2026-03-01 14:45'],
  )
  assert.equal(minuteIn('Europe/Berlin', 'never'), 'never')
})

test('the distance from UTC changes when the clocks do', () => {
  const of = (zone: string) =>
    offsetsOf(zone, Date.parse('2026-01-01T00:30:00Z'), Date.parse('2026-12-31T00:00:00Z')).map(
      ({ untilMs, minutes }) => [
        untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
        minutes,
      ],
    )
  assert.deepEqual(of('Europe/Berlin'), [
    ['2026-03-29T01:00:00.000Z', 60],
    ['2026-10-25T01:00:00.000Z', 120],
    [undefined, 60],
  ])
  assert.deepEqual(of('Asia/Kathmandu'), [[undefined, 345]])
  assert.deepEqual(of('UTC'), [[undefined, 0]])
})

test('what is no zone is known as none', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'Middle/Earth', ''].map(isZone), [
    true,
    true,
    false,
    false,
  ])
})
