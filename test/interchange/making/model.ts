/**
 * The model that the golden files were made with: on the loopback, in the dialects of all agents. A person's message
 * says what it answers, so that a conversation of many requests needs no list of them:
 *
 *     [[think TEXT]]        thinks aloud first
 *     [[say TEXT]]          what it says before it calls tools
 *     [[call NAME {json}]]  calls a tool; several are called at once
 *     [[answer TEXT]]       what it says when the results are there, or at once
 *
 * What a sub-agent is asked, inside of a call, is written with << and >> instead.
 * Whatever else is asked, such as a title or a summary, gets a fixed text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatEvents } from '../../model-server/chat.ts'
import { messagesEvents } from '../../model-server/messages.ts'
import type { Call, Reply } from '../../model-server/reply.ts'
import { responsesEvents } from '../../model-server/responses.ts'
import { geminiEvents, geminiWhole } from './gemini-dialect.ts'

type Fields = Readonly<Record<string, unknown>>
type Item = { readonly who: 'user' | 'other'; readonly text: string; readonly isResult: boolean }

export interface SteeredModel extends AsyncDisposable {
  readonly origin: string
  readonly bodies: readonly Fields[]
}

export async function startSteeredModel(): Promise<SteeredModel> {
  const bodies: Fields[] = []
  const server = createServer((request, response) => {
    answer(request, response, bodies).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: Fields[],
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.method === 'GET') {
    const list = [{ id: 'mock-1', slug: 'mock-1', object: 'model', display_name: 'Mock' }]
    return json(response, { object: 'list', data: list, models: list })
  }
  if (path.endsWith('count_tokens')) return json(response, { input_tokens: 1234 })
  if (path.endsWith(':countTokens')) return json(response, { totalTokens: 1234 })
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Fields
  bodies.push(body)
  const reply = replyTo(itemsOf(body))
  const turn = bodies.length
  const model = 'mock-1'
  if (path.includes(':generateContent')) return json(response, geminiWhole(reply, turn))
  const events = path.includes(':streamGenerateContent')
    ? geminiEvents(reply, turn)
    : path.endsWith('/chat/completions')
      ? chatEvents(reply, model, turn)
      : path.endsWith('/responses')
        ? responsesEvents(reply, model, turn)
        : path.endsWith('/messages')
          ? messagesEvents(reply, model, turn)
          : undefined
  if (events === undefined) {
    response.writeHead(404)
    return void response.end('{}')
  }
  if (body['stream'] === false || (path.endsWith('/chat/completions') && body['stream'] !== true))
    return json(response, wholeChat(reply, turn))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of events) response.write(event)
  response.end()
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

const wholeChat = (reply: Reply, turn: number) => ({
  id: `chat-${turn}`,
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'mock-1',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: [reply.text ?? ''].flat().join('') },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
})

const STEERED = /\[\[|<<(?:call|answer|think|say) /

function replyTo(items: readonly Item[]): Reply {
  const last = items.findLastIndex(({ who, text }) => who === 'user' && STEERED.test(text))
  const isNewer = items.slice(last + 1).some(({ who, isResult }) => who === 'user' && !isResult)
  const asked = last === -1 || isNewer ? '' : (items[last]?.text ?? '')
  const results = items.slice(last + 1).filter(({ isResult }) => isResult).length
  const [open, close] = asked.includes('[[') ? ['\\[\\[', '\\]\\]'] : ['<<', '>>']
  const one = (name: string) => new RegExp(`${open}${name} ([^]*?)${close}`).exec(asked)?.[1]
  const call = new RegExp(`${open}call (\\S+) (\\{[^]*?\\})${close}`, 'g')
  const calls: Call[] = [...asked.matchAll(call)].map(([, name = '', args = '{}']) => ({
    name,
    arguments: JSON.parse(args) as unknown,
  }))
  const usage = { input: 1234, output: 56, reasoning: 7 }
  if (asked === '') return { text: 'A summary by the mock model.', usage }
  const reasoning = one('think')
  if (results === 0 && calls.length > 0) {
    const said = one('say')
    return {
      calls,
      usage,
      ...(said !== undefined && { text: said }),
      ...(reasoning !== undefined && { reasoning }),
    }
  }
  return {
    text: one('answer') ?? 'Done.',
    usage,
    ...(reasoning !== undefined && calls.length === 0 && { reasoning }),
  }
}

/** What was said, in any dialect, oldest first. */
function itemsOf(body: Fields): Item[] {
  const list = (body['messages'] ?? body['input'] ?? body['contents'] ?? []) as unknown
  if (typeof list === 'string') return [{ who: 'user', text: list, isResult: false }]
  return (list as Fields[]).flatMap((item) => {
    const parts = item['content'] ?? item['parts']
    const pieces = Array.isArray(parts) ? (parts as Fields[]) : []
    const text =
      typeof parts === 'string'
        ? parts
        : pieces.map((part) => String(part['text'] ?? '')).join('\n')
    const isResult =
      item['role'] === 'tool' ||
      String(item['type'] ?? '').endsWith('_output') ||
      pieces.some((part) => part['type'] === 'tool_result' || 'functionResponse' in part)
    const isReminder = /^\s*<(?:system-reminder|environment_context)/.test(text)
    if (isReminder && !STEERED.test(text)) return []
    return [{ who: item['role'] === 'user' ? 'user' : 'other', text, isResult } as const]
  })
}
