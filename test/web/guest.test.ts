/** What a guest may ask, for how long, and what of it is hidden. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import type * as web from '../../src/surfaces/web/api.ts'
import { openGuest, sealGuest } from '../../src/surfaces/web/guest.ts'
import { loginRoute, routes } from '../../src/surfaces/web/routes.ts'
import { converse, endTool, say, startTool, type Script } from '../support/engine.ts'
import { GUEST_KEY, api, bearer, guestCode, guestOf, openServer, raw, type Headers } from './web.ts'

const json = { 'content-type': 'application/json' }
const HOUR_MS = 3_600_000

const OPEN = [
  '/api/server',
  '/api/sessions/:id',
  '/api/sessions/:id/events',
  '/api/sessions/:id/transcript',
  '/api/sessions/:id/stream',
  '/api/sessions/:id/turns',
  '/api/sessions/:id/context',
  '/api/sessions/:id/plan',
  '/api/sessions/:id/checkpoints',
  '/api/sessions/:id/checkpoints/:number',
  '/api/sessions/:id/export',
]

const pathOf = (path: string, id: string) =>
  path
    .replace(':id', id)
    .replace(':number', '1')
    .replace(':kind', 'standup')
    .replace(':sha256', '0'.repeat(64))

async function ask(port: number, method: string, path: string, headers: Headers) {
  const post = method === 'POST'
  const { status, text } = await raw(port, path, {
    method,
    headers: { ...(post && json), ...headers },
    ...(post && { body: '{}' }),
  })
  const code = status < 400 ? undefined : (JSON.parse(text) as web.ErrorAnswer).error.code
  return { status, code, text }
}

async function talked(options: Parameters<typeof openServer>[0] = {}, ...prompts: string[]) {
  const place = await openServer(options)
  try {
    const { id } = await place.engine.create({ name: 'a talk' })
    await (await place.engine.open(id)).save()
    for (const prompt of prompts) await converse(place.engine, id, { prompt })
    return { place, id }
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

test('a guest reads one session, and every other route of the table is closed', async () => {
  const { place, id } = await talked({}, 'one', 'two')
  await using _place = place
  const { server, engine } = place
  const { port } = server
  assert.deepEqual(
    routes
      .filter(({ guests }) => guests)
      .map(({ path }) => path)
      .sort(),
    OPEN.toSorted(),
  )
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  const origin = `http://127.0.0.1:${port}`
  const asked = [
    ...routes.map(({ method, path }) => ({ method, path, isOpen: OPEN.includes(path) })),
    { method: 'GET', path: '/api/openapi.json', isOpen: false },
    { method: 'GET', path: '/api/nothing', isOpen: false },
    { method: 'POST', path: '/api/sessions/:id', isOpen: false },
    { method: 'POST', path: '/api/sessions/:id/stream', isOpen: false },
  ]
  for (const { method, path, isOpen } of asked) {
    const { status, code, text } = await ask(port, method, pathOf(path, id), { ...guest, origin })
    const isMissing = path.endsWith(':number')
    const wanted = !isOpen ? [403, 'forbidden'] : isMissing ? [404, 'not_found'] : [200, undefined]
    // A plan is read and written under one path.
    if (method !== 'GET') assert.deepEqual([status, code], [403, 'forbidden'], path)
    else assert.deepEqual([status, code], wanted, `${method} ${path}: ${text.slice(0, 200)}`)
  }
  assert.equal((await engine.list()).length, 1)
  assert.equal(await (await engine.open(id)).readPlan(), undefined)
  const closed = await ask(port, 'POST', `/api/sessions/${id}/send`, { ...guest, origin })
  assert.match(closed.text, /read-only view of one session/)
})

test('another session is answered to a guest as one that does not exist', async () => {
  const { place, id } = await talked({}, 'one')
  await using _place = place
  const { server, engine } = place
  const { id: other } = await engine.create({ name: 'not for guests' })
  await converse(engine, other, { prompt: 'hidden' })
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  const missing = '00000000-0000-4000-8000-000000000000'
  for (const path of OPEN.filter((each) => each.includes(':id'))) {
    const [there, not] = [
      await ask(server.port, 'GET', pathOf(path, other), guest),
      await ask(server.port, 'GET', pathOf(path, missing), guest),
    ]
    assert.deepEqual([there.status, there.code], [404, 'not_found'], path)
    assert.equal(there.text, not.text, path)
  }
  await engine.remove([id])
  const gone = await ask(server.port, 'GET', `/api/sessions/${id}`, guest)
  assert.deepEqual([gone.status, gone.code], [404, 'not_found'])
})

test('a link is made by the owner, for many and for as long as was asked for', async () => {
  const { place, id } = await talked({ now: () => Date.UTC(2026, 0, 1) }, 'one')
  await using _place = place
  const { server } = place
  const { port } = server
  const path = `/api/sessions/${id}/guest-link`
  const made = await api<web.GuestLinkAnswer>(port, path, {})
  assert.equal(made.status, 201)
  assert.equal(made.body.expiresAt, '2026-01-02T00:00:00.000Z')
  assert.match(made.body.link, new RegExp(`^http://127\\.0\\.0\\.1:${port}/#guest=[\\w.-]+$`))
  const long = await api<web.GuestLinkAnswer>(port, path, { hours: 720 })
  assert.equal(long.body.expiresAt, '2026-01-31T00:00:00.000Z')
  for (const hours of [0, -1, 721, 1.5, '24', null])
    assert.equal((await api(port, path, { hours })).status, 400, String(hours))
  const missing = '/api/sessions/00000000-0000-4000-8000-000000000000/guest-link'
  assert.equal((await api(port, missing, {})).status, 404)

  const [first, second] = [
    await guestOf(server, made.body.link),
    await guestOf(server, made.body.link),
  ]
  for (const guest of [first, second])
    assert.equal((await ask(port, 'GET', `/api/sessions/${id}`, guest)).status, 200)
  const { headers, text } = await raw(port, '/api/login', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code: guestCode(made.body.link) }),
  })
  assert.deepEqual(JSON.parse(text), { ok: true, guestOf: id })
  assert.match(
    headers['set-cookie']?.[0] ?? '',
    /^reprise_guest_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=86400$/,
  )
  const shown = await api<web.ServerAnswer>(port, '/api/server', undefined, first)
  assert.deepEqual(shown.body, {
    version: 'test',
    hasStore: false,
    guest: { sessionId: id, expiresAt: made.body.expiresAt },
  })
})

test('a link that was changed, has expired, is of another key or of another use opens nothing', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  let key: Uint8Array | undefined = GUEST_KEY
  const { place, id } = await talked(
    {
      now: () => nowMs,
      guestKey: { read: async () => key, make: async () => key ?? GUEST_KEY },
    },
    'one',
  )
  await using _place = place
  const { server, engine } = place
  const { port } = server
  const { id: other } = await engine.create()
  const { link } = await server.guestLink(id, 1)
  const code = guestCode(link)
  const [name = '', time = '', seal = ''] = code.split('.')
  const guest = await guestOf(server, link)
  const value = guest.cookie.slice(guest.cookie.indexOf('=') + 1)
  const login = async (given: string) => {
    const body = JSON.stringify({ code: given })
    const { status, text } = await raw(port, loginRoute.path, {
      method: 'POST',
      headers: json,
      body,
    })
    return { status, text }
  }
  const refused = await login('nothing like it')
  assert.equal(refused.status, 401)
  const wrong: Record<string, string> = {
    'another session': `${other}.${time}.${seal}`,
    'a later time': `${name}.${`${time}0`}.${seal}`,
    'another seal': `${name}.${time}.${seal.startsWith('A') ? 'B' : 'A'}${seal.slice(1)}`,
    'a seal that is one sign longer': `${code}A`,
    'no seal': `${name}.${time}`,
    'an empty seal': `${name}.${time}.`,
    'the value of a cookie': value,
    'another key': sealGuest(Buffer.alloc(32, 1), 'link', {
      sessionId: id,
      expiresAtMs: nowMs + HOUR_MS,
    }),
  }
  for (const [what, given] of Object.entries(wrong))
    assert.deepEqual(await login(given), refused, what)
  const reads = async (cookie: string) =>
    (await ask(port, 'GET', `/api/sessions/${id}`, { cookie })).status
  const cookieName = `reprise_guest_${port}`
  assert.equal(await reads(`${cookieName}=${value}`), 200)
  assert.equal(await reads(`${cookieName}=${code}`), 401, 'the code of a link is no cookie')
  assert.equal(await reads(`reprise_${port}=${value}`), 401, "a guest's is not the owner's")
  assert.equal(await reads(`${cookieName}=${value}; ${cookieName}=${value}`), 401, 'two of them')
  assert.equal(await reads(`${cookieName}=${value}x`), 401)

  // Until the very second, and no longer.
  nowMs += HOUR_MS - 1
  assert.equal(await reads(guest.cookie), 200)
  nowMs += 1
  assert.equal(await reads(guest.cookie), 401)
  assert.deepEqual(await login(code), refused)
  nowMs -= HOUR_MS
  assert.equal(await reads(guest.cookie), 200)
  // The owner has ended all of them.
  key = Buffer.alloc(32, 2)
  assert.equal(await reads(guest.cookie), 401)
  assert.deepEqual(await login(code), refused)
  key = undefined
  assert.equal(await reads(guest.cookie), 401)
  assert.equal((await api(port, '/api/sessions')).status, 200, 'the owner is not concerned')
})

test('an owner who is also a guest is the owner', async () => {
  const { place, id } = await talked({}, 'one')
  await using _place = place
  const { server } = place
  const { port } = server
  const code = new URL(server.link()).hash.slice('#code='.length)
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  const body = JSON.stringify({ code })
  const login = await raw(port, '/api/login', { method: 'POST', headers: json, body })
  const [owner = ''] = (login.headers['set-cookie']?.[0] ?? '').split(';')
  const origin = `http://127.0.0.1:${port}`
  for (const headers of [
    { cookie: `${owner}; ${guest.cookie}` },
    { cookie: `${guest.cookie}; ${owner}` },
    { ...bearer, ...guest },
  ]) {
    assert.equal((await ask(port, 'GET', '/api/sessions', headers)).status, 200)
    const named = await raw(port, `/api/sessions/${id}/rename`, {
      method: 'POST',
      headers: { ...json, ...headers, origin },
      body: '{"name":"mine"}',
    })
    assert.equal(named.status, 200)
  }
  // Without an origin its cookie changes nothing, and what is left is a guest.
  const both = { cookie: `${owner}; ${guest.cookie}` }
  assert.equal((await ask(port, 'POST', `/api/sessions/${id}/redo`, both)).status, 403)
})

const SECRET = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
const HALF = SECRET.slice(0, 12)

/** Says and does what it is told, with a secret in all of it. */
const careless: Script = async function* () {
  yield startTool('t1', 'bash', { command: `curl -H "x: ${SECRET}"` })
  yield endTool('t1', `exported ${SECRET} to the environment`)
  yield say(`The token is ${SECRET}.`)
}

