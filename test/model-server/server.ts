/**
 * A model on the loopback that says what a script says: OpenAI chat completions, OpenAI responses and Anthropic
 * messages, streamed. It remembers every request, byte for byte, and fails on demand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatEvents } from './chat.ts'
import { messagesEvents } from './messages.ts'
import type { Asked, Dialect, Failure, Reply } from './reply.ts'
import { responsesEvents } from './responses.ts'

export type Script =
  readonly (Reply | Failure)[] | ((asked: Asked) => Reply | Failure | Promise<Reply | Failure>)

export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string
  readonly requests: readonly Asked[]
}

const ASKED_FOR_TITLE = 'You give conversations with a coding agent their titles.'

const PATHS: readonly (readonly [string, Dialect])[] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
]

const EVENTS = { chat: chatEvents, responses: responsesEvents, messages: messagesEvents } as const

/**
 * A list is answered in its order; after its end comes an answer that fails a test. What is asked for a title is no part
 * of the script, unless it says so: it is refused and not remembered.
 */
export async function startModelServer(
  script: Script,
  { titles = 'refused' }: { readonly titles?: 'refused' | 'scripted' } = {},
): Promise<ModelServer> {
  const requests: Asked[] = []
  const replyTo =
    typeof script === 'function'
      ? script
      : ({ index }: Asked) => script[index] ?? { status: 400, body: 'the script is over' }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const dialect = PATHS.find(([path]) => pathOf(request).endsWith(path))?.[1]
    if (dialect === undefined) return fail(response, { status: 404, body: 'no such path' })
    const raw = await bodyOf(request)
    if (titles === 'refused' && raw.includes(ASKED_FOR_TITLE))
      return fail(response, { status: 400, body: 'no titles' })
    const body = JSON.parse(raw) as Asked['body']
    const { headers, url = '' } = request
    const asked = { dialect, raw, body, headers, url, index: requests.length }
    requests.push(asked)
    const reply = await replyTo(asked)
    if ('status' in reply) return fail(response, reply)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const event of EVENTS[dialect](reply, String(body['model']), asked.index)) {
      if (response.destroyed) return
      if (reply.paceMs !== undefined) await sleep(reply.paceMs)
      if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve))
    }
    if (reply.cut === 'broken') response.destroy()
    else response.end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fail(response: ServerResponse, { status, headers, body }: Failure): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body ?? { error: { message: `failed on demand with ${status}` } }))
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? ''

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
