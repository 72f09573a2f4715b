/** Small answers to requests of a browser, before any framework has them. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const MOST_BYTES = 64 * 1024
/** Of what is passed on: a question in SQL, the text of a task. */
const MOST_PASSED = 1024 * 1024

export async function readText(request: IncomingMessage, most = MOST_BYTES): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) throw new SyntaxError('The body is too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(value))
}

/** As it was asked, to who answers it; the answer as it is. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (init: RequestInit) => Promise<Response>,
): Promise<void> {
  const { method = 'GET' } = request
  const body = await readText(request, MOST_PASSED)
  await sendPage(response, await ask({ method, ...(body !== '' && { body }) }))
}

export async function sendPage(response: ServerResponse, page: Response): Promise<void> {
  response.writeHead(page.status, Object.fromEntries(page.headers))
  response.end(Buffer.from(await page.arrayBuffer()))
}
