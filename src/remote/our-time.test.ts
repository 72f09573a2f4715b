/** A machine whose clock is two days wrong tells the same ages as one whose clock is right. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openServer } from './control-client.ts'

const DAYS_MS = 2 * 24 * 3600 * 1000

test('times of a server are told by the clock of this machine', async () => {
  const then = Date.now() - DAYS_MS
  const iso = (ms: number) => new Date(then + ms).toISOString()
  const server = createServer((_request, response) => {
    response.setHeader('date', new Date(then).toUTCString())
    const presence = { state: 'idle', activity: null, isStale: false }
    const session = {
      id: 'one',
      person: 'ann',
      machine: 'desk',
      name: null,
      repository: null,
      generation: 0,
      isSteerable: true,
      startTime: iso(-60_000),
      modifiedTime: iso(-5000),
      presence: { ...presence, heardAt: iso(-5000), staleAt: iso(25_000) },
    }
    response.end(JSON.stringify({ sessions: [session] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const [session] = await openServer({ url: `http://127.0.0.1:${port}` }).sessions()
    const isNear = (text: string | undefined, ms: number) =>
      assert.ok(Math.abs(Date.parse(text ?? '') - Date.now() - ms) < 30_000, text)
    isNear(session?.modifiedTime, -5000)
    isNear(session?.startTime, -60_000)
    isNear(session?.presence.staleAt, 25_000)
  } finally {
    server.close()
  }
})
