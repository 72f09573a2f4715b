/** Copies of sessions in Mission Control, made by the built program and read at the server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startNode } from '../control/node.ts'
import type { Client, TestNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import type { Place } from '../e2e/cli.ts'

async function ok(place: Place, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(args)
  assert.equal(code, 0, `reprise ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The home joins the node and exports everything. */
async function joinNode(place: Place, node: TestNode, client: Client): Promise<void> {
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  await ok(place, 'config', 'set', 'control.mode', 'export')
}

async function copyOf(client: Client, id: string): Promise<readonly string[]> {
  const { body, text } = await client.ask('GET', `/api/sessions/${id}`)
  const { stream } = (body ?? assert.fail(text)) as { stream: string }
  const { body: events } = await client.ask('GET', `${stream}?offset=-1`)
  return (events as unknown[]).map((event) => JSON.stringify(event))
}

const logOf = (place: Place, id: string): readonly string[] =>
  readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')

test('a turn, an undo, a redo and a deletion reach the copy', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await joinNode(place, node, client)
  const id = await place.session('first thing')
  const isSame = async () => assert.deepEqual(await copyOf(client, id), logOf(place, id))
  await isSame()
  await ok(place, '--resume', id, '-p', 'second thing')
  await isSame()
  await ok(place, 'sessions', 'undo', id)
  await isSame()
  await ok(place, 'sessions', 'redo', id)
  await isSame()
  await ok(place, 'sessions', 'undo', id)
  await ok(place, '--resume', id, '-p', 'another second thing')
  await isSame()
  await ok(place, 'sessions', 'delete', id, '--yes')
  assert.equal((await client.ask('GET', `/api/sessions/${id}`)).status, 404)
})

test('what could not be sent is sent by the next process, and a restored session is exported anew', async () => {
  using place = makePlace()
  let id: string
  let port: string
  {
    await using node = await startNode()
    port = new URL(node.url).port
    await joinNode(place, node, await node.person('ann'))
    id = await place.session('while it was there')
  }
  await ok(place, '--resume', id, '-p', 'while it was away')
  await using node = await startNode(undefined, {}, Number(port))
  const client = await node.person('ann')
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  assert.match(await ok(place, 'remote', 'sync'), /1 copy brought up to date/)
  assert.deepEqual(await copyOf(client, id), logOf(place, id))
  await ok(place, 'sessions', 'delete', id, '--yes')
  assert.equal((await client.ask('GET', `/api/sessions/${id}`)).status, 404)
  await ok(place, 'sessions', 'restore', id)
  await ok(place, '--resume', id, '-p', 'after it came back')
  assert.deepEqual(await copyOf(client, id), logOf(place, id))
})

test('a secret leaves redacted, and a text that was forgotten is gone from the copy', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await joinNode(place, node, client)
  const secret = `gh${'p'}_${'a1B2c3D4e5F6'.repeat(3)}`
  const id = await place.session(`the token is ${secret} and the word is heronblue77`)
  const before = (await copyOf(client, id)).join('\n')
  assert.ok(!before.includes(secret))
  assert.match(before, /heronblue77/)
  await ok(place, 'forget', 'heronblue77', '--yes')
  const after = (await copyOf(client, id)).join('\n')
  assert.ok(!after.includes('heronblue77'))
  assert.equal(after.split('\n').length, logOf(place, id).length)
})

test('a session of which nothing was said stays here', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  const id = await place.session('only here')
  assert.deepEqual((await client.ask('GET', '/api/sessions')).body, { sessions: [] })
  assert.match(await ok(place, 'remote', 'on', id), /A copy is kept/)
  assert.deepEqual(await copyOf(client, id), logOf(place, id))
  assert.match(await ok(place, 'remote', 'off', id), /Nothing of this session is sent/)
  await ok(place, '--resume', id, '-p', 'not told')
  assert.notEqual((await copyOf(client, id)).length, logOf(place, id).length)
})
