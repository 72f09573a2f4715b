/** A list that changes all the time is asked for one request at a time, and once more behind the last change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReloads } from './reloads.ts'

test('what changes while a request is on its way is asked for once, behind it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  const reloads = createReloads({ reload: () => (asked += 1), soonMs: 250 })
  const end = reloads.begin()
  for (let at = 0; at < 8; at++) {
    reloads.soon()
    t.mock.timers.tick(200)
  }
  assert.equal(asked, 0)
  end()
  end()
  assert.equal(asked, 1)
  t.mock.timers.tick(1000)
  reloads.soon()
  reloads.soon()
  t.mock.timers.tick(250)
  assert.equal(asked, 2)
})

test('what nobody sees is asked for when somebody does, and not when it is over', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  let isHidden = true
  const reloads = createReloads({
    reload: () => (asked += 1),
    soonMs: 250,
    isHidden: () => isHidden,
  })
  reloads.soon()
  t.mock.timers.tick(250)
  assert.equal(asked, 0)
  isHidden = false
  reloads.look()
  reloads.look()
  assert.equal(asked, 1)
  reloads.soon()
  reloads.stop()
  t.mock.timers.tick(250)
  assert.equal(asked, 1)
})
