/** A tool server for tests, on standard input and output: `echo` gives back what it got, `fail` fails, `die` ends it. */
import { createInterface } from 'node:readline'

type Request = {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly uri?: string
    readonly arguments?: unknown
    readonly _meta?: unknown
  }
}

const schema = { type: 'object', properties: { text: { type: 'string' } } }
const tools = [
  { name: 'echo', description: 'Says it again.', inputSchema: schema },
  { name: 'die', inputSchema: { type: 'object' } },
  {
    name: 'fail.loudly',
    title: 'Fails',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
]

export function answerTo({ method, params }: Request): unknown {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'test', version: '1' },
    }
  }
  if (method === 'tools/list') return { tools }
  if (method === 'resources/list') return { resources: [{ uri: 'test://one', name: 'one' }] }
  if (method === 'resources/templates/list')
    return { resourceTemplates: [{ uriTemplate: 'test://{x}', name: 'any' }] }
  if (method === 'resources/read') return { contents: [{ uri: params?.uri, text: 'ONE' }] }
  if (params?.name === 'echo') {
    const said = JSON.stringify({
      arguments: params.arguments,
      meta: params._meta,
      key: process.env['SECRET_KEY'],
    })
    return {
      content: [
        { type: 'text', text: said },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    }
  }
  if (params?.name === 'die') process.exit(1)
  return { content: [{ type: 'text', text: 'It failed.' }], isError: true }
}

if (process.argv[1] === import.meta.filename) {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request
    if (request.id === undefined) continue
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) })}\n`,
    )
  }
}
