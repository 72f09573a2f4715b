/** TCP: the token, several SDK clients on one session, and clients that die. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { rawClient } from './in-process.ts'
import { makePlace } from '../e2e/cli.ts'
import { makeRpcPlace, nextEvent, portOf } from './place.ts'

test('two SDK clients share a session: both see everything, and one of them answers', async () => {
  await using place = makeRpcPlace()
  const first = place.tcpClient('a-token')
  await first.start()
  const mine = await first.createSession({})
  const second = place.join(portOf(first), 'a-token')
  const theirs = await second.resumeSession(mine.sessionId, { onPermissionRequest: approveAll })
  const seen: string[][] = [[], []]
  mine.on(({ type }) => seen[0]?.push(type))
  theirs.on(({ type }) => seen[1]?.push(type))
  const idle = nextEvent(theirs, 'session.idle')
  const answer = await mine.sendAndWait('run echo shared')
  await idle
  assert.match(answer?.data.content ?? '', /shared/)
  assert.deepEqual(seen[0], seen[1])
  assert.ok(seen[0]?.includes('permission.completed'))

  await theirs.disconnect()
  await second.stop()
  assert.match((await mine.sendAndWait('status'))?.data.content ?? '', /./)
  assert.deepEqual(await first.stop(), [])
})

test('a client that dies in a turn comes back to it; the turn has gone on', async () => {
  await using place = makeRpcPlace()
  const server = place.tcpClient('a-token')
  await server.start()
  const dying = place.join(portOf(server), 'a-token')
  const lost = await dying.createSession({ onPermissionRequest: approveAll })
  const started = nextEvent(lost, 'tool.execution_partial_result')
  await lost.send('run echo begun; while [ ! -e go ]; do sleep 0.02; done; echo finished')
  await started
  await dying.forceStop()

  const back = place.join(portOf(server), 'a-token')
  const again = await back.resumeSession(lost.sessionId, { onPermissionRequest: approveAll })
  const idle = nextEvent(again, 'session.idle')
  spawn('touch', [join(place.project, 'go')])
  await idle
  const last = (await again.getEvents()).findLast(({ type }) => type === 'assistant.message')
  assert.match(JSON.stringify(last), /finished/)
})

test('who does not know the token is told so, before anything else is looked at', async () => {
  await using place = makeRpcPlace()
  const server = place.tcpClient('a-token')
  await server.start()
  const stranger = rawClient(connect(portOf(server), '127.0.0.1'))
  assert.deepEqual(await stranger.refusal('session.list'), {
    code: -32001,
    message: 'AUTHENTICATION_REQUIRED',
  })
  const failed = { code: -32002, message: 'AUTHENTICATION_FAILED' }
  assert.deepEqual(await stranger.refusal('connect', { token: 'a-tokem' }), failed)
  assert.deepEqual(await stranger.refusal('connect'), failed)
  assert.deepEqual(await stranger.refusal('connect', { token: 7 }), failed)
  await stranger.ended
  await assert.rejects(place.join(portOf(server), 'wrong').start(), /AUTHENTICATION_FAILED/)
})

test('without a token one is made, for the owner of the home alone, and goes with the server', async () => {
  await using place = makeRpcPlace()
  const child = spawn(place.path, ['--server', '--home', place.home], { env: place.env })
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const port = Number(/listening on port (\d+)/i.exec(line)?.[1])
    const file = join(place.home, '.reprise', `server-${port}.token`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const client = place.join(port, readFileSync(file, 'utf8').trim())
    assert.deepEqual(await client.getLastSessionId().catch(() => client.start()), undefined)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.throws(() => statSync(file), /ENOENT/)
  } finally {
    child.kill('SIGKILL')
  }
})

test('an address that other machines reach needs a word that says so', async () => {
  using place = makePlace()
  for (const host of ['0.0.0.0', '::', '10.0.0.1']) {
    const { code, stderr } = await place.run(['--server', '--host', host])
    assert.equal(code, 2, host)
    assert.match(stderr, /needs --allow-remote/)
  }
})
