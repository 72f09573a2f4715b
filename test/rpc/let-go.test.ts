/** A server that runs for weeks: nothing of a session that was closed stays in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSessionId } from '../../src/format/ids.ts'
import { heldOf } from '../support/collected.ts'
import { createdBy, said, startServer, type RawClient } from './in-process.ts'

const SESSIONS = 60
/** Of the last one some is known until the next comes. */
const MOST_HELD = 2

test('sessions that were closed leave nothing in memory, however they were used last', async () => {
  await using served = await startServer()
  const seen: WeakRef<object>[] = []
  const note = (id: string) => {
    const session = served.server.find(asSessionId(id))
    assert.ok(session)
    seen.push(new WeakRef(session), new WeakRef(session.sessionParts))
  }
  for (let nth = 0; nth < SESSIONS; nth += 1) {
    const client = served.connect()
    const id = await createdBy(client)
    note(id)
    // One is closed as it was made, one after a message, one at the cut of a rewind.
    if (nth % 3 > 0) await said(client, id, 'hello')
    if (nth % 3 === 2) await rewind(client, id)
    await client.call('session.destroy', { sessionId: id })
    if (nth % 6 === 4) {
      await client.call('session.resume', { sessionId: id })
      note(id)
      // Its client leaves, and it is closed with that.
    }
    client.stream.destroy()
    await client.ended
  }
  while (served.server.open().length > 0) await new Promise(setImmediate)
  // The stage itself remembers what was asked of it.
  served.wishes.length = 0
  const held = await heldOf(seen)
  assert.ok(held <= MOST_HELD, `${held} of ${seen.length} are held`)
})

async function rewind(client: RawClient, sessionId: string): Promise<void> {
  const message = client.events(sessionId).find(({ type }) => type === 'user.message')
  await client.call('session.history.truncate', { sessionId, eventId: message?.id })
}
