/** Every route against every way to ask that is not the right one. */
import assert from 'node:assert/strict'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import { loginRoute, routes } from '../../src/surfaces/web/routes.ts'
import { TOKEN, api, bearer, openServer, raw, type Headers } from './web.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const pathOf = (path: string) =>
  path
    .replace(':id', ID)
    .replace(':number', '1')
    .replace(':kind', 'standup')
    .replace(':sha256', '0'.repeat(64))
const asked = [
  ...routes.map(({ method, path }) => ({ method, path: pathOf(path) })),
  { method: 'GET', path: '/api/openapi.json' },
  { method: 'GET', path: '/api/nothing' },
]

const json = { 'content-type': 'application/json' }

async function statusOf(port: number, method: string, path: string, headers: Headers) {
  const post = method === 'POST'
  const { status, text } = await raw(port, path, {
    method,
    headers: { ...(post && json), ...headers },
    ...(post && { body: '{}' }),
  })
  if (status >= 400) {
    const { error } = JSON.parse(text) as { error: Record<string, unknown> }
    assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message'], path)
  }
  return status
}

test('no route answers without the token', async () => {
  await using place = await openServer()
  const { port } = place.server
  const wrong: Record<string, Headers> = {
    none: {},
    'a wrong token': { authorization: 'Bearer wrong' },
    'a shorter token': { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    'a longer token': { authorization: `Bearer ${TOKEN}0` },
    'another scheme': { authorization: `Basic ${TOKEN}` },
    'an empty cookie': { cookie: `reprise_${port}=` },
    'the token as a cookie': { cookie: `reprise_${port}=${TOKEN}` },
    'a cookie of another port': { cookie: `reprise_1=${TOKEN}` },
  }
  for (const { method, path } of asked) {
    for (const [what, headers] of Object.entries(wrong)) {
      assert.equal(await statusOf(port, method, path, headers), 401, `${method} ${path}: ${what}`)
    }
  }
  assert.equal((await raw(port, `/api/sessions?token=${TOKEN}`)).status, 401)
})

test('no route answers under another name, to another origin or to another site', async () => {
  await using place = await openServer()
  const { port } = place.server
  const hosts = [
    'evil.test',
    `evil.test:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localhost.evil:${port}`,
    `localhost:${port}.evil.test`,
    `localhost.:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1',
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    `user@localhost:${port}`,
  ]
  const wrong: Record<string, Headers> = {
    ...Object.fromEntries(hosts.map((host) => [`host ${host}`, { host }])),
    ...Object.fromEntries(
      [
        'null',
        'https://evil.test',
        `http://localhost:${port}.evil.test`,
        `http://localhost:${port}@evil.test`,
        `http://localhost:${port + 1}`,
        `https://localhost:${port}`,
        'http://localhost',
        `http://localhost:${port}/`,
      ].map((origin) => [`origin ${origin}`, { origin }]),
    ),
    'cross-site': { 'sec-fetch-site': 'cross-site' },
    'same-site': { 'sec-fetch-site': 'same-site' },
  }
  for (const { method, path } of [...asked, { method: 'POST', path: loginRoute.path }]) {
    for (const [what, headers] of Object.entries(wrong)) {
      const status = await statusOf(port, method, path, { ...bearer, ...headers })
      assert.equal(status, 403, `${method} ${path}: ${what}`)
    }
  }
})

test('a request without a Host, with two or with a whole URL is refused', async () => {
  await using place = await openServer()
  const { port } = place.server
  const host = `127.0.0.1:${port}`
  assert.equal((await raw(port, '/api/server', { headers: bearer, setHost: false })).status, 403)
  const wire = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(head))
      socket.once('data', (data) => {
        resolve(data.toString().split('\r\n')[0] ?? '')
        socket.destroy()
      })
    })
  const rest = `Authorization: ${bearer.authorization}\r\n\r\n`
  const twice = `GET /api/server HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test\r\n${rest}`
  assert.match(await wire(twice), / 40[03] /)
  assert.notEqual((await raw(port, `http://${host}/api/server`, { headers: bearer })).status, 200)
  assert.equal((await raw(port, '/api/server', { headers: { ...bearer, host } })).status, 200)
})

test('what is sent is JSON, and no other verbs than those of the table are known', async () => {
  await using place = await openServer()
  const { port } = place.server
  for (const { method, path } of asked) {
    if (method !== 'POST' && method !== 'PATCH') continue
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/json',
    ]) {
      const headers = { ...bearer, 'content-type': type }
      assert.equal((await raw(port, path, { method, headers, body: '{}' })).status, 415, path)
    }
    // What changes something is not there for a link or an image.
    if (asked.some((each) => each.method === 'GET' && each.path === path)) continue
    assert.equal((await raw(port, path, { headers: bearer })).status, 404, path)
  }
  for (const method of ['PUT', 'OPTIONS', 'HEAD', 'TRACE']) {
    assert.equal((await raw(port, '/api/sessions', { method, headers: bearer })).status, 405)
  }
})

