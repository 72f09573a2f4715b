/** Copies of sessions in Mission Control, made by the built program and read at the server. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { ownerCode } from '../../src/control/people/logins.ts'
import { startNode } from '../control/node.ts'
import { makePlace, type Place } from '../e2e/cli.ts'
import { copyOf, joinNode, logOf, ok } from './homes.ts'

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
  assert.match(
    await ok(place, 'remote', 'sync'),
    /1 cloud session created, \d+ events uploaded, 1 backfill queued/,
  )
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
  const id = await place.session('only here, with heronblue77')
  await ok(place, 'forget', 'heronblue77', '--yes')
  assert.deepEqual((await client.ask('GET', '/api/sessions')).body, { sessions: [], total: 0 })
  assert.match(await ok(place, 'remote', 'on', id), /A copy is kept/)
  assert.deepEqual(await copyOf(client, id), logOf(place, id))
  assert.match(await ok(place, 'remote', 'off', id), /Nothing of this session is sent/)
  await ok(place, '--resume', id, '-p', 'not told')
  await ok(place, 'remote', 'sync')
  assert.notEqual((await copyOf(client, id)).length, logOf(place, id).length)
})

const workspaceOf = (place: Place, id: string): string =>
  readFileSync(join(place.home, 'session-state', id, 'workspace.yaml'), 'utf8')

test('a process that has other things to do takes up what an earlier one could not send', async () => {
  using place = makePlace()
  let left: string
  let port: string
  {
    await using node = await startNode()
    port = new URL(node.url).port
    await joinNode(place, node, await node.person('ann'))
    left = await place.session('while it was there')
  }
  await ok(place, '--resume', left, '-p', 'while it was away')
  await using node = await startNode(undefined, {}, Number(port))
  const client = await node.person('ann')
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  await place.session('something else', 'and more')
  assert.deepEqual(await copyOf(client, left), logOf(place, left))
  assert.deepEqual(readdirSync(join(place.home, '.reprise/remote/due')), [])
})

test('deleting a session that was never exported asks nobody', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  const requests = () =>
    node.control.figures
      .text({ waiting: 0 })
      .match(/requests_total\{.*/g)
      ?.join()
  const id = await place.session('only here')
  const other = await place.session('nor this')
  const before = requests()
  await ok(place, 'sessions', 'delete', id, '--yes')
  await ok(place, 'sessions', 'delete', other, '--now', '--yes')
  assert.equal(requests(), before)
})

test('workspace.yaml names the copy, unless another program has the home or the link', async () => {
  await using node = await startNode()
  using place = makePlace()
  await joinNode(place, node, await node.person('ann'))
  const id = await place.session('hello')
  const last = (JSON.parse(logOf(place, id).at(-1) ?? '{}') as { id: string }).id
  assert.match(
    workspaceOf(place, id),
    new RegExp(`mc_task_id: ${id}\nmc_session_id: ${id}\nmc_last_event_id: ${last}\n`),
  )
  await ok(place, 'remote', 'on', id, '--steer')
  assert.match(workspaceOf(place, id), /remote_steerable: true\n/)
  await ok(place, 'remote', 'off', id)
  assert.match(workspaceOf(place, id), /remote_steerable: false\n/)

  const theirs = await place.session('hello')
  const file = join(place.home, 'session-state', theirs, 'workspace.yaml')
  const linked = workspaceOf(place, theirs).replace(/^mc_(.*): .*$/gm, 'mc_$1: theirs')
  writeFileSync(file, linked)
  await ok(place, '--resume', theirs, '-p', 'again')
  assert.deepEqual(workspaceOf(place, theirs).match(/^mc_.*$/gm), linked.match(/^mc_.*$/gm))
  mkdirSync(join(place.home, 'logs'))
  assert.doesNotMatch(workspaceOf(place, await place.session('in their home')), /mc_/)
})

test('where new sessions are steered, their start says so, and so does going on', async () => {
  await using node = await startNode()
  using place = makePlace()
  await joinNode(place, node, await node.person('ann'))
  await ok(place, 'config', 'set', 'control.mode', 'steer')
  const id = await place.session('hello', 'again')
  const said = logOf(place, id)
    .map((line) => JSON.parse(line) as { type: string; data: { remoteSteerable?: boolean } })
    .filter(({ type }) => type === 'session.start' || type === 'session.resume')
  assert.deepEqual(
    said.map(({ type, data }) => [type, data.remoteSteerable]),
    [
      ['session.start', true],
      ['session.resume', true],
    ],
  )
})

