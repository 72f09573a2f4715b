import assert from 'node:assert/strict'
import test from 'node:test'
import { buildRequest } from '../../src/agents/model/build-request.ts'
import type { ModelConfig, Provider } from '../../src/agents/model/config.ts'
import type { Tool } from '../../src/agents/tools/tool.ts'
import type { Session } from '../../src/engine/session.ts'
import type { ContextMoment } from '../../src/engine/history/context-at.ts'
import { converse } from '../support/engine.ts'
import { bodyOf, sha256 } from '../support/model-body.ts'
import { MODELS, openPlace, spoken } from './place.ts'

const providers = Object.keys(MODELS) as Provider[]

/** The hash of the request, made anew of what the context of that moment is said to be. */
async function rebuilt(
  session: Session,
  config: ModelConfig,
  moment: ContextMoment,
): Promise<string> {
  const { whole } = await session.contextAt({ ...moment, isWhole: true })
  assert.ok(whole)
  const { system, messages, tools } = whole
  const asTool = ({ text }: { readonly text: string }): Tool => {
    const { name, description, inputSchema: schema } = JSON.parse(text)
    return { name, description, schema } as unknown as Tool
  }
  const request = buildRequest({ system, messages }, { ...config, tools: tools.map(asTool) })
  return sha256(await bodyOf(config, config.model, request))
}

const idOf = async (session: Session, what: string): Promise<string> => {
  const { items } = await session.contextAt()
  const found = items.findLast((item) => item.what.includes(what))
  assert.ok(found, `nothing says ${what}`)
  return found.eventId.slice(0, 36)
}

test('what the model was given in any call of any turn is told to the byte, tools included', async () => {
  for (const provider of providers) {
    await using here = await openPlace(({ index }) => {
      const look = { name: 'bash', arguments: { command: `echo seen ${index}` } }
      return index % 2 === 0 ? { text: `Looking ${index}.`, calls: [look] } : { text: 'Done.' }
    }, provider)
    const before = here.engine()
    const { id } = await before.create({ cwd: here.cwd })
    await converse(before, id, { prompt: 'one' })
    await (await before.open(id)).setMode('plan')
    await converse(before, id, { prompt: 'two' })
    await before.stop()

    const engine = here.engine()
    const session = await engine.open(id)
    const sent = here.server.requests.map(({ raw }) => sha256(raw))
    const told: string[] = []
    for (const turn of [1, 2])
      for (const call of [1, 2]) {
        const at = await session.contextAt({ turn, call })
        assert.deepEqual([at.call?.number, at.call?.of], [call, 2])
        assert.equal(at.call?.requestSha256, sent[told.length])
        told.push(await rebuilt(session, here.config, { turn, call }))
      }
    assert.deepEqual(told, sent)
    // Each turn has the tools that it had: leaving plan mode is one of that mode alone.
    const offers = async (turn: number) =>
      (await session.contextAt({ turn })).tools?.includes('exit_plan_mode')
    assert.deepEqual([await offers(1), await offers(2)], [false, true])
    // What would be told now is what was told last, also where no turn has run yet in this process.
    const last = await session.contextAt({ turn: 2 })
    assert.deepEqual((await session.contextAt({})).tools, last.tools)
    const definitions = (await session.contextParts()).kinds.find(
      ({ kind }) => kind === 'definitions',
    )
    assert.deepEqual(
      definitions,
      last.kinds.find(({ kind }) => kind === 'definitions'),
    )
    await assert.rejects(session.contextAt({ turn: 3 }), { code: 'not_found' })
    await assert.rejects(session.contextAt({ turn: 1, call: 3 }), { code: 'not_found' })
  }
})

test('an item is left out from here on, after a resume and in a fork too, and an undo takes that back', async () => {
  await using here = await openPlace(({ index }) => ({ text: `Answer ${index}.` }))
  const before = here.engine()
  const { id } = await before.create({ cwd: here.cwd })
  await converse(before, id, { prompt: 'the password is swordfish' })
  await converse(before, id, { prompt: 'second' })
  const session = await before.open(id)
  const item = await idOf(session, 'swordfish')
  assert.equal((await session.editContext({ operation: 'omit', item })).status, 'given')
  await assert.rejects(session.editContext({ operation: 'omit', item }), { code: 'invalid' })
  await converse(before, id, { prompt: 'third' })
  await before.stop()

  const engine = here.engine()
  const again = await engine.open(id)
  await converse(engine, id, { prompt: 'fourth' })
  const { sessionId: forkId } = await again.fork()
  await converse(engine, forkId, { prompt: 'in the fork' })
  const [, , third, fourth, forked] = here.server.requests
  for (const request of [third, fourth, forked])
    assert.ok(!JSON.stringify(request?.body).includes('swordfish'))
  // What came after it is sent as it was before: only the end is new.
  assert.deepEqual(spoken(fourth?.body).slice(0, 5), spoken(third?.body).slice(0, 5))
  for (const turn of [1, 2, 3, 4])
    assert.equal(
      await rebuilt(again, here.config, { turn }),
      (await again.contextAt({ turn })).call?.requestSha256,
    )
  const then = await again.contextAt({ turn: 2 })
  assert.equal(then.items.find(({ eventId }) => eventId === item)?.status, 'given')
  const now = await again.contextAt()
  assert.equal(now.items.find(({ eventId }) => eventId === item)?.status, 'omitted')

  // The change belongs to the turn that it followed: taking that back takes it back.
  await again.undo({ turns: 3 })
  await converse(engine, id, { prompt: 'anew' })
  assert.ok(JSON.stringify(here.server.requests.at(-1)?.body).includes('swordfish'))
})

test('what a compaction dropped is listed and comes back into the context', async () => {
  await using here = await openPlace(({ index, body }) =>
    JSON.stringify(body).includes('next_steps')
      ? { text: '<overview>talked</overview>' }
      : {
          text: index === 0 ? 'Looking.' : `Answer ${index}.`,
          ...(index === 0 && {
            calls: [{ name: 'bash', arguments: { command: 'echo the needle' } }],
          }),
        },
  )
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'look' })
  const session = await engine.open(id)
  await session.compact()
  await converse(engine, id, { prompt: 'after' })
  const asked = () => JSON.stringify(here.server.requests.at(-1)?.body)
  assert.ok(!asked().includes('the needle'))
  const { items } = await session.contextAt({ turn: 2 })
  assert.deepEqual(
    items.map(({ kind, status }) => `${kind} ${status}`),
    [
      'message compacted',
      'answer compacted',
      'result compacted',
      'answer compacted',
      'summary given',
      'message given',
    ],
  )
  const item = items[2]?.eventId ?? ''
  assert.match((await session.contextItem(item)).message.content, /the needle/)
  await session.editContext({ operation: 'restore', item })
  await converse(engine, id, { prompt: 'and now' })
  assert.ok(asked().includes('the needle'))
  const before = asked()
  await engine.stop()

  const later = here.engine()
  await converse(later, id, { prompt: 'once more' })
  const messages = (text: string) => (JSON.parse(text) as { messages: unknown[] }).messages
  // Sent again as it was: a provider's cache of the beginning still holds.
  assert.deepEqual(messages(asked()).slice(0, messages(before).length), messages(before))
})
