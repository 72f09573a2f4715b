/** How long what is kept, how much of it, and that what was deleted stays deleted: on both engines. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { backUp, restore } from '../../src/control/database/backup.ts'
import type { Database } from '../../src/control/database/port.ts'
import { sweep } from '../../src/control/sessions/sweep.ts'
import { begin } from './live.contract.ts'
import { event, startNode, type Client, type TestNode } from './node.ts'

const DAY_MS = 24 * 3600 * 1000
const MARK = 'word-that-goes'

async function write(client: Client, id: string) {
  const claim = await begin(client, id)
  const said = event(`${id}-1`, null, { data: { content: `${MARK} in ${id}` } })
  assert.equal((await client.send(claim.stream, claim, 0, [said])).status, 200)
  const content = `${MARK} content of ${id}`
  const hash = createHash('sha256').update(content).digest('hex')
  assert.equal((await client.ask('PUT', `/api/sessions/${id}/blobs/${hash}`, content)).status, 204)
  return claim
}

const idsOf = async (client: Client, path = '/api/sessions') =>
  ((await client.ask('GET', path)).body as { sessions: { id: string }[] }).sessions
    .map(({ id }) => id)
    .toSorted()

const linesOf = async (db: Database): Promise<string[]> => {
  const lines: string[] = []
  await backUp(db, async (line) => void lines.push(line))
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

export function describeKeeping(name: string, start: () => Promise<TestNode>): void {
  describe(`${name}, keeping`, () => {
    test('the trash gives back, deleting does not: no word is left, and no machine makes it again', async () => {
      await using node = await start()
      const [ann, bob] = [await node.person('ann'), await node.person('bob')]
      const claim = await write(ann, 'one')
      await ann.ask('POST', '/api/sessions/one/sharing', { sharing: 'team' })
      assert.equal((await bob.ask('DELETE', '/api/sessions/one')).status, 403)
      assert.equal((await ann.ask('DELETE', '/api/sessions/one')).status, 200)
      assert.deepEqual([await idsOf(ann), await idsOf(bob)], [[], []])
      assert.deepEqual(
        [await idsOf(ann, '/api/trash'), await idsOf(bob, '/api/trash')],
        [['one'], []],
      )
      assert.equal((await ann.send(claim.stream, claim, 1, [event('x', 'one-1')])).status, 404)
      assert.equal((await ann.ask('PUT', '/streams/s/one/0')).status, 410)
      assert.equal((await bob.ask('POST', '/api/sessions/one/restore')).status, 403)
      assert.equal((await ann.ask('POST', '/api/sessions/one/restore')).status, 200)
      assert.deepEqual(await idsOf(bob), ['one'])
      assert.equal((await ann.ask('DELETE', '/api/sessions/one?now=true')).status, 200)
      assert.ok(!(await linesOf(node.db)).join('').includes(MARK))
      assert.ok(!(await linesOf(node.db)).join('').includes(Buffer.from(MARK).toString('base64')))
      assert.equal((await ann.ask('PUT', '/streams/s/one/0')).status, 410)
      assert.equal((await bob.ask('POST', '/api/sessions/one/restore')).status, 404)
      assert.deepEqual((await ann.ask('POST', '/api/sessions/one/restore')).body, {
        id: 'one',
        isThere: false,
      })
      assert.equal((await ann.ask('PUT', '/streams/s/one/0')).status, 201)
    })

    test('what is too old goes to the trash and then for good; what is pinned stays', async () => {
      await using node = await start()
      const olga = await node.person('olga', { role: 'owner' })
      for (const id of ['old', 'pinned']) await write(olga, id)
      await olga.ask('POST', '/api/sessions/pinned/pin', { pinned: true })
      assert.deepEqual(await sweep(node.db, Date.now() + 1000 * DAY_MS), { trashed: 0, deleted: 0 })
      assert.equal(
        (await olga.ask('PUT', '/api/tenant', { keepDays: 90, trashDays: 7 })).status,
        200,
      )
      assert.deepEqual(await sweep(node.db, Date.now() + 89 * DAY_MS), { trashed: 0, deleted: 0 })
      assert.deepEqual(await sweep(node.db, Date.now() + 91 * DAY_MS), { trashed: 1, deleted: 0 })
      assert.deepEqual(await idsOf(olga), ['pinned'])
      assert.deepEqual(await sweep(node.db, Date.now() + 99 * DAY_MS), { trashed: 0, deleted: 1 })
      assert.deepEqual(await idsOf(olga, '/api/trash'), [])
      const bob = await node.person('bob')
      assert.equal((await bob.ask('PUT', '/api/tenant', {})).status, 403)
    })

    test('beyond its limits a tenant is refused in words, nothing is acknowledged, and another tenant is not', async () => {
      await using node = await start()
      const olga = await node.person('olga', { role: 'owner' })
      const eve = await node.person('eve', { tenant: 'other' })
      const claim = await write(olga, 'one')
      await olga.ask('PUT', '/api/tenant', { eventsPerDay: 3, sessions: 2 })
      const send = (seq: number) =>
        olga.send(claim.stream, claim, seq, [event(`n${seq}`, null), event(`m${seq}`, null)])
      let seq = 1
      let answer = await send(seq)
      // What is set counts from when the node looks again.
      while (answer.status === 200) answer = await send(++seq)
      assert.equal(answer.status, 429)
      assert.match(answer.text, /may write 3 events a day/)
      const page = await olga.ask('GET', claim.stream)
      assert.ok(!page.text.includes(`"m${seq}"`))
      await begin(olga, 'two')
      assert.equal((await olga.ask('PUT', '/streams/s/three/0')).status, 429)
      assert.equal((await olga.ask('PUT', '/streams/s/two/0')).status, 200)
      await write(eve, 'hers')
    })

    test('a backup is one moment, is restored into either engine, and forgets again what was deleted since', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      await write(ann, 'kept')
      await write(ann, 'deleted')
      const lines = await linesOf(node.db)
      await ann.ask('DELETE', '/api/sessions/deleted?now=true')
      await assert.rejects(restore(node.db, each(lines), { replace: false, now: Date.now() }), {
        code: 'conflict',
      })
      await assert.rejects(restore(node.db, each(['{}']), { replace: true, now: Date.now() }), {
        code: 'invalid',
      })
      assert.deepEqual(await idsOf(ann), ['kept'])
      const done = await restore(node.db, each(lines), { replace: true, now: Date.now() })
      assert.deepEqual(done, { rows: lines.length - 1, forgotten: 1 })
      assert.deepEqual(await idsOf(ann), ['kept'])
      assert.ok(!(await linesOf(node.db)).join('').includes(`${MARK} in deleted`))
      await using other = await startNode()
      const now = await linesOf(node.db)
      await restore(other.db, each(now), { replace: true, now: 0 })
      const sorted = (all: readonly string[]) =>
        all.map((line) => line.replace(/"moved":\d+/, '"moved":0')).toSorted()
      assert.deepEqual(sorted(await linesOf(other.db)), sorted(now))
    })
  })
}