test('the link logs in once, and its cookie needs the origin to change something', async () => {
  await using place = await openServer()
  const { server, engine, home } = place
  const { port } = server
  const code = new URL(server.link()).hash.slice('#code='.length)
  const login = (body: unknown) =>
    raw(port, '/api/login', { method: 'POST', headers: json, body: JSON.stringify(body) })
  assert.equal((await login({ code: `${code}x` })).status, 401)
  const first = await login({ code })
  assert.equal(first.status, 200)
  assert.equal((await login({ code })).status, 401)
  const links = Array.from({ length: 21 }, () => new URL(server.link()).hash.slice('#code='.length))
  const statuses = await Promise.all(
    links.map(async (each) => (await login({ code: each })).status),
  )
  assert.deepEqual(statuses, [401, ...Array.from({ length: 20 }, () => 200)])
  const [set = ''] = first.headers['set-cookie'] ?? []
  assert.match(set, /^reprise_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  const cookie = set.split(';')[0]
  const origin = `http://127.0.0.1:${port}`
  assert.equal((await raw(port, '/api/sessions', { headers: { cookie } })).status, 200)
  const create = (headers: Headers) =>
    raw(port, '/api/sessions', { method: 'POST', headers: { ...json, ...headers }, body: '{}' })
  assert.equal((await create({ cookie })).status, 401)
  assert.equal((await create({ cookie, origin })).status, 201)
  assert.equal((await engine.list()).length, 1)
  assert.ok(!first.text.includes(home.path))
})

test('every answer forbids framing, guessing, keeping and foreign content', async () => {
  await using place = await openServer()
  const { port } = place.server
  for (const path of [
    '/',
    '/index.html',
    '/nothing.js',
    '/s/1',
    '/api/server',
    '/api/x',
    '/api/stream',
  ]) {
    const { headers } = await raw(port, path, { headers: bearer })
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/, path)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['referrer-policy'], 'no-referrer', path)
    assert.equal(headers['access-control-allow-origin'], undefined, path)
    assert.equal(headers['cache-control'], path.startsWith('/api') ? 'no-store' : 'no-cache', path)
  }
})

test('other machines are served only with TLS, a word that says so and a name', async () => {
  for (const options of [
    { host: '0.0.0.0' },
    { host: '0.0.0.0', allowRemote: true },
    { host: '::', tls: { cert: '', key: '' } },
    { host: '0.0.0.0', allowRemote: true, tls: { cert: '', key: '' } },
    { host: '192.168.1.5', allowRemote: true },
  ]) {
    await assert.rejects(openServer(options), { name: 'EngineError', code: 'invalid' })
  }
})

test('ids and paths that lead elsewhere find nothing', async () => {
  await using place = await openServer()
  const { port } = place.server
  const { body } = await api<{ sessionId: string }>(port, '/api/sessions', {})
  const steps = [
    '..',
    '../..',
    '../../etc/passwd',
    '.',
    '...',
    '%2e%2e',
    '..\\..',
    'C:\\x',
    '/etc/passwd',
  ]
  const odd = [
    ...steps,
    '\0',
    'a\0b',
    'con',
    'files/../../x',
    'files//x',
    './x',
    'ü',
    'A'.repeat(2000),
  ]
  for (const value of [
    ...odd,
    body.sessionId.toUpperCase(),
    `${body.sessionId}/`,
    ` ${body.sessionId}`,
  ]) {
    const inPath = encodeURIComponent(value)
    for (const path of [
      `/api/sessions/${inPath}`,
      `/api/sessions/${inPath}/events`,
      `/api/sessions/${inPath}/stream`,
      `/api/sessions/${body.sessionId}/files/content?path=${inPath}`,
      `/api/sessions/${body.sessionId}/blobs/${inPath}`,
      `/${inPath}.js`,
    ]) {
      const { status } = await raw(port, path, { headers: bearer })
      assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
    }
    const write = await api(port, `/api/sessions/${body.sessionId}/files`, {
      path: value,
      base64: '',
    })
    assert.ok(write.status >= 400 && write.status < 500, `${value}: ${write.status}`)
  }
})

test('bodies are bounded, whole and of the known shape', async () => {
  await using place = await openServer()
  const { port } = place.server
  const { body } = await api<{ sessionId: string }>(port, '/api/sessions', {})
  const path = `/api/sessions/${body.sessionId}/rename`
  const post = (text: string, headers: Headers = {}) =>
    raw(port, path, { method: 'POST', headers: { ...bearer, ...json, ...headers }, body: text })
  const large = JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024) })
  assert.equal((await post(large)).status, 413)
  assert.equal((await post(large, { 'transfer-encoding': 'chunked' })).status, 413)
  for (const text of [
    '{',
    '[]',
    'null',
    '"x"',
    '{"name":1}',
    '{"name":"x","more":1}',
    '{"__proto__":{"name":"x"}}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ]) {
    assert.equal((await post(text)).status, 400, text.slice(0, 40))
  }
  assert.equal((await post('{"name":"x"}')).status, 200)
  assert.equal((await post('{"name":"x"}', { 'transfer-encoding': 'chunked' })).status, 200)
  assert.equal((await raw(port, '/api/sessions?limit=1&limit=2', { headers: bearer })).status, 400)
  assert.equal((await raw(port, '/api/sessions?unknown=1', { headers: bearer })).status, 400)
})
