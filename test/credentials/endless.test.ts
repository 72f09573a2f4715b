/** Servers of every kind whose answers do not end, plain and compressed: memory stays bounded, and the error says why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listModels } from '../../src/agents/model/list-models.ts'
import { openOidc } from '../../src/control/people/oidc.ts'
import { createEmbedder } from '../../src/store/embeddings/embedder.ts'
import { makePlace, type Place } from '../e2e/cli.ts'
import { startEndless } from '../support/endless-server.ts'

/** Of a process of the program, the program itself included. */
const MOST_MB = 450
const LONGER = /longer than \d+ MB/

/** What a command says, and how many MB it took at its height. */
async function measured({ run }: Place, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const tells = `process.on('exit',()=>process.stderr.write('maxRSS '+process.resourceUsage().maxRSS+'\\n'))`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(tells)}`
  const { stdout, stderr, code } = await run(args, { env: { ...more, NODE_OPTIONS } })
  const peaks = [...stderr.matchAll(/maxRSS (\d+)/g)].map(([, kB]) => Number(kB) / 1024)
  assert.ok(peaks.length > 0)
  return { said: stdout + stderr, code, mb: Math.max(...peaks) }
}

const commands: Readonly<Record<string, (url: string, type: string) => Promise<Measured>>> = {
  async sync(url) {
    using place = makePlace()
    await place.session('say hi')
    await place.run(['config', 'set', 'control.url', url])
    await place.run(['config', 'set', 'control.token', 'none'])
    return await measured(place, ['sync'])
  },
  async 'a turn'(url) {
    using place = makePlace()
    await place.run(['config', 'set', 'model.baseUrl', `${url}/v1`])
    await place.run(['config', 'set', 'model.name', 'm'])
    return await measured(place, ['-p', 'hi'], { REPRISE_AGENT: 'model' })
  },
}
type Measured = Awaited<ReturnType<typeof measured>>

for (const isZipped of [false, true])
  for (const type of ['application/json', 'text/event-stream'])
    for (const [name, run] of Object.entries(commands))
      test(`${name}: an answer without end, ${isZipped ? 'compressed ' : ''}${type}`, async () => {
        await using there = await startEndless({ type, piece: 'data: "x"', isZipped })
        const { said, code, mb } = await run(there.url, type)
        assert.notEqual(code, 0)
        assert.match(said, LONGER)
        assert.ok(mb < MOST_MB, `${mb.toFixed()} MB`)
      })

test('a turn: events without end are given up, and what came of them is kept', async () => {
  const delta = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const choices = [{ index: 0, delta: { content: 'x'.repeat(100_000) }, finish_reason: null }]
  const piece = `data: ${JSON.stringify({ ...delta, choices })}\n\n`
  await using there = await startEndless({ type: 'text/event-stream', piece, isZipped: true })
  const { said, code, mb } = await commands['a turn']!(there.url, '')
  assert.notEqual(code, 0)
  assert.match(said, LONGER)
  assert.ok(mb < 3 * MOST_MB, `${mb.toFixed()} MB`)
})

const soon = () => AbortSignal.timeout(60_000)
const calls: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a list of models': (baseUrl) =>
    listModels({ provider: 'openai-compatible', baseUrl, model: '' }, soon()),
  embeddings: (url) => createEmbedder({ url, model: 'm' }).embed(['x']),
  'an identity provider': (issuer) =>
    openOidc({ issuer, clientId: 'c', clientSecret: 's', tenant: 't' }).begin(
      {} as never,
      { redirectUri: issuer, userCode: 'c' },
      0,
    ),
}

for (const isZipped of [false, true])
  for (const [name, call] of Object.entries(calls))
    test(`${name}: an answer without end${isZipped ? ', compressed' : ''}`, async () => {
      const type = 'application/json'
      await using there = await startEndless({ type, piece: 'x', isZipped })
      const before = process.memoryUsage().rss
      await assert.rejects(call(there.url), LONGER)
      const mb = (process.memoryUsage().rss - before) / 1024 / 1024
      assert.ok(mb < 300, `${mb.toFixed()} MB more`)
    })