test('contents beside the log are exported with the events that name them, and the policy is told', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await joinNode(place, node, client)
  const id = await place.session('run seq 1 30000')
  const folder = join(place.home, 'session-state', id, '.reprise/blobs')
  const [hash = assert.fail('there is no content')] = readdirSync(folder)
  const { status, text } = await client.ask('GET', `/api/sessions/${id}/blobs/${hash}`)
  assert.equal(status, 200, text)
  assert.equal(text, readFileSync(join(folder, hash), 'utf8'))
  const { body } = await client.ask('GET', `/api/sessions/${id}`)
  const { redaction } = body as { redaction: { from: number; policy: string }[] }
  assert.deepEqual(
    redaction.map(({ from }) => from),
    [1],
  )
  assert.match(redaction[0]?.policy ?? '', /^reprise-1-[0-9a-f]{16}$/)
})

test('an owner comes in by the link, and says yes to the code of another machine', async () => {
  await using node = await startNode()
  using laptop = makePlace()
  using desk = makePlace()
  const link = `${node.url}/#code=${await ownerCode(node.db, 'main', Date.now())}`
  const account = userInfo().username
  assert.ok((await ok(laptop, 'remote', 'login', link)).includes(`as ${account}.`))
  const renamed = await ok(laptop, 'remote', 'login', node.url, '--name', 'Olga Ostrova')
  assert.match(renamed, /as Olga Ostrova\./, 'without another code')
  assert.equal((await laptop.run(['remote', 'login', link])).code, 2, 'the link is used once')
  const joining = desk.start(['remote', 'login', node.url])
  const code = await new Promise<string>((resolve) => {
    let said = ''
    joining.stderr?.on('data', (chunk: Buffer) => {
      said += String(chunk)
      const found = /remote approve (\S+)\./.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const ended = new Promise((resolve) => joining.on('close', resolve))
  assert.match(await ok(laptop, 'remote', 'approve', code), /has joined as you/)
  assert.equal(await ended, 0)
  assert.match(await ok(desk, 'remote', 'list'), /shows you no sessions/)
  assert.equal((await laptop.run(['remote', 'approve', code])).code, 3)
})

test('an address that is shown is served, and tells nothing of what is stored', async () => {
  await using node = await startNode()
  for (const path of ['/', '/login', `/sessions/${crypto.randomUUID()}`]) {
    const answer = await fetch(`${node.url}${path}`)
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type')],
      [200, 'text/html; charset=UTF-8'],
    )
    assert.match(await answer.text(), /reprise (?:remote|--connect)/)
  }
  assert.equal((await fetch(`${node.url}/nowhere`)).status, 404)
})

test('what is said under --no-remote-export leaves neither then nor later, and under --no-remote nobody acts', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  await joinNode(place, node, client, 'steer')
  const statusOf = async (id: string) => (await client.ask('GET', `/api/sessions/${id}`)).status
  const isSteerable = (id: string) => /"remoteSteerable":true/.test(logOf(place, id).join('\n'))
  const start = async (...flags: readonly string[]) => {
    await ok(place, ...flags, '-p', 'private-thing')
    const [id = ''] = readdirSync(join(place.home, 'session-state')).filter(
      (each) => !known.has(each),
    )
    known.add(id)
    return id
  }
  const known = new Set<string>()
  const kept = await start('--no-remote-export')
  assert.equal(await statusOf(kept), 404)
  // One that has a copy: what is said in such a run stays out of it.
  const open = await start('--no-remote')
  assert.deepEqual([await statusOf(open), isSteerable(open)], [200, false])
  const before = await copyOf(client, open)
  await ok(place, '--no-remote-export', '--resume', open, '-p', 'private-thing too')
  await ok(place, 'remote', 'sync')
  await ok(place, '--resume', kept, '-p', 'more')
  await ok(place, '--resume', open, '-p', 'more')
  assert.deepEqual([await statusOf(kept), await copyOf(client, open)], [404, before])
  const steered = await start()
  assert.equal(isSteerable(steered), true)
  const { code, stderr } = await place.run(['--no-remote-export', '-p', `/remote on`])
  assert.equal(code, 2, stderr)
  await ok(place, 'remote', 'on', kept)
  assert.equal(await statusOf(kept), 200)
})
