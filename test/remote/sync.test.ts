/** All sessions brought to Mission Control at once: by sync, and by reindex where a person says yes. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp, restore } from '../../src/control/database/backup.ts'
import { clientOf, startNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import { openDesk, skip } from '../e2e/tmux.ts'
import { copyOf, inRepository, joinNode, logOf, ok, okWith, until } from './homes.ts'

type Synced = {
  readonly created: number
  readonly eventsUploaded: number
  readonly unchanged: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
  readonly backfillQueued: number
  readonly backfillFailed: number
}

test('sync sends what was made before the login, counts it, and the server reads it', async () => {
  await using node = await startNode()
  using place = makePlace()
  inRepository(place.project, 'ada/parser')
  const client = await node.person('ann')
  const ids = [await place.session('the first heron'), await place.session('the second heron')]
  const kept = await place.session('stays here')
  await joinNode(place, node, client, 'off')
  await ok(place, 'remote', 'off', kept)
  assert.match(await ok(place, 'sync'), /Every copy is up to its session/)

  const events = ids.map((id) => logOf(place, id).length).reduce((sum, each) => sum + each)
  const first = await place.json<Synced>(['sync', '--all', '--repo', 'ada/parser'])
  assert.deepEqual(
    { ...first },
    {
      scanned: 3,
      unchanged: 0,
      created: 2,
      eventsUploaded: events,
      removedAgain: 0,
      failed: [],
      backfillQueued: 2,
      backfillFailed: 0,
      finished: true,
    },
  )
  for (const id of ids) assert.deepEqual(await copyOf(client, id), logOf(place, id))
  assert.equal((await client.ask('GET', `/api/sessions/${kept}`)).status, 404)
  await until(async () => {
    const { body } = await client.ask('GET', '/api/analytics/backfill')
    return (body as { waiting: number }).waiting === 0 || undefined
  })
  const again = await place.json<Synced>(['sync'])
  assert.deepEqual([again.unchanged, again.created, again.eventsUploaded], [2, 0, 0])
  assert.match(
    await ok(place, 'remote', 'status'),
    /joined \S+ as ann, by the name ann-laptop\. It answers\.\nNew sessions stay here [^\n]*\n2 copies up to date, 0 behind, 1 session not sent/,
  )
  // A log of the same length with another end, of which nobody said that it has changed.
  const log = join(place.home, 'session-state', ids[1] ?? '', 'events.jsonl')
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const { id: last } = JSON.parse(lines.pop() ?? '') as { id: string }
  const other = last.replace(/.$/, (end) => (end === '0' ? '1' : '0'))
  writeFileSync(log, readFileSync(log, 'utf8').replace(`"id":"${last}"`, `"id":"${other}"`))
  assert.equal((await place.json<Synced>(['sync'])).eventsUploaded, 1)
  assert.deepEqual(await copyOf(client, ids[1] ?? ''), logOf(place, ids[1] ?? ''))

  assert.match(
    await ok(place, 'doctor'),
    /✓ remote +2 copies at \S+ end where the session ends; 1 session is not sent there/,
  )
  // What the server lost is noticed, though nothing changed here.
  await client.ask('DELETE', `/api/sessions/${ids[0]}?now=true`)
  const lost = await ok(place, 'doctor')
  assert.match(lost, /Cloud history differs: \w{8} is not there any more: it was deleted there/)
  assert.match(lost, /1 copy at \S+ ends where the session ends; .*; 1 differs? on purpose/)
  const partly = await place.run(['sync'])
  assert.equal(partly.code, 4, partly.stdout)
  assert.match(partly.stdout, /Cloud sync, in part: .* 1 failed\.[\s\S]*tries them again/)
  assert.match(await ok(place, 'remote', 'on', ids[0] ?? ''), /A copy is kept/)
  await ok(place, 'remote', 'off', ids[1] ?? '')
  await ok(place, '--resume', ids[1] ?? '', '-p', 'not sent')
  assert.match(
    await ok(place, 'doctor'),
    /stands there with \d+ events: nothing more of it is sent/,
  )
  await ok(place, 'config', 'set', 'control.url', 'http://127.0.0.1:9')
  assert.match(
    await ok(place, 'doctor'),
    /· remote +not compared: http:\/\/127.0.0.1:9 does not answer/,
  )
  assert.match(
    await ok(place, 'remote', 'status'),
    /which cannot be asked now: .*does not answer[\s\S]*as far as this machine remembers/,
  )
  await ok(place, 'config', 'set', 'control.url', node.url)
  assert.match(await ok(place, 'sync'), /Every copy is up to its session/)
})

test(
  'reindex asks where gate, login and repository agree; a no is remembered, --cloud needs no yes',
  {
    skip,
  },
  async () => {
    await using node = await startNode()
    using desk = openDesk()
    using place = makePlace()
    const here = { cwd: desk.project }
    const client = await node.person('ann')
    await joinNode(place, node, client, 'off')
    /** Ends by itself where nothing is asked. */
    const reindex = async (answer?: string): Promise<void> => {
      const window = desk.open(['reindex'], { home: place.home })
      if (answer !== undefined) {
        await window.shows(/Send\s+them\s+too/)
        window.enter(answer)
      }
      await window.ends()
    }
    await reindex()
    inRepository(desk.project, 'ada/parser')
    const id = crypto.randomUUID()
    await okWith(place, here, '--resume', id, '-p', 'an older session')
    await reindex('n')
    const { dismissed } = await place.json<{ dismissed: string[] }>(['config', 'get', 'control'])
    assert.deepEqual(dismissed, ['ada/parser'])
    await reindex()
    assert.equal((await client.ask('GET', `/api/sessions/${id}`)).status, 404)
    await ok(place, 'config', 'set', 'control.dismissed', '[]')
    await reindex('y')
    assert.deepEqual(await copyOf(client, id), logOf(place, id))
    await reindex()

    const other = await place.session('one more, elsewhere')
    const third = await place.session('and one more')
    const { cloud } = await place.json<{ cloud: Synced }>(['reindex', '--cloud'])
    assert.deepEqual([cloud.created, cloud.unchanged, cloud.failed], [2, 1, []])
    assert.deepEqual(await copyOf(client, third), logOf(place, third))
    assert.match(
      await ok(place, 'reindex', '--cloud'),
      /\d unchanged\.\nEvery copy is up to its session/,
    )
    assert.deepEqual(await copyOf(client, other), logOf(place, other))
    await ok(place, 'config', 'set', 'features.sessionIndexing', 'false')
    const off = await place.run(['reindex', '--cloud'])
    assert.match(off.stderr, /turned off by features.sessionIndexing/)
  },
)

