import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startEndless } from '../../test/support/endless-server.ts'
import { OversizedAnswer, StrayRedirect, guardedFetch } from './guarded-fetch.ts'

const MB = 1024 * 1024

async function serving(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

for (const isZipped of [false, true])
  test(`an answer without end, ${isZipped ? 'compressed' : 'plain'}, is read as far as is allowed and costs no more memory`, async () => {
    await using there = await startEndless({ type: 'application/json', piece: 'x', isZipped })
    const before = process.memoryUsage().rss
    const response = await guardedFetch({ mostBytes: 8 * MB })(there.url)
    await assert.rejects(response.text(), {
      name: 'OversizedAnswer',
      message: 'The answer is longer than 8 MB and was not read on.',
    })
    const grown = (process.memoryUsage().rss - before) / MB
    assert.ok(grown < 100, `${grown.toFixed()} MB more`)
  })

test('a stream of events may go on, and no event and no stream may be longer than is allowed', async () => {
  const type = 'text/event-stream'
  const read = async (url: string, bounds: Parameters<typeof guardedFetch>[0], most: number) => {
    let bytes = 0
    const { body } = await guardedFetch(bounds)(url)
    for await (const { length } of body ?? []) if ((bytes += length) > most) break
    return bytes
  }
  await using short = await startEndless({ type, piece: 'data: x\r\n\r\n' })
  await using long = await startEndless({ type, piece: 'data: x\n' })
  assert.ok((await read(short.url, { mostBytes: 100_000 }, 4 * MB)) > 4 * MB)
  await assert.rejects(read(long.url, { mostBytes: 100_000 }, MB), OversizedAnswer)
  const whole = { mostBytes: 100_000, mostStreamBytes: MB }
  await assert.rejects(read(short.url, whole, 4 * MB), OversizedAnswer)
})

test('an announced length that is too long is not read at all', async () => {
  await using there = await serving((_request, response) => {
    response.writeHead(200, { 'content-length': 2 * MB }).write('x')
  })
  await assert.rejects(guardedFetch({ mostBytes: MB })(there.url), OversizedAnswer)
})

test('a redirect is followed within its origin, with what was sent, and nowhere else', async () => {
  const came: string[] = []
  await using other = await serving((request, response) => {
    came.push(`other ${request.url}`)
    response.end()
  })
  await using there = await serving(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    came.push(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`)
    if (request.url === '/away') response.writeHead(307, { location: `${other.url}/taken` })
    if (request.url === '/near') response.writeHead(308, { location: '/there' })
    if (request.url === '/turned') response.writeHead(302, { location: '/there' })
    if (request.url === '/round') response.writeHead(307, { location: '/round' })
    response.end('answered')
  })
  const ask = guardedFetch({ mostBytes: MB })
  const sent = { method: 'POST', headers: { 'x-key': 'k' }, body: 'said' }
  assert.equal(await (await ask(`${there.url}/near`, sent)).text(), 'answered')
  for (const path of ['away', 'turned', 'round'])
    await assert.rejects(ask(`${there.url}/${path}`, sent), StrayRedirect)
  assert.deepEqual(
    came.filter((each) => !each.includes('/round')),
    ['POST /near k said', 'POST /there k said', 'POST /away k said', 'POST /turned k said'],
  )
  assert.equal((await ask(`${there.url}/away`, { redirect: 'manual' })).status, 307)
})
