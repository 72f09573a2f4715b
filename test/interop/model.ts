/**
 * A model on the loopback that says what it is told to: OpenAI chat completions, streamed or not, the same
 * answer for the same messages. It remembers every request, so a check can ask what a client told it.
 *
 * The last user message steers it: `<<answer TEXT>>` is answered with TEXT, `<<call NAME {"json":1}>>` calls a
 * tool first. A message without either, such as a request for a summary, gets the six sections of one.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ChatMessage = {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string }
  }[]
  readonly tool_call_id?: string
}

export interface FakeModel extends AsyncDisposable {
  readonly baseUrl: string
  /** The messages of every request so far, oldest first. */
  readonly seen: readonly (readonly ChatMessage[])[]
}

type ChatRequest = { readonly messages: readonly ChatMessage[]; readonly stream?: boolean }
type Answer = {
  readonly content: string
  readonly call?: { readonly name: string; readonly arguments: string }
}

export const MODEL = 'fake-model'

export const SUMMARY = [
  'overview',
  'history',
  'work_done',
  'technical_details',
  'important_files',
  'next_steps',
]
  .map((section) => `<${section}>\nThe ${section} of the fake summary.\n</${section}>`)
  .join('\n')

export async function startModel(): Promise<FakeModel> {
  const seen: (readonly ChatMessage[])[] = []
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models')) {
      return json(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] })
    }
    void readBody(request).then((body) => {
      const { messages, stream } = JSON.parse(body) as ChatRequest
      seen.push(messages)
      const answer = answerTo(messages)
      if (stream === true) streamed(response, answer, seen.length)
      else json(response, completion(answer, seen.length))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const textOf = ({ content }: ChatMessage): string => {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text ?? '').join('')
}

/** A request in one line a message, without the system prompt. */
export const spoken = (messages: readonly ChatMessage[] = []): string[] =>
  messages
    .filter(({ role }) => role !== 'system')
    .map((message) => {
      const calls = (message.tool_calls ?? []).map(({ function: { name } }) => ` calls ${name}`)
      return `${message.role}: ${textOf(message)}${calls.join('')}`
    })

function answerTo(messages: readonly ChatMessage[]): Answer {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[last] === undefined ? '' : textOf(messages[last])
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool')
  const call = /<<call (\S+) (\{.*?\})>>/s.exec(asked)
  if (call?.[1] !== undefined && call[2] !== undefined && results.length === 0) {
    return { content: '', call: { name: call[1], arguments: call[2] } }
  }
  return { content: /<<answer (.*?)>>/s.exec(asked)?.[1] ?? SUMMARY }
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

const messageOf = ({ content, call }: Answer, turn: number) => ({
  role: 'assistant',
  content,
  ...(call && { tool_calls: [{ index: 0, id: `call_${turn}`, type: 'function', function: call }] }),
})

const head = (turn: number) => ({ id: `chat-${turn}`, created: 1_700_000_000, model: MODEL })
const finish = ({ call }: Answer) => (call === undefined ? 'stop' : 'tool_calls')

const completion = (answer: Answer, turn: number) => ({
  ...head(turn),
  object: 'chat.completion',
  choices: [{ index: 0, message: messageOf(answer, turn), finish_reason: finish(answer) }],
  usage,
})

function streamed(response: ServerResponse, answer: Answer, turn: number): void {
  const chunk = (choices: unknown, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head(turn), object: 'chat.completion.chunk', choices, ...more })}\n\n`,
    )
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk([{ index: 0, delta: messageOf(answer, turn), finish_reason: null }])
  chunk([{ index: 0, delta: {}, finish_reason: finish(answer) }])
  chunk([], { usage })
  response.end('data: [DONE]\n\n')
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
