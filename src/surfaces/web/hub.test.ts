/** One follower for all who watch: opened by the first, closed with the last, and never given when it is over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHome } from '../../../test/support/engine.ts'
import { createHub } from './hub.ts'

test('all who hold a session share its channel, which ends with the last of them', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await (await engine.open(id)).save()
  const hub = createHub(engine)
  const [one, two] = await Promise.all([hub.hold(id), hub.hold(id)])
  assert.equal(one.channel, two.channel)
  one[Symbol.dispose]()
  one[Symbol.dispose]()
  assert.equal(two.channel.ended, 'no')
  two[Symbol.dispose]()
  assert.equal(two.channel.ended, 'closed')
  const three = await hub.hold(id)
  assert.equal(three.channel.ended, 'no')
  hub.close()
  assert.equal(three.channel.ended, 'closed')
  await assert.rejects(hub.hold(id), { code: 'cancelled' })
})

test('whoever comes while the last one leaves gets a channel that is open', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await (await engine.open(id)).save()
  const hub = createHub(engine)
  const first = hub.hold(id).then((held) => held[Symbol.dispose]())
  const second = hub.hold(id)
  await first
  assert.equal((await second).channel.ended, 'no')
  hub.close()
})
