/** Over TLS the server speaks HTTP/2: many streams on one connection, the same rules, and HTTP/1.1 beside it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { converse } from '../support/engine.ts'
import { makeCertificate } from './certificate.ts'
import { bearer, openServer } from './web.ts'

const HOST = '127.0.0.1'

async function openSecure() {
  const tls = makeCertificate(HOST)
  const place = await openServer({ host: HOST, tls })
  const client = connect(`https://${HOST}:${place.server.port}`, { ca: tls.cert })
  await once(client, 'connect')
  return {
    ...place,
    tls,
    client,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function ask(client: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string) {
  const sent = client.request({
    ':method': body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  })
  sent.end(body)
  const [got] = (await once(sent, 'response')) as [Record<string, string | number>]
  return { status: got[':status'], headers: got, text: await text(sent) }
}

test('thirty streams and what is asked beside them share one connection', async () => {
  await using place = await openSecure()
  const { client, engine } = place
  assert.equal(client.alpnProtocol, 'h2')
  const { id } = await engine.create({ name: 'watched' })
  await converse(engine, id, { prompt: 'first' })
  const streams = Array.from({ length: 30 }, () => {
    const stream = client.request({ ...bearer, ':path': `/api/sessions/${id}/stream` })
    stream.setEncoding('utf8')
    return stream
  })
  const heard = streams.map(async (stream) => {
    let all = ''
    for await (const chunk of stream) if ((all += chunk as string).includes('echo: by h2')) break
    // What comes behind it may be in the same piece or in the next.
    return all.slice(0, all.indexOf('echo: by h2')).split('event: event\n').length - 1
  })
  await Promise.all(streams.map((stream) => once(stream, 'response')))
  const path = `/api/sessions/${id}/send`
  const sent = await ask(
    client,
    { ...bearer, ':path': path },
    JSON.stringify({ prompt: 'by h2', wait: true }),
  )
  assert.deepEqual([sent.status, JSON.parse(sent.text).status], [202, 'completed'])
  const counts = new Set(await Promise.all(heard))
  assert.equal(counts.size, 1, 'each stream is told the same')
})

test('the same is asked of who comes over HTTP/2', async () => {
  await using place = await openSecure()
  const { client, server } = place
  const here = { ':path': '/api/server' }
  const status = async (headers: OutgoingHttpHeaders, body?: string) =>
    (await ask(client, { ...here, ...headers }, body)).status
  assert.equal(await status(bearer), 200)
  assert.equal(await status({}), 401)
  assert.equal(await status({ ...bearer, ':authority': `evil.test:${server.port}` }), 403)
  assert.equal(await status({ ...bearer, host: `evil.test:${server.port}` }), 403)
  assert.equal(await status({ ...bearer, host: `${HOST}:${server.port}` }), 200)
  assert.equal(await status({ ...bearer, origin: 'https://evil.test' }), 403)
  assert.equal(await status({ ...bearer, 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await status({ ...bearer, ':path': '/api/sessions', cookie: 'a=1' }, '{'), 400)
  const code = new URL(server.link()).hash.slice('#code='.length)
  const login = await ask(client, { ':path': '/api/login' }, JSON.stringify({ code }))
  assert.equal(login.status, 200)
  const [cookie = ''] = String(login.headers['set-cookie']).split(';')
  // Browsers send each cookie as a header of its own over HTTP/2.
  assert.equal(await status({ cookie: ['other=1', cookie] }), 200)
  assert.equal(await status({ cookie: ['other=1', `${cookie}x`] }), 401)
})

test('who knows HTTP/1.1 alone is answered over the same port', async () => {
  await using place = await openSecure()
  const { port } = place.server
  const options = { host: HOST, port, path: '/api/server', ca: place.tls.cert, agent: false }
  const sent = request({ ...options, headers: bearer })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  assert.deepEqual([response.statusCode, response.httpVersion], [200, '1.1'])
  assert.match(await text(response), /"version"/)
})

test('a server that stops leaves no connection of HTTP/2 behind', async () => {
  const tls = makeCertificate(HOST)
  const place = await openServer({ host: HOST, tls })
  const client = connect(`https://${HOST}:${place.server.port}`, { ca: tls.cert })
  client.on('error', () => {}) // it is cut off
  const stream = client.request({ ...bearer, ':path': '/api/stream' })
  stream.on('error', () => {}) // with it
  await once(stream, 'response')
  const closed = once(client, 'close')
  await place[Symbol.asyncDispose]()
  await closed
})
