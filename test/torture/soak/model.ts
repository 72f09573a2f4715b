/** A model for a long time: it remembers nothing. Whoever says `run …` gets that command called. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chatEvents } from '../../model-server/chat.ts'
import type { Reply } from '../../model-server/reply.ts'

type Message = { readonly role: string; readonly content?: unknown }

export async function startSoakedModel(): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  let asked = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[{"id":"test-model"}]}')
    void text(request).then(async (body) => {
      const { messages = [] } = JSON.parse(body) as { readonly messages?: readonly Message[] }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for await (const event of chatEvents(replyTo(messages), 'test-model', ++asked))
        response.write(event)
      response.end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

function replyTo(messages: readonly Message[]): Reply {
  const last = messages.at(-1)
  const command = /\brun (echo \w+)/.exec(JSON.stringify(last?.content ?? ''))?.[1]
  return last?.role === 'user' && command !== undefined
    ? { calls: [{ name: 'bash', arguments: { command, description: 'Says it.' } }] }
    : { text: ['It is ', 'as it ', 'was.'] }
}

/** A home whose agent it is, and in which nobody is asked for what it calls. */
export async function homeWith(
  folder: string,
  { baseUrl }: { readonly baseUrl: string },
): Promise<string> {
  const home = join(folder, 'home')
  await mkdir(join(home, '.reprise'), { recursive: true, mode: 0o700 })
  const model = { provider: 'openai-compatible', name: 'test-model', baseUrl }
  const config = {
    agent: 'model',
    model,
    permissions: { allow: ['shell(echo *)'] },
    control: { mode: 'steer' },
  }
  await writeFile(join(home, '.reprise/config.json'), JSON.stringify(config))
  return home
}
