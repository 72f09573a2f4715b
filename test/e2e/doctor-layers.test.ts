/** Something seems to be missing: `reprise doctor` says in which layer, what that means, and what mends it. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { answered, logOf, said, started } from '../log-of.ts'
import { makePlace, type Place } from './cli.ts'

const ID = '11111111-1111-4111-8111-111111111111' as SessionId

type Told = {
  readonly layers: readonly { layer: string; state: string; message: string; remedy?: string }[]
  readonly notes?: readonly { layer: string; message: string; remedy?: string }[]
}

function writeLog({ home }: Place, drafts: readonly Draft[]): void {
  const dir = join(home, 'session-state', ID)
  mkdirSync(dir, { recursive: true })
  const lines = logOf([started({ sessionId: ID }), said('hello'), answered('hi'), ...drafts])
  writeFileSync(
    join(dir, 'events.jsonl'),
    lines.map(({ event }) => `${JSON.stringify(event)}\n`).join(''),
  )
}

async function doctorOf(place: Place, ...args: string[]): Promise<Told> {
  const { stdout } = await place.run(['doctor', ...args, '--json'])
  return JSON.parse(stdout) as Told
}

const layer = ({ layers }: Told, name: string) => {
  const { state, remedy } = layers.find((each) => each.layer === name) ?? {}
  return [state, remedy]
}

test('a sound home has every layer named; nothing is kept elsewhere', async () => {
  using place = makePlace()
  await place.session('hello')
  const told = await doctorOf(place)
  assert.deepEqual(
    told.layers.map(({ layer: name, state }) => `${name} ${state}`),
    [
      'home sound',
      'log sound',
      'files sound',
      'workspace sound',
      'checkpoints sound',
      'snapshot sound',
      'store sound',
      'board sound',
      'remote none',
    ],
  )
  assert.match(told.layers.at(-1)?.message ?? '', /^not configured: no copy/)
  const { stdout } = await place.run(['doctor'])
  assert.match(stdout, /^✓ log {10}events\.jsonl, the session itself$/m)
})

test('a session that resumes and is not found: the store is stale, and reindex mends it', async () => {
  using place = makePlace()
  await place.session('hello')
  writeLog(place, [])
  assert.deepEqual(layer(await doctorOf(place), 'store'), ['stale', 'reprise reindex'])
  const [note] = (await doctorOf(place, ID)).notes ?? []
  assert.match(note?.message ?? '', /it can be resumed, but search does not find all of it/)
  assert.equal((await place.run(['reindex'])).code, 0)
  assert.deepEqual(layer(await doctorOf(place), 'store'), ['sound', undefined])
})

test('a search result without the whole output of a tool: the store keeps a part, the log all', async () => {
  using place = makePlace()
  const id = await place.session('run seq 1 20000')
  const { notes } = await doctorOf(place, id)
  assert.match(
    notes?.map(({ message }) => message).join('\n') ?? '',
    /long tool results.*reprise sessions events [0-9a-f]{8} --types tool\.execution_complete --json/,
  )
})

test('checkpoints that are not there: a compaction failed, or the fork began before them', async () => {
  using place = makePlace()
  writeLog(place, [
    {
      type: 'session.info',
      data: {
        infoType: 'fork',
        message: 'Forked from session 22222222-2222-4222-8222-222222222222 before turn 3.',
      },
    },
    { type: 'session.compaction_complete', data: { success: false, error: 'no model' } },
  ])
  const { notes } = await doctorOf(place, ID)
  const told = notes?.map(({ message }) => message).join('\n') ?? ''
  assert.match(told, /A compaction failed at .* \(no model\): it made no checkpoint/)
  assert.match(told, /forked from 2{8}-.*: checkpoints of later turns stay with the source/)
})

test('a workspace and a list of proposals that are damaged are named with what mends them', async () => {
  using place = makePlace()
  const id = await place.session('always use pnpm')
  rmSync(join(place.home, 'session-state', id, 'workspace.yaml'))
  writeFileSync(join(place.home, '.reprise/board/proposals.json'), 'nonsense')
  const told = await doctorOf(place)
  assert.deepEqual(layer(told, 'workspace'), ['stale', `reprise doctor ${id} --repair`])
  assert.deepEqual(layer(told, 'board'), ['damage', 'reprise doctor --repair'])
  const { stdout } = await place.run(['doctor'])
  assert.match(stdout, /^✗ board {8}damaged: reprise doctor --repair mends it$/m)
  assert.equal((await place.run(['doctor', '--repair'])).code, 0)
  const after = await doctorOf(place)
  assert.deepEqual([layer(after, 'workspace')[0], layer(after, 'board')[0]], ['sound', 'sound'])
})

test('a misspelt setting is named at the start of a turn and of a server, and by doctor', async () => {
  using place = makePlace()
  mkdirSync(join(place.home, '.reprise'), { recursive: true })
  writeFileSync(join(place.home, '.reprise/config.json'), '{"titels":{"by":"words"}}')
  const sentence = /there is no setting "titels"; it does nothing\. Did you mean titles\?/
  const { code, stdout, stderr } = await place.run(['-p', 'hello', '--json'])
  assert.equal(code, 0)
  assert.match(stderr, sentence)
  assert.doesNotMatch(stdout, sentence)
  assert.match((await place.run(['doctor'])).stdout, sentence)
  assert.match((await place.run(['acp'])).stderr, sentence)
})