test('what was deleted or forgotten here goes again from a server that an older backup brought back', async () => {
  using place = makePlace()
  const lines: string[] = []
  const made: string[] = []
  let port: string
  let token: string
  {
    await using node = await startNode()
    port = new URL(node.url).port
    const ann = await node.person('ann')
    token = ann.token
    await joinNode(place, node, ann)
    for (const word of ['trashed', 'gone', 'heronblue77', 'wanted', 'kept'])
      made.push(await place.session(`the word is ${word}`))
    await backUp(node.db, async (line) => void lines.push(line))
    const [trashed = '', gone = '', heron = '', wanted = ''] = made
    await ok(place, 'sessions', 'delete', trashed, '--yes')
    await ok(place, 'sessions', 'delete', gone, '--now', '--yes')
    await ok(place, 'forget', 'heronblue77', '--yes')
    await ok(place, 'sessions', 'delete', wanted, '--yes')
    assert.equal((await ann.ask('POST', `/api/sessions/${wanted}/restore`)).status, 200)
    assert.match(await ok(place, 'sync'), /Every copy is up to its session/)
    assert.equal((await ann.ask('GET', `/api/sessions/${wanted}`)).status, 200, 'by hand')
    assert.doesNotMatch((await copyOf(ann, heron)).join(''), /heronblue77/)
  }
  await using node = await startNode(undefined, {}, Number(port))
  const each = async function* () {
    yield* lines
  }
  await restore(node.db, each(), { replace: true, now: Date.now() })
  const ann = clientOf(node.url, token, '')
  const [trashed = '', gone = '', heron = '', , kept = ''] = made
  assert.equal((await ann.ask('GET', `/api/sessions/${gone}`)).status, 200)
  assert.match((await copyOf(ann, heron)).join(''), /heronblue77/)
  assert.match(await ok(place, 'sync'), /4 removed again that were deleted or forgotten/)
  for (const id of [trashed, gone])
    assert.equal((await ann.ask('GET', `/api/sessions/${id}`)).status, 404)
  assert.deepEqual(await copyOf(ann, heron), logOf(place, heron))
  assert.deepEqual(await copyOf(ann, kept), logOf(place, kept))
  assert.match(await ok(place, 'sync'), /Every copy is up to its session/)
  // Once more, and nobody asks for it: the next process that has something to do looks.
  await restore(node.db, each(), { replace: true, now: Date.now() })
  rmSync(join(place.home, '.reprise/remote/looked'))
  await place.session('something else')
  for (const id of [trashed, gone])
    assert.equal((await ann.ask('GET', `/api/sessions/${id}`)).status, 404)
  assert.doesNotMatch((await copyOf(ann, heron)).join(''), /heronblue77/)
})
