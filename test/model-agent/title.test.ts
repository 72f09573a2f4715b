/** The title that a model gives to a session after its first turn: what is asked, recorded, and told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Provider } from '../../src/agents/model/config.ts'
import { converse, eventsOf } from '../support/engine.ts'
import { MODELS, openPlace } from './place.ts'

test('a model is asked for the title in every dialect, by a request of its own', async () => {
  for (const provider of Object.keys(MODELS) as Provider[]) {
    await using here = await openPlace(
      ({ index }) =>
        index === 1
          ? { text: '"Mend the login test."', usage: { input: 90, output: 6 } }
          : { text: 'ok', usage: { input: 1000, output: 2 } },
      provider,
      { titles: 'scripted' },
    )
    const engine = here.engine({
      titles: { model: 'small' },
      price: priceOf,
      reasoningEffort: 'high',
    })
    const { id } = await engine.create({ cwd: here.cwd })
    const session = await engine.open(id)
    await session.save()
    await converse(engine, id, { prompt: 'SECRETLY, why does the login test fail?' })
    await session.close()

    const [turn, title] = here.server.requests
    assert.equal(here.server.requests.length, 2)
    assert.equal(title?.body['model'], 'small')
    assert.equal(title.body['tools'], undefined)
    assert.match(title.raw, /SECRETLY/)
    assert.doesNotMatch(title.raw, /high/)
    assert.ok(title.raw.length < (turn?.raw.length ?? 0))
    const again = await engine.open(id)
    assert.equal((await engine.list()).find((each) => each.id === id)?.name, 'Mend the login test')
    const { usage, turns } = await again.state()
    const { requests, inputTokens, lastCall, dollars } = usage
    assert.deepEqual(
      [turns.length, requests, inputTokens, lastCall, dollars],
      [1, 2, 1090, { inputTokens: 1000, outputTokens: 2 }, 0.00102],
    )
    // The next request begins with the bytes of the one before it, as if there had been no title.
    await converse(engine, id, { prompt: 'go on' })
    assert.doesNotMatch(here.server.requests[2]?.raw ?? '', /Mend the login/)
    assert.equal(here.server.requests.length, 3)
    const types = (await eventsOf(engine, id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'session.usage_record').length, 3)
  }
})

const priceOf = (model: string) => (model === 'small' ? undefined : { input: 1, output: 10 })
