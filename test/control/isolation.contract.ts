/**
 * Every route of the table, and every way to a stream, is walked by those who have no business there: nothing of Ann's
 * comes out, and nothing of Ann's changes. A route that is new has to be given a request here.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Database } from '../../src/control/database/port.ts'
import { routes } from '../../src/control/http/routes.ts'
import { begin } from './live.contract.ts'
import { clientOf, event, type Client, type TestNode } from './node.ts'

const MARK = 'only-for-ann'
const SESSION = 'anns-private'
const CONTENT = `content ${MARK}`
const HASH = createHash('sha256').update(CONTENT).digest('hex')

/** A request that would be taken of Ann. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /api/login/code': { code: 'x'.repeat(43), name: 'Eve' },
  'POST /api/login/device': { name: 'x', machine: 'x', scopes: ['watch'] },
  'POST /api/login/device/token': { deviceCode: 'x'.repeat(43) },
  'POST /api/login/approve': { userCode: 'AAAA-AAAA', approve: true },
  'POST /api/sessions/:id/heartbeat': { state: 'error', name: 'changed' },
  'POST /api/sessions/:id/notices': { notices: [{ type: 'x' }] },
  'POST /api/sessions/:id/grants': { person: 'eve', kinds: ['abort'] },
  'POST /api/sessions/:id/sharing': { sharing: 'team' },
  'POST /api/sessions/:id/commands': { id: 'c9', kind: 'abort', content: '{}' },
  'POST /api/sessions/:id/commands/claim': {},
  'POST /api/sessions/:id/commands/:command/settle': { state: 'refused', reason: 'no' },
  'POST /api/sessions/:id/guest-links': {},
  'POST /api/people': { name: 'x', role: 'viewer' },
  'PUT /api/people/:id': { name: 'x' },
  'POST /api/invitations': { name: 'x', role: 'viewer' },
  'POST /api/tokens': { name: 'x', scopes: ['watch'] },
  'PUT /api/sessions/:id/blobs/:hash': CONTENT,
  'POST /api/sessions/:id/pin': { pinned: true },
  'PUT /api/tenant': { sessions: 1 },
  'POST /api/sql': { sql: 'select * from events, sessions' },
  'POST /api/analytics/backfill': { sessions: [SESSION] },
  'POST /api/tasks': { prompt: 'x' },
  'POST /api/tasks/:id/archive': { archived: true },
  'POST /api/tasks/:id/keep': { worker: 'w' },
  'POST /api/tasks/:id/end': { worker: 'w', state: 'done' },
  'POST /api/workers/claim': { worker: 'w', agent: 'x', policy: 'x', slots: 1, busy: 1 },
  'POST /copilot/sessions': { id: SESSION },
  'POST /copilot/sessions/:id/events': { events: [event('x9', 'e1')] },
  'POST /copilot/tasks/:id/steer': { content: 'x' },
}
const WITHOUT_BODY = [
  'POST /api/login/link',
  'POST /api/sessions/:id/claim',
  'POST /api/sessions/:id/restore',
  'POST /api/tasks/:id/cancel',
]

type Way = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>]

function ways(ann: Client, token: string, producer: string): readonly Way[] {
  const values: Readonly<Record<string, string>> = {
    id: SESSION,
    command: 'c1',
    hash: HASH,
    person: ann.person,
    kind: 'standup',
  }
  const walked = routes.flatMap(({ method, path }): readonly Way[] => {
    const name = `${method} ${path}`
    const hasBody = method === 'POST' || method === 'PUT'
    assert.ok(
      !hasBody || name in bodies || WITHOUT_BODY.includes(name),
      `${name} has no request in this test`,
    )
    const own = { ...values, ...(path.startsWith('/api/people') && { id: ann.person }) }
    const all = { ...own, ...(path.startsWith('/api/tokens') && { id: token }) }
    const filled = path.replace(/:(\w+)/g, (_, key: string) => all[key as keyof typeof all] ?? '')
    return [[method, filled, bodies[name]]]
  })
  const claim = { 'producer-id': producer, 'producer-epoch': '1', 'producer-seq': '1' }
  const stream = `/streams/s/${SESSION}/0`
  return [
    ...walked,
    ['GET', `/api/search?q=${MARK}`],
    ['POST', '/api/sql', { sql: 'select * from turns', of: 'mine' }],
    ['GET', '/api/chronicle/standup?of=mine'],
    ['GET', '/metrics'],
    ['GET', `${stream}?offset=-1`],
    ['GET', `${stream}?offset=-1&live=sse`],
    ['GET', `${stream}?offset=-1&live=long-poll`],
    ['HEAD', stream],
    ['POST', stream, [event('x1', 'e1')], claim],
    ['PUT', `/streams/s/${SESSION}/1`, undefined, { ...claim, 'stream-forked-from': stream }],
    ['PUT', '/streams/s/stolen/0', undefined, { 'stream-forked-from': stream }],
    ['PUT', '/streams/free', undefined, { 'stream-forked-from': stream }],
    ['DELETE', stream],
    ['DELETE', `/api/sessions/${SESSION}?now=true`],
  ]
}

/** All that is Ann's; when her token was last used is not. */
async function rowsOf(db: Database, person: string): Promise<unknown> {
  const of = async (table: 'sessions' | 'commands' | 'streams' | 'grants' | 'blob_names') =>
    db.query.selectFrom(table).selectAll().where('tenant', '=', 'main').orderBy('tenant').execute()
  const sessions = (await of('sessions')).filter((row) => 'person' in row && row.person === person)
  const streams = (await of('streams')).filter((row) => 'session' in row && row.session === SESSION)
  const events = await db.query
    .selectFrom('events')
    .select(['stream', 'seq', 'id', 'line'])
    .where('tenant', '=', 'main')
    .orderBy('stream')
    .orderBy('seq')
    .execute()
  const ids = new Set(streams.map((row) => ('id' in row ? row.id : '')))
  return {
    sessions,
    streams,
    events: events.filter(({ stream }) => ids.has(stream)),
    commands: await of('commands'),
    grants: await of('grants'),
    blobs: await of('blob_names'),
    people: await db.query.selectFrom('people').selectAll().where('id', '=', person).execute(),
    tokens: await db.query
      .selectFrom('tokens')
      .select(['id', 'revoked', 'scopes', 'ends'])
      .where('person', '=', person)
      .orderBy('id')
      .execute(),
  }
}

