/** Agents that speak version 2 of the protocol and nothing else: the log and what can be done are the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, known, openPlace, rungs, said } from './place.ts'
import { converse } from '../support/engine.ts'

const can = 'version-2'

test('an agent that refuses version 1 is asked in version 2, and its answer is kept once', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can })
  const id = await place.begin(engine)
  assert.equal(await ask(engine, id, '<<say One. >><<say Two.>>'), 'One. Two.')
  assert.equal(await ask(engine, id, 'again'), 'echo: again')
  const asked = await place.asked()
  assert.deepEqual(
    asked.map(({ method, params }) => [method, params['protocolVersion']]),
    [
      ['initialize', 1],
      ['initialize', 2],
      ['session/new', undefined],
      ['session/prompt', undefined],
      ['session/prompt', undefined],
    ],
  )
})

test('a tool call of version 2 is in the log with its changes and what it gave', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can })
  const id = await place.begin(engine)
  await ask(engine, id, '<<edit notes.md>>')
  await ask(engine, id, '<<permission make test>>')
  const events = await known(engine, id)
  const ended = events.flatMap((event) =>
    event.type === 'tool.execution_complete' ? [event.data] : [],
  )
  assert.deepEqual(
    ended.map(({ success, result }) => [success, result?.content]),
    [
      [true, '-one\n+two\n'],
      [true, 'ran'],
    ],
  )
  const [decided] = events.flatMap((event) =>
    event.type === 'permission.requested' ? [event.data.permissionRequest] : [],
  )
  assert.equal(decided?.kind, 'shell')
})

test('a session of version 2 is resumed in another life, and one that was cut off is replayed and compared', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can })
  const id = await place.begin(engine)
  await ask(engine, id, 'The word is heron. <<say Noted: heron.>>')
  await engine.stop()
  const second = await place.again(id, { can })
  assert.match(await ask(second, id, '<<recall>>'), /heron/)
  const outcome = await converse(second, id, { prompt: 'go <<say I begin>><<crash>>' })
  assert.equal(outcome.status, 'failed')
  assert.match(said(await known(second, id)), /I begin$/)
  assert.match(await ask(second, id, '<<recall>>'), /heron/)
  assert.deepEqual(
    (await rungs(second, id)).map(({ rung }) => rung),
    ['new', 'resume', 'load'],
  )
})

test('a cancelled turn and a failure of version 2 end the turn', async () => {
  await using place = await openPlace()
  const engine = place.engine({ can })
  const id = await place.begin(engine)
  assert.match((await converse(engine, id, { prompt: '<<fail>>' })).error ?? '', /scripted failed/)
  const sent = converse(engine, id, { prompt: '<<edit a.md>><<wait>>' })
  for await (const item of (await engine.open(id)).follow())
    if (item.kind === 'event' && item.event.type === 'tool.execution_complete') break
  await (await engine.open(id)).cancel()
  assert.equal((await sent).status, 'cancelled')
  assert.equal(await ask(engine, id, 'and now'), 'echo: and now')
})
