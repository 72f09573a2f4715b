/** A session in Mission Control of which nothing has been said yet: a task that waits for its worker. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSessionId } from '../../src/format/ids.ts'
import { openMirror } from '../../src/remote/client/mirror.ts'
import { openServer } from '../../src/remote/control-client.ts'
import { startNode } from '../control/node.ts'

test('one with an empty log opens, and its own beginning takes the place of the one that was made', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const id = asSessionId(crypto.randomUUID())
  assert.equal((await ann.ask('PUT', `/streams/s/${id}/0`)).status, 201)
  const server = openServer({ url: node.url, token: ann.token })
  await using mirror = await openMirror(server, id)
  const starts = async () => {
    const { events } = await mirror.session.events()
    return events.map((event) => [event.type, event.id])
  }
  assert.deepEqual(await starts(), [['session.start', `${id}-start`]])

  const claim = await ann.ask('POST', `/api/sessions/${id}/claim`)
  const start = {
    sessionId: id,
    version: 1,
    producer: 'x',
    copilotVersion: '1',
    startTime: '2026-01-01T00:00:00.000Z',
  }
  const event = {
    type: 'session.start',
    data: start,
    id: 'first',
    timestamp: start.startTime,
    parentId: null,
  }
  const sent = await ann.send(
    `/streams/s/${id}/0`,
    claim.body as { producer: string; epoch: number },
    0,
    [event],
  )
  assert.equal(sent.status, 200)
  await mirror.refresh()
  assert.deepEqual(await starts(), [['session.start', 'first']])
})
