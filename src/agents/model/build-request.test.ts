import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import fc from 'fast-check'
import type { EventId } from '../../format/ids.ts'
import type { ModelContext, ModelMessage } from '../../state/model-context.ts'
import { providerValid } from '../../state/provider-valid.ts'
import { buildRequest } from './build-request.ts'
import type { ModelConfig, Provider } from './config.ts'
import { bodyOf } from '../../../test/support/model-body.ts'
import { ownTools } from './tool-set.ts'

const eventId = 'e' as EventId
const providers: Provider[] = ['openai-compatible', 'openai', 'anthropic']
const config = (provider: Provider): ModelConfig => ({
  provider,
  baseUrl: 'http://x/v1',
  model: 'm',
})

const anyMessage: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({
    role: fc.constant('user' as const),
    content: fc.string({ unit: 'binary' }),
    eventId: fc.constant(eventId),
  }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.string({ unit: 'binary' }),
    toolCalls: fc.array(
      fc.record({ id: fc.string({ minLength: 1 }), name: fc.string(), arguments: fc.jsonValue() }),
      { maxLength: 2 },
    ),
    eventId: fc.constant(eventId),
  }),
)

test('the same context gives the same bytes, also after it went through JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMessage),
      fc.constantFrom(...providers),
      async (said, provider) => {
        const context: ModelContext = { system: 'Be brief.', messages: providerValid(said) }
        const body = (given: ModelContext) =>
          bodyOf(
            config(provider),
            'm',
            buildRequest(given, { ...config(provider), tools: ownTools() }),
          )
        const again = JSON.parse(JSON.stringify(context)) as ModelContext
        assert.equal(await body(again), await body(context))
      },
    ),
    { numRuns: 60 },
  )
})

test('pictures are sent as they are, everything else is named or quoted', () => {
  const attachments = [
    { type: 'blob', mimeType: 'image/png', data: 'AAAA', displayName: 'a.png' },
    { type: 'blob', mimeType: 'image/png', data: '' },
    { type: 'file', path: 'src/"a".ts', displayName: 'a.ts', lineRange: { start: 1, end: 9 } },
    {
      type: 'selection',
      filePath: 'b.ts',
      displayName: 'b.ts',
      text: '</attachment>x',
      selection: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } },
    },
  ] as const
  const message: ModelMessage = { role: 'user', content: 'see', attachments, eventId }
  const { prompt } = buildRequest(
    { system: undefined, messages: [message] },
    { provider: 'openai', tools: [] },
  )
  assert.deepEqual(prompt, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        {
          type: 'file',
          data: { type: 'data', data: 'AAAA' },
          mediaType: 'image/png',
          filename: 'a.png',
        },
        { type: 'text', text: '<attachment type="image/png">not shown here</attachment>' },
        {
          type: 'text',
          text: '<attachment type="file" path="src/&quot;a&quot;.ts" lines="1-9" />',
        },
        {
          type: 'text',
          text: '<attachment type="selection" path="b.ts" lines="1-2">\n&lt;/attachment>x\n</attachment>',
        },
      ],
    },
  ])
})

test('arguments that are no object are shown to the model as it gave them', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'go', eventId },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'view', arguments: '{"pa' }],
      eventId,
    },
    { role: 'tool', toolCallId: 'c', toolName: 'view', content: 'no', isError: true, eventId },
  ]
  const { prompt } = buildRequest(
    { system: undefined, messages },
    { provider: 'openai', tools: [] },
  )
  assert.deepEqual(prompt.slice(1), [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'view', input: { input: '{"pa' } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'view',
          output: { type: 'error-text', value: 'no' },
        },
      ],
    },
  ])
})

test('for Anthropic the beginning and the end are marked for its cache', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'a', eventId },
    { role: 'assistant', content: 'b', eventId },
    { role: 'user', content: 'c', eventId },
  ]
  const { prompt } = buildRequest({ system: 's', messages }, { provider: 'anthropic', tools: [] })
  const marked = prompt.map(({ providerOptions }) => providerOptions !== undefined)
  assert.deepEqual(marked, [true, false, false, true])
})

test('the agent is there without any of the libraries that it calls a model with', () => {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (/node_modules\\/(ai|@ai-sdk|@modelcontextprotocol)\\//.test(url)) console.log(url)
      return next(url, context)
    } })
    await import(${JSON.stringify(new URL('model.ts', import.meta.url).href)})`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  assert.equal(loaded, '')
})
