/**
 * A model on the loopback that says what it is told to, in the wires of four providers (`model-wires.ts`): the same
 * answer for the same messages. It remembers every request, so a check can ask what a client told it.
 *
 * The last user message steers it: `<<answer TEXT>>` is answered with TEXT, `<<call NAME {"json":1}>>` calls a
 * tool first, if the request offers any. A message without either, such as a request for a summary, gets the six
 * sections of one. What is quoted in a history orders nothing.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wireOf } from './model-wires.ts'

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
  /** With the version, as OpenAI's programs want it. */
  readonly baseUrl: string
  /** Without it, as the others do. */
  readonly origin: string
  /** The messages of every request so far, oldest first. */
  readonly seen: readonly (readonly ChatMessage[])[]
  /** The tools that the last requests offered, as they were described. */
  readonly offered: string
}

export type Answer = {
  readonly content: string
  readonly call?: { readonly name: string; readonly arguments: string }
  /** Which answer of this model it is. */
  readonly number: number
  readonly inputTokens: number
  readonly outputTokens: number
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
  let offered = ''
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models')) {
      return json(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] })
    }
    void readBody(request).then((text) => {
      const body = JSON.parse(text === '' ? '{}' : text) as Readonly<Record<string, unknown>>
      const wire = wireOf(request.url ?? '')
      if (wire === undefined) return json(response, { input_tokens: 100, totalTokens: 100 })
      const messages = wire.messages(body)
      seen.push(messages)
      if (wire.tools(body) > 0) offered = JSON.stringify(body['tools'])
      const answer = answerTo(messages, wire.tools(body), seen.length)
      if (!wire.isStreamed(request.url ?? '', body)) return json(response, wire.whole(answer))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(wire.streamed(answer).join(''))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    baseUrl: `${origin}/v1`,
    origin,
    seen,
    get offered() {
      return offered
    },
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

function answerTo(messages: readonly ChatMessage[], tools: number, number: number): Answer {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const asked = ordersIn(messages, last)
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool')
  const counts = { number, inputTokens: 100 * messages.length, outputTokens: 10 }
  const call = /<<call (\S+) (\{.*?\})>>/s.exec(asked)
  const [, name, given] = call ?? []
  if (name !== undefined && given !== undefined && results.length === 0 && tools > 0) {
    return { content: '', call: { name, arguments: given }, ...counts }
  }
  return { content: /<<answer (.*?)>>/s.exec(asked)?.[1] ?? SUMMARY, ...counts }
}

/** Some programs put notes of their own behind the message, as a message of the user. */
function ordersIn(messages: readonly ChatMessage[], last: number): string {
  const texts = messages
    .slice(0, last + 1)
    .map((each) => (each.role === 'user' ? withoutQuoted(textOf(each)) : undefined))
  const before = texts.findLastIndex((text) => text === undefined)
  const asked = texts.slice(before + 1).filter((text) => text !== undefined)
  return asked.findLast((text) => /<<(?:call|answer) /.test(text)) ?? asked.at(-1) ?? ''
}

const withoutQuoted = (text: string): string =>
  text.replace(/<conversation\b[^]*<\/conversation>/g, '')

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
