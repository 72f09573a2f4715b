/** What the model was given, and what people change in that, on the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { makePlace } from './cli.ts'

type Shown = {
  readonly total: number
  readonly tools?: readonly string[]
  readonly items: readonly { eventId: string; what: string; status: string; turn: number }[]
  readonly whole?: { readonly system?: string; readonly messages: readonly unknown[] }
}

test('reprise context shows any turn, leaves an item out and brings it back', async () => {
  using place = makePlace()
  await using server = await startModelServer(({ index }) => ({ text: `Answer ${index}.` }))
  const env = {
    REPRISE_AGENT: 'model',
    REPRISE_MODEL: 'm1',
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: server.baseUrl,
  }
  const run = (...args: readonly string[]) => place.run(args, { env })
  const json = (...args: readonly string[]) => place.json<Shown>(args, { env })
  await run('-p', 'the first thing')
  await run('--continue', '-p', 'the second thing')

  const first = await json('context', '@latest', '--turn', '1', '--whole')
  assert.deepEqual(
    first.items.map(({ what, turn, status }) => [what, turn, status]),
    [['the first thing', 1, 'given']],
  )
  assert.match(first.whole?.system ?? '', /coding agent/)
  assert.ok(first.tools?.includes('bash'))
  const { stdout } = await run('sessions', 'context', '@latest', '--turn', '2')
  assert.match(stdout, /Turn 2 of 2, call 1 of 1: m1 was given about/)
  assert.match(stdout, /answer +Answer/)

  const [item] = first.items
  const id = item?.eventId.slice(0, 8) ?? ''
  assert.match((await run('context', '@latest', '--omit', id)).stdout, /no longer given/)
  await run('--continue', '-p', 'the third thing')
  const asked = () => JSON.stringify(server.requests.at(-1)?.body)
  assert.doesNotMatch(asked(), /the first thing/)
  assert.match((await run('context', '@latest', '--turn', 'now')).stdout, /left out: the first/)
  assert.match((await run('context', '@latest', '--item', id)).stdout, /the first thing/)
  assert.match((await run('context', '@latest', '--restore', id)).stdout, /where it stood/)
  await run('--continue', '-p', 'the fourth thing')
  assert.match(asked(), /the first thing/)

  const refused = await run('context', '@latest', '--restore', id)
  assert.deepEqual([refused.code, /Nothing was changed/.test(refused.stderr)], [2, true])
  assert.equal((await run('context', '@latest', '--turn', '7')).code, 3)
  assert.equal((await run('context', '@latest', '--turn', 'x')).code, 2)
})
