/** When a session ends, what it learned is proposed for the board: through the real program, however it ends. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { approveAll } from '@github/copilot-sdk'
import { PROPOSALS } from '../../src/store/board-file.ts'
import { makeRpcPlace } from '../rpc/place.ts'
import { makePlace, type Place } from './cli.ts'

type Listed = {
  readonly entries: readonly { readonly content: string }[]
  readonly proposals: readonly { readonly id: string; readonly content: string }[]
}

const RULE = 'Always use pnpm.'

const board = async (place: Place) => {
  const { entries, proposals } = await place.json<Listed>(['board'])
  const texts = (all: readonly { readonly content: string }[]) => all.map(({ content }) => content)
  return {
    entries: texts(entries),
    proposals: texts(proposals),
    ids: proposals.map(({ id }) => id),
  }
}

const writtenIn = (home: string): readonly string[] => {
  const path = join(home, PROPOSALS)
  if (!existsSync(path)) return []
  const { open } = JSON.parse(readFileSync(path, 'utf8')) as { open: { content: string }[] }
  return open.map(({ content }) => content)
}

test('the end of a session proposes; no session is told it before it was accepted', async () => {
  using place = makePlace()
  const id = await place.session('run true', 'no, always use pnpm')
  assert.deepEqual(writtenIn(place.home), [RULE])
  const { stdout } = await place.run(['board'])
  assert.match(stdout, /^1 proposal, from what sessions learned:\n• [0-9a-f]{8} Always use pnpm/m)
  const logOf = (session: string) =>
    readFileSync(join(place.home, 'session-state', session, 'events.jsonl'), 'utf8')
  assert.equal(logOf(await place.session('status')).includes('context board'), false)
  await place.session('always use pnpm')
  const before = await board(place)
  assert.deepEqual([before.entries, before.proposals], [[], [RULE]])
  assert.equal((await place.run(['board', 'accept', 'zz'])).code, 3)
  assert.equal((await place.run(['board', 'accept'])).code, 2)
  assert.equal((await place.run(['board', 'accept', before.ids[0] ?? ''])).code, 0)
  const after = await board(place)
  assert.deepEqual([after.entries, after.proposals], [[RULE], []])
  assert.equal(logOf(await place.session('status')).includes('context board'), true)
  assert.equal((await place.run(['--resume', id, '-p', 'status'])).code, 0)
  assert.deepEqual((await board(place)).proposals, [])
})

test('what was dismissed does not come again; a deleted session takes its proposals along', async () => {
  using place = makePlace()
  const id = await place.session('never use tabs', 'always use pnpm')
  assert.equal((await place.run(['board', 'dismiss', '--all'])).code, 0)
  await place.session('always use pnpm')
  assert.deepEqual((await board(place)).proposals, [])
  const other = await place.session('always sign commits')
  assert.deepEqual((await board(place)).proposals, ['Always sign commits.'])
  for (const each of [id, other]) await place.run(['sessions', 'delete', each, '--yes'])
  assert.deepEqual(writtenIn(place.home), [])
})

test('a session whose process was killed proposes when the board is next looked at', async () => {
  using place = makePlace()
  const id = crypto.randomUUID()
  const child = place.start([
    '--resume',
    id,
    '--allow-all',
    '-p',
    'run sleep 30\nwrite notes.md\nAlways use pnpm.',
  ])
  const log = join(place.home, 'session-state', id, 'events.jsonl')
  const isRunning = () =>
    existsSync(log) && readFileSync(log, 'utf8').includes('tool.execution_start')
  while (!isRunning()) await pause(20)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.on('exit', resolve))
  assert.deepEqual(writtenIn(place.home), [])
  assert.deepEqual((await board(place)).proposals, [RULE])
})

test('a session that an editor closes proposes while its server goes on', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  await session.sendAndWait('always use pnpm')
  await session.disconnect()
  while (writtenIn(place.home).length === 0) await pause(20)
  assert.deepEqual(writtenIn(place.home), [RULE])
})

test('a checkpoint that only records what happened proposes nothing', async () => {
  using place = makePlace()
  const id = await place.session('run echo one', 'run ls /nowhere', 'read nothing.txt')
  await place.run(['sessions', 'compact', id])
  const checkpoint = await place.run(['sessions', 'checkpoints', id, '1'])
  assert.match(checkpoint.stdout, /models: offline/)
  await place.session('run echo two')
  assert.deepEqual((await board(place)).proposals, [])
})