test('secrets are hidden from a guest wherever they stand, and from nobody else', async () => {
  const redactor = createRedactor({ key: new Uint8Array(32) })
  const redact = async <T>(value: T) => redactor.redactJson(value).value
  // Cut in the middle of the secret, as previews and names are: half of one looks like none.
  const prompt = `${'x '.repeat(33)}${SECRET} is what to use`
  const { place, id } = await talked({ script: careless, redact }, prompt, prompt)
  await using _place = place
  const { server, engine, home } = place
  const { port } = server
  await (await engine.open(id)).writePlan(`# Plan\n\nUse ${SECRET}.`)
  await (await engine.open(id)).compact()
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  const path = `/api/sessions/${id}`
  const read = async (rest: string, headers: Headers) =>
    (await raw(port, path + rest, { headers })).text
  const tells = [
    '/events',
    '/transcript',
    '/turns',
    '/plan',
    '/export?format=html',
    '/checkpoints/1',
  ]
  const all = [
    ...tells,
    '',
    '/export?format=markdown',
    '/export?format=json',
    '/context',
    '/checkpoints',
  ]
  for (const rest of all) {
    const told = await read(rest, guest)
    assert.ok(!told.includes(HALF), `${rest}: ${told}`)
    if (tells.includes(rest)) assert.match(told, /\[REDACTED:/, rest)
    assert.ok(!told.includes(home.path), told)
    assert.doesNotMatch(told, /"(cwd|gitRoot)"/, rest)
  }
  for (const rest of ['/events', '/transcript', '/turns', '/plan'])
    assert.ok((await read(rest, bearer)).includes(HALF), `${rest} is as it is for the owner`)

  await (await engine.open(id)).rename(`with ${SECRET}`)
  const named = await api<web.SessionAnswer>(port, path, undefined, guest)
  assert.match(named.body.metadata.name ?? '', /^with \[REDACTED:[^\]]+\]$/)
  const { metadata, state } = named.body
  assert.deepEqual(
    [metadata.path, metadata.cwd, metadata.holder, state.project, state.titleHint],
    [undefined, undefined, undefined, {}, undefined],
  )
  const { id: unnamed } = await engine.create()
  await converse(engine, unnamed, { prompt })
  const other = await guestOf(server, (await server.guestLink(unnamed, 1)).link)
  const about = (await raw(port, `/api/sessions/${unnamed}`, { headers: other })).text
  assert.ok(!about.includes(HALF), about)
  assert.match(about, /\[REDACTED:/)
})

test('a failure tells a guest nothing of the machine', async () => {
  const { place, id } = await talked({}, 'one')
  await using _place = place
  const { server } = place
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  for (const rest of ['/events?cursor=nothing', '/checkpoints/7', '/transcript?before=nothing']) {
    const { status, text } = await ask(server.port, 'GET', `/api/sessions/${id}${rest}`, guest)
    assert.ok(status >= 400 && status < 500, `${rest}: ${status}`)
    const { error } = JSON.parse(text) as web.ErrorAnswer
    assert.deepEqual(error.details, {}, rest)
    assert.doesNotMatch(error.message, /nothing\b.*\bevent|\//, rest)
  }
})

test('what is sealed opens until its second with the same key and use', () => {
  const guest = { sessionId: '00000000-0000-4000-8000-000000000000' as never, expiresAtMs: 5_000 }
  const sealed = sealGuest(GUEST_KEY, 'link', guest)
  assert.deepEqual(openGuest(GUEST_KEY, 'link', sealed, 4_999), guest)
  assert.equal(openGuest(GUEST_KEY, 'link', sealed, 5_000), undefined)
  assert.equal(openGuest(GUEST_KEY, 'cookie', sealed, 4_999), undefined)
})
