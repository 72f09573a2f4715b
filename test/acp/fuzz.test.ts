import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { it } from 'node:test'
import fc from 'fast-check'
import { openPlace } from './place.ts'

const METHODS = [
  'initialize',
  'authenticate',
  'session/new',
  'session/load',
  'session/list',
  'session/resume',
  'session/fork',
  'session/close',
  'session/delete',
  'session/status',
  'session/set_mode',
  'session/set_config_option',
  'session/prompt',
  'session/cancel',
  '_reprise/session/rewind',
  '_reprise/session/search',
  '$/cancel_request',
  'constructor',
  '__proto__',
]
const FRAMES = Number(process.env['FRAMES'] ?? 5000)

const params = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  fc.record(
    {
      sessionId: fc.oneof(fc.uuid(), fc.string(), fc.constant(null)),
      cwd: fc.oneof(fc.constant('/'), fc.string()),
      prompt: fc.array(
        fc.oneof(fc.record({ type: fc.string(), text: fc.string() }), fc.anything()),
      ),
      protocolVersion: fc.integer(),
      configId: fc.string(),
      value: fc.string(),
      modeId: fc.string(),
      messageId: fc.string(),
      requestId: fc.integer(),
      query: fc.string(),
      _meta: fc.anything({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ),
)
const message = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.nat(), fc.string(), fc.constant(null), fc.anything({ maxDepth: 1 })),
    method: fc.oneof(fc.constantFrom(...METHODS), fc.string()),
    params,
    result: fc.anything({ maxDepth: 1 }),
    error: fc.anything({ maxDepth: 1 }),
  },
  { requiredKeys: ['jsonrpc'] },
)
const frame = fc.oneof(
  { weight: 6, arbitrary: message.map((each) => JSON.stringify(each) ?? '') },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: message.map((each) => (JSON.stringify(each) ?? '').slice(0, -3)) },
)

it('frames of every kind are answered or ignored, and the server goes on', async () => {
  await using place = await openPlace({ allowAll: true })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = place.server.serve({ input, output })
  output.resume()
  input.write(
    '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1}}\n',
  )
  const frames = fc.sample(frame, { numRuns: FRAMES, seed: 20261115 })
  for (const [index, each] of frames.entries()) {
    input.write(`${each.replaceAll('\n', ' ')}\n`)
    if (index % 50 === 0) await new Promise(setImmediate)
  }
  input.write(Buffer.from([0xff, 0xfe, 0x0a]))
  input.end()
  await served
  const client = await place.connect()
  const { sessionId } = await client.request<{ sessionId: string }>('session/new', {
    cwd: '/',
    mcpServers: [],
  })
  const prompt = [{ type: 'text', text: 'still there?' }]
  assert.equal(
    (await client.request('session/prompt', { sessionId, prompt }))['stopReason'],
    'end_turn',
  )
})
