/** Beyond loopback: over TLS alone, under exactly its own names, with a cookie that never travels in the open. */
import assert from 'node:assert/strict'
import { request as overHttp, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { checkServerIdentity } from 'node:tls'
import { makeCertificate } from './certificate.ts'
import { TOKEN, bearer, guestCode, openServer, type Headers } from './web.ts'

/** Not the address that the guard knows as loopback, and yet of this machine alone. */
const HOST = '127.0.0.2'
const skip =
  process.platform === 'linux' ? false : `${HOST} is an address of its own on Linux alone`

test('the page and the API answer over https to their own name', { skip }, async () => {
  const tls = makeCertificate(HOST)
  await using place = await openServer({ host: HOST, allowRemote: true, tls, names: ['box.test'] })
  const { port, url } = place.server
  assert.equal(url, `https://box.test:${port}`)
  const ask = async (path: string, headers: Headers = {}, body?: string) => {
    const sent = request({
      host: HOST,
      port,
      path,
      ca: tls.cert,
      // The Host that is sent is not always the one that is called.
      checkServerIdentity: (_host, cert) => checkServerIdentity(HOST, cert),
      agent: false,
      method: body === undefined ? 'GET' : 'POST',
      headers: Object.fromEntries(Object.entries(headers)) as Record<string, string>,
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, text: await text(response) }
  }
  const page = await ask('/')
  assert.equal(page.status, 200)
  assert.equal(page.text, '<!doctype html>')
  for (const [host, status] of [
    [`${HOST}:${port}`, 200],
    [`box.test:${port}`, 200],
    [`localhost:${port}`, 403],
    [`127.0.0.1:${port}`, 403],
  ] as const) {
    assert.equal((await ask('/api/server', { ...bearer, host })).status, status, host)
  }
  assert.equal((await ask('/api/server')).status, 401)
  const insecure = { ...bearer, origin: `http://${HOST}:${port}` }
  assert.equal((await ask('/api/server', insecure)).status, 403)
  const loginWith = (code: string) =>
    ask(
      '/api/login',
      { 'content-type': 'application/json', origin: `https://${HOST}:${port}` },
      JSON.stringify({ code }),
    )
  const login = await loginWith(new URL(place.server.link()).hash.slice('#code='.length))
  assert.equal(login.status, 200)
  assert.match(String(login.headers['set-cookie']), /HttpOnly; SameSite=Strict; .*; Secure$/)
  assert.ok(!String(login.headers['set-cookie']).includes(TOKEN))
  const { id } = await place.engine.create()
  const { link } = await place.server.guestLink(id, 1)
  const guest = await loginWith(guestCode(link))
  assert.equal(guest.status, 200)
  assert.match(
    String(guest.headers['set-cookie']),
    /^reprise_guest_.*HttpOnly; SameSite=Strict; .*; Secure$/,
  )
})

test('what comes without TLS is not answered', { skip }, async () => {
  const tls = makeCertificate(HOST)
  await using place = await openServer({ host: HOST, allowRemote: true, tls })
  const sent = overHttp({ host: HOST, port: place.server.port, path: '/', agent: false })
  sent.end()
  await assert.rejects(once(sent, 'response'))
})
