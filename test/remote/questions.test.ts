/** Questions over the sessions of all machines: two people, two homes, one server, real processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNode } from '../control/node.ts'
import { makePlace } from '../e2e/cli.ts'
import { startModelServer } from '../model-server/server.ts'
import { inRepository, joinNode, ok } from './homes.ts'

type Found = { readonly hits: readonly { readonly sessionId: string }[]; readonly of?: string }
type Rows = { readonly rows: readonly (readonly unknown[])[] }

test('search, sql and Chronicle ask Mission Control: one’s own sessions of all machines, or the team’s', async () => {
  await using node = await startNode()
  using desk = makePlace()
  using laptop = makePlace()
  using other = makePlace()
  const [ann, ben] = [await node.person('ann'), await node.person('ben')]
  for (const place of [desk, laptop, other]) inRepository(place.project, 'ada/parser')
  await joinNode(desk, node, ann)
  await joinNode(laptop, node, ann, 'off')
  await joinNode(other, node, ben)
  const far = await desk.session('the heron lands at the desk')
  const bens = await other.session('another heron, of ben')

  const ids = async (...args: readonly string[]) =>
    (await laptop.json<Found>(['search', 'heron', ...args])).hits.map(({ sessionId }) => sessionId)
  assert.equal((await laptop.run(['search', 'heron'])).code, 3)
  assert.deepEqual([...new Set(await ids('--cloud'))], [far])
  assert.equal((await laptop.run(['search', 'heron', '--team'])).code, 3)
  await ben.ask('POST', `/api/sessions/${bens}/sharing`, { sharing: 'team' })
  assert.deepEqual([...new Set(await ids('--team'))], [bens])
  assert.match(await ok(laptop, 'search', '--cloud', '--raw', 'heron AND desk'), /desk/)

  const sql = 'SELECT id, cwd, repository FROM sessions'
  assert.deepEqual((await laptop.json<Rows>(['sql', '--cloud', sql])).rows, [
    [far, null, 'ada/parser'],
  ])
  const events = "SELECT count(*) FROM events WHERE type = 'user.message'"
  assert.deepEqual((await laptop.json<Rows>(['sql', '--team', events])).rows, [[1]])
  assert.match(await ok(laptop, 'sql', '--cloud', '--schema'), /CREATE TABLE events/)
  assert.match(await ok(laptop, 'chronicle', 'standup', '--cloud'), /heron lands at the desk/)
  assert.doesNotMatch(await ok(laptop, 'chronicle', 'standup', '--team'), /heron lands at the desk/)

  for (const [args, words] of [
    [['search', 'heron', '--cloud', '--team'], /--cloud or --team, not both/],
    [['sql', '--cloud', '--session', far, 'SELECT 1'], /is on its machine/],
    [['sql', '--cloud', 'DELETE FROM sessions'], /only reads|read/i],
  ] as const) {
    const { code, stderr } = await laptop.run([...args])
    assert.notEqual(code, 0)
    assert.match(stderr, words)
  }
  await ok(laptop, 'config', 'set', 'features.cloudSessionStore', 'false')
  const { stderr } = await laptop.run(['search', 'heron', '--cloud'])
  assert.match(stderr, /turned off by features.cloudSessionStore/)
  using alone = makePlace()
  assert.match((await alone.run(['sql', '--cloud', 'SELECT 1'])).stderr, /No Mission Control/)
})

test('a model asks this machine or all of them, and is told the tables of both', async () => {
  const calls = (from: string) => ({
    calls: [
      {
        name: 'session_store_sql',
        arguments: {
          query: 'SELECT user_message, cwd FROM turns JOIN sessions s ON s.id = session_id',
          from,
        },
      },
    ],
  })
  await using model = await startModelServer([calls('cloud'), calls('here'), { text: 'Done.' }])
  await using node = await startNode()
  using desk = makePlace()
  using laptop = makePlace()
  const ann = await node.person('ann')
  for (const place of [desk, laptop]) inRepository(place.project, 'ada/parser')
  await joinNode(desk, node, ann)
  await joinNode(laptop, node, ann, 'off')
  await desk.session('marmalade from the desk')
  const settings = { provider: 'openai-compatible', name: 'fake', baseUrl: model.baseUrl }
  await ok(laptop, 'config', 'set', 'model', JSON.stringify(settings))
  const { code, stderr } = await laptop.run(['-p', 'what was said?', '--allow-all'], {
    env: { REPRISE_AGENT: 'model' },
  })
  assert.equal(code, 0, stderr)
  const { messages, tools } = model.requests.at(-1)!.body as {
    messages: { role: string; content: string }[]
    tools: { function: { name: string; description: string } }[]
  }
  const [there, here] = messages.filter(({ role }) => role === 'tool').map((each) => each.content)
  assert.match(there ?? '', /untrusted_history[\s\S]*marmalade from the desk/)
  assert.doesNotMatch(here ?? '', /marmalade/)
  const text = tools.find((tool) => tool.function.name === 'session_store_sql')?.function
    .description
  assert.match(
    text ?? '',
    /turns\(id, session_id, turn_index, user_message, assistant_response, timestamp\)/,
  )
  assert.match(text ?? '', /cwd is always NULL there.*events\(session_id/)
})
