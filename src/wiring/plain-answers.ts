/** Small answers to requests of a browser, before any framework has them. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const MOST_BYTES = 64 * 1024

export async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MOST_BYTES) throw new SyntaxError('The body is too long.')
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

export async function sendPage(response: ServerResponse, page: Response): Promise<void> {
  response.writeHead(page.status, Object.fromEntries(page.headers))
  response.end(Buffer.from(await page.arrayBuffer()))
}
