/** Agents with rules of their own, where nobody is there to be asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownAgent } from '../../src/agents/acp/acp.ts'
import { converse, eventsOf } from '../support/engine.ts'
import { openPlace } from './place.ts'

test('it is put into the mode in which it asks, and that is told with its own rules', async () => {
  await using place = await openPlace()
  const engine = place.engine({
    can: 'modes',
    requiredMode: 'plan',
    ownRules: 'It writes unasked.',
  })
  const id = await place.begin(engine)
  await converse(engine, id, { prompt: '<<say hello>>' })
  const methods = (await place.asked()).map(({ method }) => method)
  assert.ok(methods.indexOf('session/set_mode') < methods.indexOf('session/prompt'))
  const info = (await eventsOf(engine, id)).find(({ type }) => type === 'session.info')
  assert.match(
    JSON.stringify(info?.data),
    /It writes unasked\. Nobody is there to be asked: it works in its mode \\"plan\\"\./,
  )
})

test('nothing is sent to one that has no such mode', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can: 'modes', requiredMode: 'read-only' })
  const id = await place.begin(engine)
  await converse(engine, id, { prompt: '<<edit a.md>>' }).catch(() => undefined)
  assert.equal(
    (await place.asked()).some(({ method }) => method === 'session/prompt'),
    false,
  )
  const error = (await eventsOf(engine, id)).find(({ type }) => type === 'session.error')
  assert.match(JSON.stringify(error?.data), /nobody is there to be asked what it may do/)
})

test('each known agent that does not ask by itself is made to, only where nobody is there', () => {
  const { requiredMode } = knownAgent('codex', { isUnattended: true })
  const { env } = knownAgent('opencode', { isUnattended: true })
  assert.equal(requiredMode, 'read-only')
  assert.deepEqual(JSON.parse(env?.['OPENCODE_PERMISSION'] ?? ''), {
    edit: 'ask',
    bash: 'ask',
    webfetch: 'ask',
    external_directory: 'ask',
  })
  for (const name of ['codex', 'opencode'] as const) {
    const attended = knownAgent(name)
    assert.deepEqual([attended.requiredMode, attended.env], [undefined, undefined])
    assert.match(attended.ownRules ?? '', /asks by its own rules/)
  }
})
