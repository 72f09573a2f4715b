import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, openHome } from '../../test/support/engine.ts'
import type { MeantSession, Server } from './control-client.ts'
import { farLists } from './far-list.ts'

const there = (id: string, by: MeantSession['by']): MeantSession => ({
  id,
  by,
  person: 'ann',
  machine: 'desk',
  name: null,
  repository: null,
  generation: 0,
  isSteerable: true,
  startTime: '2026-01-01T00:00:00.000Z',
  modifiedTime: '2026-01-01T00:00:00.000Z',
  presence: {
    state: 'idle',
    activity: null,
    heardAt: '2026-01-01T00:00:00.000Z',
    staleAt: '2026-01-01T00:00:00.000Z',
    isStale: true,
  },
})

test('a task that a session of this home stands for is told apart from those of other machines', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create({ name: 'here' })
  await converse(engine, id, { prompt: 'hello' })
  const meant = async () => [there(id, 'task'), there('elsewhere', 'name')]
  const server = { url: 'http://127.0.0.1:1', meant } as unknown as Server
  const { found, ownTasks } = await farLists({ fs: engine.fs, server }).meant('task-1')
  assert.deepEqual(
    [found.map(({ by, session }) => [by, session.id]), ownTasks],
    [[['name', 'elsewhere']], [id]],
  )
})
