/** Programs name sessions as they like: such an id is one everywhere, and what is no id is refused. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CopilotClient, RuntimeConnection } from '@github/copilot-sdk'
import { PROGRAM } from '../support/program.ts'
import { makePlace } from './cli.ts'

const ID = 'User-123_task.456'

test('a session with an id of a program: SDK, list, search, show, resume, rename, fork, delete', async () => {
  using place = makePlace()
  const client = new CopilotClient({
    baseDirectory: place.home,
    workingDirectory: place.project,
    useLoggedInUser: false,
    connection: RuntimeConnection.forStdio({
      path: PROGRAM,
      args: [],
      env: { PATH: process.env['PATH'] ?? '', HOME: place.home, REPRISE_AGENT: 'offline' },
    }),
  })
  await client.start()
  const session = await client.createSession({
    sessionId: ID,
    workingDirectory: place.project,
    onPermissionRequest: () => ({ kind: 'approve-once' }),
  })
  await session.sendAndWait({ prompt: 'say zebra' })
  assert.equal((await client.getSessionMetadata(ID))?.sessionId, ID)
  assert.equal(await client.getSessionMetadata('nobody-has-this'), undefined)
  await assert.rejects(
    client.createSession({
      sessionId: '../out',
      onPermissionRequest: () => ({ kind: 'approve-once' }),
    }),
  )
  await client.stop()
  assert.ok(existsSync(join(place.home, 'session-state', ID, 'events.jsonl')))
  const listed = await place.json(['sessions', 'list'])
  assert.match(JSON.stringify(listed), /"User-123_task.456"/)
  assert.match((await place.run(['search', 'zebra'])).stdout, /zebra/)
  assert.equal((await place.run(['--resume', ID, '-p', 'say again'])).code, 0)
  assert.equal((await place.run(['--resume', 'User-12', '-p', 'say more'])).code, 0)
  assert.match((await place.run(['sessions', 'show', ID, '--transcript'])).stdout, /again[^]*more/)
  assert.equal((await place.run(['sessions', 'rename', ID, 'named'])).code, 0)
  assert.equal((await place.run(['sessions', 'fork', ID])).code, 0)
  assert.equal((await place.run(['doctor'])).code, 0)
  assert.equal((await place.run(['sessions', 'delete', ID, '--yes'])).code, 0)
  assert.ok(!existsSync(join(place.home, 'session-state', ID)))
  assert.equal((await place.run(['sessions', 'restore', ID])).code, 0)
  assert.ok(existsSync(join(place.home, 'session-state', ID, 'events.jsonl')))
})
