/** A model on the loopback that answers by script, one entry an answer, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Said = {
  readonly text?: string
  readonly tools?: readonly (readonly [name: string, args: object])[]
  /** Pieces that the text comes in. */
  readonly pieces?: readonly string[]
  readonly status?: number
  /** Answered only then. */
  readonly after?: Promise<unknown>
}

export type Asked = {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly headers: Readonly<Record<string, unknown>>
}

export interface ScriptedModel extends AsyncDisposable {
  readonly baseUrl: string
  readonly asked: Asked[]
  /** What it answers next; "done" when nothing is left. */
  say(...answers: Said[]): void
  reset(): void
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const asked: Asked[] = []
  const script: Said[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end('{"data":[{"id":"m","object":"model"}]}')
      return
    }
    void bodyOf(request).then(async (body) => {
      asked.push({ ...(JSON.parse(body) as Asked), headers: request.headers })
      const said = script.shift() ?? { text: 'done' }
      await said.after
      answer(response, said, JSON.parse(body) as { model: string; stream?: boolean })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    say: (...answers) => void script.push(...answers),
    reset() {
      asked.length = 0
      script.length = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
let calls = 0

function answer(
  response: ServerResponse,
  said: Said,
  { model, stream = false }: { readonly model: string; readonly stream?: boolean },
): void {
  if (said.status !== undefined) {
    response.writeHead(said.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: said.text ?? 'refused' } }))
    return
  }
  const toolCalls = (said.tools ?? []).map(([name, args], index) => ({
    index,
    id: `call-${++calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  const message = {
    role: 'assistant',
    content: said.text ?? said.pieces?.join('') ?? null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
  const finish_reason = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: 'x', created: 1, model, usage }
  if (!stream) {
    const choices = [{ index: 0, message, finish_reason }]
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const deltas: readonly object[] =
    said.pieces === undefined
      ? [message]
      : said.pieces.map((content) => ({ role: 'assistant', content }))
  for (const choice of [
    ...deltas.map((delta) => ({ index: 0, delta })),
    { index: 0, delta: {}, finish_reason },
  ]) {
    const chunk = { ...head, object: 'chat.completion.chunk', choices: [choice] }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}
