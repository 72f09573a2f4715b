/** A client whose types are generated from the document (schema/openapi.d.ts) talks to a server: what it says is so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import createClient from 'openapi-fetch'
import type { paths } from '../../schema/openapi.d.ts'
import { working } from '../support/at-work.ts'
import { openHome, scripted } from '../support/engine.ts'
import { bearer, serve } from './web.ts'

/** One red point. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

test('a generated client makes a session, sends, looks around a turn, reads a diff and is refused in words', async () => {
  await using home = await openHome()
  const { engine, project } = await working(home)
  await using server = await serve(engine, home.path, {
    agents: {
      list: () => [{ name: 'model', about: 'a model' }],
      make: async (name) => ({ ...scripted(), name }),
      usual: async () => 'model',
      models: async () => ({ configured: 'm1', offered: ['m2'] }),
    },
  })
  const client = createClient<paths>({ baseUrl: server.url, headers: bearer })
  const { data: agents } = await client.GET('/api/agents')
  assert.deepEqual([agents?.usual, agents?.agents.map(({ name }) => name)], ['model', ['model']])
  const { data: models } = await client.GET('/api/models', { params: { query: {} } })
  assert.deepEqual(models?.models, [
    { name: 'm1', from: 'configured' },
    { name: 'm2', from: 'offered' },
  ])

  const { data: created } = await client.POST('/api/sessions', {
    body: { cwd: project, name: 'generated', model: 'm2' },
  })
  assert.ok(created !== undefined)
  const path = { id: created.sessionId }
  const { data: sent } = await client.POST('/api/sessions/{id}/send', {
    params: { path },
    body: {
      prompt: 'write a.txt one',
      attachments: [{ name: 'point.png', base64: PNG }],
      wait: true,
    },
  })
  assert.equal(sent?.status, 'completed')
  const { data: turns } = await client.GET('/api/sessions/{id}/turns', { params: { path } })
  const eventId = turns?.turns[0]?.eventId ?? ''
  const { data: page } = await client.GET('/api/sessions/{id}/transcript', {
    params: { path, query: { around: eventId } },
  })
  assert.equal(page?.anchor, eventId)
  assert.ok(page.entries.some((entry) => entry.kind === 'user' && entry.eventId === eventId))
  const { data: changes } = await client.GET('/api/sessions/{id}/changes', {
    params: { path, query: { scope: 'turn', eventId } },
  })
  assert.deepEqual(
    changes?.files.map((file) => [file.path, file.change]),
    [['a.txt', 'created']],
  )
  const { data: file } = await client.GET('/api/sessions/{id}/changes/file', {
    params: { path, query: { scope: 'turn', eventId, path: 'a.txt', of: 'project' } },
  })
  assert.equal(file?.after.kind === 'text' && file.after.text, 'one')
  const { data: restored } = await client.POST('/api/sessions/{id}/restore-file', {
    params: { path },
    body: { eventId, path: 'a.txt' },
  })
  assert.ok(restored !== undefined)

  const queued = await client.DELETE('/api/sessions/{id}/queue/{messageId}', {
    params: { path: { ...path, messageId: 'none' } },
  })
  assert.equal(queued.error?.error.code, 'not_found')
  await client.PATCH('/api/sessions/{id}', {
    params: { path },
    body: { name: 'renamed', mode: 'plan' },
  })
  const { data: changed } = await client.GET('/api/sessions/{id}', { params: { path } })
  assert.deepEqual([changed?.metadata.name, changed?.state.mode], ['renamed', 'plan'])
  const nothing = await client.PATCH('/api/sessions/{id}', { params: { path }, body: {} })
  assert.equal(nothing.error?.error.code, 'invalid')
  const { data: deleted } = await client.DELETE('/api/sessions/{id}', { params: { path } })
  assert.equal(deleted?.outcome, 'trashed')
  const { data: trash } = await client.GET('/api/trash')
  assert.deepEqual(
    trash?.sessions.map(({ title }) => title),
    ['renamed'],
  )

  const { error, response } = await client.GET('/api/sessions/{id}', {
    params: { path: { id: '00000000-0000-4000-8000-000000000000' } },
  })
  assert.deepEqual([response.status, error?.error.code], [404, 'not_found'])
})
