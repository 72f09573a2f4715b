/** How four providers are spoken with: a request becomes messages, and an answer becomes what their programs read. */
import { fieldsOf, listIn, textIn, type Fields } from '../../src/lib/fields.ts'
import type { Answer, ChatMessage } from './model.ts'

export interface Wire {
  messages(body: Fields): readonly ChatMessage[]
  /** How many tools are offered. */
  tools(body: Fields): number
  isStreamed(url: string, body: Fields): boolean
  whole(answer: Answer): Fields
  streamed(answer: Answer): readonly string[]
}

const ID = 'fake-model'

export function wireOf(url: string): Wire | undefined {
  const path = url.split('?', 1)[0] ?? ''
  if (path.endsWith('/chat/completions')) return chat
  if (path.endsWith('/responses')) return responses
  if (path.endsWith('/messages')) return anthropic
  return /:(?:stream)?generateContent$/i.test(path) ? gemini : undefined
}

const sse = (event: Fields, name = textIn(event, 'type')): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`

const callId = ({ number }: Answer): string => `call_${number}`
const given = ({ call }: Answer): Fields => JSON.parse(call?.arguments ?? '{}') as Fields
const tools = (body: Fields) => listIn(body, 'tools').length
const isStreamed = (_url: string, { stream }: Fields) => stream === true

const chat: Wire = {
  messages: (body) => body['messages'] as readonly ChatMessage[],
  tools,
  isStreamed,
  whole: (answer) => ({
    ...head(answer),
    object: 'chat.completion',
    choices: [{ index: 0, message: said(answer), finish_reason: finish(answer) }],
    usage: chatUsage(answer),
  }),
  streamed(answer) {
    const chunk = (choices: unknown, more = {}) =>
      sse({ ...head(answer), object: 'chat.completion.chunk', choices, ...more })
    return [
      chunk([{ index: 0, delta: said(answer), finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finish(answer) }]),
      chunk([], { usage: chatUsage(answer) }),
      'data: [DONE]\n\n',
    ]
  },
}

const head = ({ number }: Answer) => ({ id: `chat-${number}`, created: 1_700_000_000, model: ID })
const finish = ({ call }: Answer) => (call === undefined ? 'stop' : 'tool_calls')
const chatUsage = ({ inputTokens, outputTokens }: Answer) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})
const said = (answer: Answer) => ({
  role: 'assistant',
  content: answer.content,
  ...(answer.call && {
    tool_calls: [{ index: 0, id: callId(answer), type: 'function', function: answer.call }],
  }),
})

const responses: Wire = {
  messages: (body) => [
    { role: 'system', content: textIn(body, 'instructions') ?? '' },
    ...listIn(body, 'input').flatMap((item): ChatMessage[] => {
      if (item['type'] === 'function_call')
        return [{ role: 'assistant', content: '', tool_calls: [called(item)] }]
      if (item['type'] === 'function_call_output')
        return [{ role: 'tool', content: textsIn(item['output']) }]
      const role = textIn(item, 'role')
      if (role === undefined) return []
      const text = textsIn(item['content'])
      return [{ role: role === 'developer' ? 'system' : role, content: text }]
    }),
  ],
  tools,
  isStreamed,
  whole: (answer) => completed(answer),
  streamed: (answer) => [
    sse({ type: 'response.created', response: { id: `resp_${answer.number}` } }),
    ...items(answer).flatMap((item, index) => [
      sse({ type: 'response.output_item.added', output_index: index, item }),
      sse({ type: 'response.output_item.done', output_index: index, item }),
    ]),
    sse({ type: 'response.completed', response: completed(answer) }),
  ],
}

const called = (item: Fields) => ({
  id: textIn(item, 'call_id') ?? '',
  function: { name: textIn(item, 'name') ?? '' },
})

const items = (answer: Answer): Fields[] =>
  answer.call === undefined
    ? [
        {
          type: 'message',
          id: `msg_${answer.number}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: answer.content, annotations: [] }],
        },
      ]
    : [
        {
          type: 'function_call',
          id: `fc_${answer.number}`,
          call_id: callId(answer),
          ...answer.call,
        },
      ]

const completed = (answer: Answer): Fields => ({
  id: `resp_${answer.number}`,
  object: 'response',
  status: 'completed',
  model: ID,
  output: items(answer),
  usage: {
    input_tokens: answer.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: answer.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: answer.inputTokens + answer.outputTokens,
  },
})