/** The answer, and what comes of its body in a moment: a stream that is open would say it then. */
async function look(client: Client, url: string, way: Way): Promise<string> {
  const [method, path, body, headers] = way
  const moment = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method,
    signal: moment.signal,
    headers: {
      authorization: `Bearer ${client.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const timer = setTimeout(() => moment.abort(), LOOK_MS)
  let text = `${response.status} ${JSON.stringify([...response.headers])}`
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    // It was left open, and the moment is over.
  }
  clearTimeout(timer)
  return text
}

const LOOK_MS = 400

export function describeIsolation(name: string, start: () => Promise<TestNode>): void {
  describe(`${name}, isolation`, () => {
    test('over every route nobody gets or changes what is another person’s or another tenant’s', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      const { producer } = await fill(ann)
      const { tokens } = (await ann.ask('GET', '/api/tokens')).body as { tokens: { id: string }[] }
      const token = tokens[0]?.id ?? ''
      const revoked = await node.person('rex', { role: 'owner' })
      const own = (await revoked.ask('GET', '/api/tokens')).body as {
        tokens: { id: string; person: string }[]
      }
      const id = own.tokens.find(({ person }) => person === revoked.person)?.id
      assert.equal((await revoked.ask('DELETE', `/api/tokens/${id}`)).status, 200)
      const bob = await node.person('bob')
      await begin(bob, 'bobs')
      const others: Readonly<Record<string, Client>> = {
        'another person': bob,
        'a viewer': await node.person('vic', { role: 'viewer' }),
        'the owner of another tenant': await node.person('eve', { tenant: 'other', role: 'owner' }),
        'a guest of another session': await guestOf(node, bob, 'bobs'),
        'an ended token': await node.person('old', { role: 'owner', ends: Date.now() - 1 }),
        'a revoked token': revoked,
        nobody: clientOf(node.url, 'reprise_main.x.' + 'y'.repeat(43), ''),
      }
      // That it has grown is noted a moment after the append.
      await node.control.heard[Symbol.asyncDispose]()
      const before = await rowsOf(node.db, ann.person)
      await Promise.all(
        Object.entries(others).map(async ([who, client]) => {
          for (const way of ways(ann, token, producer)) {
            const text = await look(client, node.url, way)
            assert.ok(!text.includes(MARK), `${who}: ${way[0]} ${way[1]} told ${text}`)
            if (who === 'nobody' || who.endsWith('token'))
              assert.match(text, /^(?:401|410|429|200 .*deviceCode)/, `${who}: ${way[0]} ${way[1]}`)
          }
        }),
      )
      assert.deepEqual(await rowsOf(node.db, ann.person), before)
    })

    test('a guest sees one session, redacted and live, and nothing else; the link works once and is ended alone', async () => {
      await using node = await start()
      const ann = await node.person('ann')
      const claim = await fill(ann)
      const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
      await ann.send(claim.stream, claim, 1, [
        event('e2', 'e1', { data: { content: `with ${secret}`, cwd: '/home/ann' } }),
      ])
      const link = await ann.ask('POST', `/api/sessions/${SESSION}/guest-links`, { hours: 1 })
      const { id, code } = link.body as { id: string; code: string }
      const enter = () => ann.ask('POST', '/api/login/code', { code })
      const { token } = (await enter()).body as { token: string }
      assert.equal((await enter()).status, 401)
      const guest = clientOf(node.url, token, '')
      const seen = await guest.ask('GET', `/api/sessions/${SESSION}`)
      assert.equal(seen.status, 200)
      assert.ok(!seen.text.includes(ann.person))
      const frames: string[] = []
      for await (const frame of guest.frames(`/api/sessions/${SESSION}/live`)) {
        frames.push(JSON.stringify(frame))
        if (frame.event === 'ready') break
      }
      const all = frames.join()
      assert.ok(all.includes('with ') && all.includes(MARK))
      assert.ok(!all.includes(secret) && !all.includes('/home/ann') && !all.includes(ann.person))
      for (const way of ways(ann, 'x', claim.producer)) {
        if (way[1] === `/api/sessions/${SESSION}` && way[0] === 'GET') continue
        if (way[1].endsWith('/live') || way[1].startsWith('/api/login/')) continue
        if (way[1] === '/api/me') continue
        assert.match(await look(guest, node.url, way), /^403/, `${way[0]} ${way[1]}`)
      }
      const { endsAt, ...me } = (await guest.ask('GET', '/api/me')).body as { endsAt: string }
      assert.ok(Date.parse(endsAt) > Date.now())
      assert.deepEqual(me, {
        tenant: 'main',
        person: `guest ${id}`,
        name: 'Guest',
        role: 'viewer',
        machine: 'guest',
        scopes: ['watch'],
        guestOf: SESSION,
      })
      assert.equal((await ann.ask('DELETE', `/api/tokens/${id}`)).status, 200)
      assert.equal((await guest.ask('GET', `/api/sessions/${SESSION}`)).status, 401)
      assert.equal((await ann.ask('GET', '/api/me')).status, 200)
    })

    test('who is invited comes in once with that role; a machine never gets more than who approves it has', async () => {
      await using node = await start()
      const olga = await node.person('olga', { role: 'owner' })
      const invited = await olga.ask('POST', '/api/invitations', { name: 'Ivy', role: 'viewer' })
      const { code } = invited.body as { code: string }
      const ivy = await olga.ask('POST', '/api/login/code', { code, machine: 'desk' })
      const { token } = ivy.body as { token: string }
      const me = await clientOf(node.url, token, '').ask('GET', '/api/me')
      assert.deepEqual(
        (({ role, scopes, name: called, machine }) => [role, scopes, called, machine])(
          me.body as { role: string; scopes: string[]; name: string; machine: string },
        ),
        ['viewer', ['watch'], 'Ivy', 'desk'],
      )
      assert.equal((await olga.ask('POST', '/api/login/code', { code })).status, 401)
      // Each says what they are called; an administrator says it of anybody.
      const { person } = me.body as { person: string }
      const viewer = clientOf(node.url, token, person)
      const renames = async (by: Client, id: string, called: string) =>
        (await by.ask('PUT', `/api/people/${id}`, { name: called })).status
      assert.equal(await renames(viewer, person, 'Ivy Green'), 200)
      assert.equal(await renames(viewer, olga.person, 'Nobody'), 403)
      assert.equal(await renames(olga, olga.person, ' '), 400)
      assert.equal(await renames(olga, person, 'Ivy Blue'), 200)
      const { people } = (await olga.ask('GET', '/api/people')).body as {
        people: { name: string }[]
      }
      assert.deepEqual(people.map((each) => each.name).sort(), ['Ivy Blue', 'olga'])
      const watcher = await node.person('wes', { scopes: ['watch'] })
      const wish = { name: 'x', machine: 'x', scopes: ['watch', 'steer', 'export'] }
      const device = (await watcher.ask('POST', '/api/login/device', wish)).body as {
        userCode: string
        deviceCode: string
      }
      const { userCode, deviceCode } = device
      await watcher.ask('POST', '/api/login/approve', { userCode, approve: true })
      const got = await watcher.ask('POST', '/api/login/device/token', { deviceCode })
      assert.deepEqual((got.body as { scopes: string[] }).scopes, ['watch'])
    })
  })
}

async function fill(ann: Client) {
  const claim = await begin(ann, SESSION)
  await ann.send(claim.stream, claim, 0, [event('e1', null, { data: { content: MARK } })])
  await ann.ask('POST', `/api/sessions/${SESSION}/heartbeat`, { name: MARK, activity: MARK })
  await ann.ask('PUT', `/api/sessions/${SESSION}/blobs/${HASH}`, CONTENT)
  const wish = { id: 'c1', kind: 'user_message', content: MARK }
  assert.equal((await ann.ask('POST', `/api/sessions/${SESSION}/commands`, wish)).status, 202)
  return claim
}

async function guestOf(node: TestNode, client: Client, session: string): Promise<Client> {
  const { code } = (await client.ask('POST', `/api/sessions/${session}/guest-links`, {})).body as {
    code: string
  }
  const { token } = (await client.ask('POST', '/api/login/code', { code })).body as {
    token: string
  }
  return clientOf(node.url, token, '')
}