const anthropic: Wire = {
  messages: (body) => [
    { role: 'system', content: textsIn(body['system']) },
    ...listIn(body, 'messages').flatMap((message): ChatMessage[] => {
      const role = textIn(message, 'role') ?? 'user'
      if (typeof message['content'] === 'string') return [{ role, content: message['content'] }]
      const blocks = listIn(message, 'content')
      const results = blocks.filter(({ type }) => type === 'tool_result')
      const calls = blocks.filter(({ type }) => type === 'tool_use')
      const text = textsIn(blocks.filter(({ type }) => type === 'text'))
      return [
        ...results.map((each) => ({ role: 'tool', content: textsIn(each['content']) })),
        ...(results.length > 0 && !/<<(?:call|answer) /.test(text)
          ? []
          : [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls.map(used) }) }]),
      ]
    }),
  ],
  tools,
  isStreamed,
  whole: (answer) => ({
    ...anthropicHead(answer),
    content: [block(answer)],
    stop_reason: anthropicStop(answer),
    usage: anthropicUsage(answer),
  }),
  streamed: (answer) => [
    sse({
      type: 'message_start',
      message: {
        ...anthropicHead(answer),
        content: [],
        stop_reason: null,
        usage: { ...anthropicUsage(answer), output_tokens: 0 },
      },
    }),
    sse({ type: 'content_block_start', index: 0, content_block: emptyBlock(answer) }),
    sse({ type: 'content_block_delta', index: 0, delta: delta(answer) }),
    sse({ type: 'content_block_stop', index: 0 }),
    sse({
      type: 'message_delta',
      delta: { stop_reason: anthropicStop(answer), stop_sequence: null },
      usage: { output_tokens: answer.outputTokens },
    }),
    sse({ type: 'message_stop' }),
  ],
}

const used = (each: Fields) => ({
  id: textIn(each, 'id') ?? '',
  function: { name: textIn(each, 'name') ?? '' },
})
const anthropicHead = ({ number }: Answer) => ({
  id: `msg_${number}`,
  type: 'message',
  role: 'assistant',
  model: ID,
  stop_sequence: null,
})
const anthropicStop = ({ call }: Answer) => (call === undefined ? 'end_turn' : 'tool_use')
const anthropicUsage = ({ inputTokens, outputTokens }: Answer) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
})
const block = (answer: Answer): Fields =>
  answer.call === undefined
    ? { type: 'text', text: answer.content }
    : { type: 'tool_use', id: callId(answer), name: answer.call.name, input: given(answer) }
const emptyBlock = (answer: Answer): Fields =>
  answer.call === undefined ? { type: 'text', text: '' } : { ...block(answer), input: {} }
const delta = ({ call, content }: Answer): Fields =>
  call === undefined
    ? { type: 'text_delta', text: content }
    : { type: 'input_json_delta', partial_json: call.arguments }

const gemini: Wire = {
  messages: (body) => [
    { role: 'system', content: textsIn(fieldsOf(body['systemInstruction'])['parts']) },
    ...listIn(body, 'contents').flatMap((content): ChatMessage[] => {
      const role = content['role'] === 'model' ? 'assistant' : 'user'
      const parts = listIn(content, 'parts')
      const calls = parts.map((part) => fieldsOf(part['functionCall'])).filter(({ name }) => name)
      const results = parts.filter((part) => part['functionResponse'] !== undefined)
      const text = textsIn(parts)
      return [
        ...results.map((each) => ({ role: 'tool', content: JSON.stringify(each) })),
        ...(results.length > 0
          ? []
          : [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls.map(used) }) }]),
      ]
    }),
  ],
  tools,
  isStreamed: (url) => url.includes('stream'),
  whole: (answer) => ({
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            answer.call === undefined
              ? { text: answer.content }
              : { functionCall: { name: answer.call.name, args: given(answer) } },
          ],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: answer.inputTokens,
      candidatesTokenCount: answer.outputTokens,
      totalTokenCount: answer.inputTokens + answer.outputTokens,
    },
    modelVersion: ID,
  }),
  streamed: (answer) => [sse(gemini.whole(answer))],
}

const textsIn = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  return value.flatMap((each) => textIn(fieldsOf(each), 'text') ?? []).join('\n')
}
