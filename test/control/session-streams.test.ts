/** The log of a session over the wire: who may append, what is taken, and where a reader of an old generation goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { event, startNode, type Client } from './node.ts'

type Claimed = {
  producer: string
  epoch: number
  stream: string
  events: number
  lastEventId: string | null
}

async function begin(ann: Client, id: string): Promise<Claimed> {
  const made = await ann.ask('PUT', `/streams/s/${id}/0`)
  assert.equal(made.status, 201)
  return (await ann.ask('POST', `/api/sessions/${id}/claim`)).body as Claimed
}

const idsOf = (answer: { readonly body: unknown }) =>
  (answer.body as { id: string }[]).map(({ id }) => id)

test('a log takes events of the producer that has claimed it, and nothing else', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  const log = '/streams/s/one/0'
  assert.equal((await ann.send(log, claim, 0, [event('e1', null), event('e2', 'e1')])).status, 200)
  assert.equal((await ann.send(log, claim, 0, [event('e1', null), event('e2', 'e1')])).status, 204)
  assert.equal((await ann.ask('POST', log, [event('e3', 'e2')])).status, 400)
  assert.equal((await ann.send(log, claim, 1, [{ not: 'an event' }])).status, 400)
  assert.equal((await ann.send(log, claim, 1, [])).status, 400)
  assert.equal((await ann.ask('DELETE', log)).status, 403)
  const stranger = await ann.send(log, { ...claim, producer: 'another/one' }, 1, [
    event('e3', 'e2'),
  ])
  assert.deepEqual([stranger.status, stranger.headers.get('producer-epoch')], [403, '1'])
  const gap = await ann.send(log, claim, 2, [event('e3', 'e2')])
  assert.deepEqual([gap.status, gap.headers.get('producer-expected-seq')], [409, '1'])
  const read = await ann.ask('GET', log)
  assert.deepEqual(idsOf(read), ['e1', 'e2'])
  assert.equal(read.headers.get('stream-up-to-date'), 'true')
})

test('bytes of an event come back as they were sent', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  const line =
    '{"type":"x.y", "data":{"n":1.0,"big":12345678901234567890,"s":"\\u0000\\ud800"},"id":"e1","timestamp":"2026-11-16T05:44:47.649Z","parentId":null}'
  const headers = { 'producer-id': claim.producer, 'producer-epoch': '1', 'producer-seq': '0' }
  assert.equal((await ann.ask('POST', '/streams/s/one/0', `[ ${line} ]`, headers)).status, 200)
  assert.equal((await ann.ask('GET', '/streams/s/one/0')).text, `[${line}]`)
})

test('who reads a rewound log is told which one goes on, and from where', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  await ann.send(
    '/streams/s/one/0',
    claim,
    0,
    ['e1', 'e2', 'e3'].map((id, at, all) => event(id, all[at - 1] ?? null)),
  )
  const old = (await ann.ask('HEAD', '/streams/s/one/0')).headers.get('stream-next-offset') ?? ''
  const live = ann.ask('GET', `/streams/s/one/0?offset=${old}&live=sse`)
  const cut = old.replace(/3$/, '1')
  const rewind = (generation: number, from: number, offset: string) =>
    ann.ask('PUT', `/streams/s/one/${generation}`, undefined, {
      'stream-forked-from': `/streams/s/one/${from}`,
      'stream-fork-offset': offset,
      'producer-id': claim.producer,
      'producer-epoch': '1',
      'producer-seq': '0',
    })
  assert.equal((await rewind(2, 0, cut)).status, 409)
  assert.equal((await rewind(1, 0, cut)).status, 201)
  assert.equal((await rewind(1, 0, cut)).status, 200)
  assert.match(
    (await live).text,
    new RegExp(`"streamClosed":true.*"successor":"/streams/s/one/1","successorOffset":"${cut}"`),
  )
  const told = await ann.ask('GET', `/streams/s/one/0?offset=${old}`)
  assert.deepEqual(
    ['stream-closed', 'stream-successor', 'stream-successor-offset'].map((name) =>
      told.headers.get(name),
    ),
    ['true', '/streams/s/one/1', cut],
  )
  assert.equal((await ann.send('/streams/s/one/0', claim, 1, [event('e4', 'e3')])).status, 409)
  assert.equal((await ann.send('/streams/s/one/1', claim, 0, [event('f2', 'e1')])).status, 200)
  assert.deepEqual(idsOf(await ann.ask('GET', '/streams/s/one/1')), ['e1', 'f2'])
  // A redo: forked from the end of the removed one. Both generations have e1 in common.
  assert.equal((await rewind(2, 0, old)).status, 201)
  assert.deepEqual(idsOf(await ann.ask('GET', '/streams/s/one/2')), ['e1', 'e2', 'e3'])
  const second = await ann.ask('GET', '/streams/s/one/1')
  assert.deepEqual(
    [second.headers.get('stream-successor'), second.headers.get('stream-successor-offset')],
    ['/streams/s/one/2', cut],
  )
})

test('a reader that waits hears of an event, and a fork is a session of its own', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  const wait = ann.ask('GET', '/streams/s/one/0?offset=now&live=long-poll')
  await ann.send('/streams/s/one/0', claim, 0, [event('e1', null)])
  assert.deepEqual(idsOf(await wait), ['e1'])
  const fork = await ann.ask('PUT', '/streams/s/two/0', undefined, {
    'stream-forked-from': '/streams/s/one/0',
  })
  assert.equal(fork.status, 201)
  const claimed = (await ann.ask('POST', '/api/sessions/two/claim')).body as Claimed
  assert.deepEqual([claimed.events, claimed.lastEventId], [1, 'e1'])
  await ann.send('/streams/s/two/0', claimed, 0, [event('e2', 'e1')])
  assert.deepEqual(idsOf(await ann.ask('GET', '/streams/s/two/0')), ['e1', 'e2'])
  assert.deepEqual(idsOf(await ann.ask('GET', '/streams/s/one/0')), ['e1'])
})

test('nobody reads, changes or finds out about what is not theirs', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const claim = await begin(ann, 'one')
  await ann.send('/streams/s/one/0', claim, 0, [event('e1', null)])
  const content = 'large content'
  const hash = await crypto.subtle
    .digest('SHA-256', Buffer.from(content))
    .then((each) => Buffer.from(each).toString('hex'))
  assert.equal((await ann.ask('PUT', `/api/sessions/one/blobs/${hash}`, content)).status, 204)
  assert.equal((await ann.ask('GET', `/api/sessions/one/blobs/${hash}`)).text, content)
  const bob = await node.person('bob')
  await begin(bob, 'bobs')
  const others = {
    bob,
    'another tenant': await node.person('eve', { tenant: 'other', role: 'owner' }),
    'a viewer': await node.person('vic', { role: 'viewer' }),
    'an owner': await node.person('olga', { role: 'owner' }),
  }
  const ways: readonly (readonly [string, string, unknown?, Record<string, string>?])[] = [
    ['GET', '/streams/s/one/0'],
    ['HEAD', '/streams/s/one/0'],
    ['GET', '/streams/s/one/0?offset=-1&live=sse'],
    [
      'POST',
      '/streams/s/one/0',
      [event('x', 'e1')],
      { 'producer-id': claim.producer, 'producer-epoch': '1', 'producer-seq': '1' },
    ],
    ['PUT', '/streams/s/mine/0', undefined, { 'stream-forked-from': '/streams/s/one/0' }],
    ['PUT', '/streams/free', undefined, { 'stream-forked-from': '/streams/s/one/0' }],
    ['DELETE', '/streams/s/one/0'],
    ['GET', '/api/sessions/one'],
    ['DELETE', '/api/sessions/one'],
    ['POST', '/api/sessions/one/claim'],
    ['POST', '/api/sessions/one/heartbeat', {}],
    ['POST', '/api/sessions/one/sharing', { sharing: 'team' }],
    ['POST', '/api/sessions/one/commands', { id: 'c', kind: 'abort', content: '{}' }],
    ['GET', '/api/sessions/one/commands'],
    ['POST', '/api/sessions/one/commands/claim'],
    ['GET', `/api/sessions/one/blobs/${hash}`],
    ['GET', `/api/sessions/bobs/blobs/${hash}`],
    ['GET', '/copilot/sessions/one'],
    ['GET', '/copilot/tasks/one/events'],
    ['POST', '/copilot/sessions/one/events', { events: [] }],
    ['GET', '/copilot/sessions/one/commands'],
  ]
  for (const [who, other] of Object.entries(others)) {
    for (const way of ways) {
      const answer = await other.ask(...way)
      assert.ok(
        [403, 404].includes(answer.status),
        `${who}: ${way[0]} ${way[1]} was answered ${answer.status}`,
      )
      assert.ok(!answer.text.includes('said e1'))
    }
    const sessions = (await other.ask('GET', '/api/sessions')).body as {
      sessions: { id: string }[]
    }
    assert.ok(sessions.sessions.every(({ id }) => id !== 'one'))
  }
  assert.equal(
    (await ann.ask('POST', '/api/sessions/one/sharing', { sharing: 'team' })).status,
    200,
  )
  assert.deepEqual(idsOf(await bob.ask('GET', '/streams/s/one/0')), ['e1'])
  assert.equal((await bob.ask('GET', `/api/sessions/one/blobs/${hash}`)).text, content)
  assert.equal((await bob.ask('GET', `/api/sessions/bobs/blobs/${hash}`)).status, 404)
  assert.equal((await others['another tenant'].ask('GET', '/streams/s/one/0')).status, 404)
  assert.equal((await others['a viewer'].ask('PUT', '/streams/s/new/0')).status, 403)
})

test('a token that ended or was revoked, another name and another origin are refused everywhere', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const late = await node.person('late', { ends: Date.now() - 1 })
  const { tokens } = (await ann.ask('GET', '/api/tokens')).body as { tokens: { id: string }[] }
  assert.equal(tokens.length, 1)
  assert.equal((await late.ask('GET', '/api/me')).status, 401)
  assert.equal(
    (await ann.ask('GET', '/api/me', undefined, { origin: 'https://evil.example' })).status,
    403,
  )
  assert.equal(
    (await ann.ask('GET', '/api/me', undefined, { 'sec-fetch-site': 'cross-site' })).status,
    403,
  )
  assert.equal((await ann.ask('GET', '/metrics')).status, 403)
  assert.equal((await fetch(`${node.url}/ready`)).status, 200)
  await ann.ask('DELETE', `/api/tokens/${tokens[0]?.id}`)
  for (const path of ['/api/me', '/api/sessions', '/streams/s/one/0', '/copilot/tasks', '/metrics'])
    assert.equal((await ann.ask('GET', path)).status, 401, path)
})

test('machines that wait for their person are not taken for one who guesses, who is stopped', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  const post = (path: string, body: object) => ann.ask('POST', path, body)
  const asks = { name: 'laptop', machine: 'laptop', scopes: ['export'] }
  const begun = await post('/api/login/device', asks)
  const { deviceCode, userCode } = begun.body as { deviceCode: string; userCode: string }
  const wait = () => post('/api/login/device/token', { deviceCode })
  for (let at = 0; at < 60; at++) assert.equal((await wait()).status, 428)
  await post('/api/login/approve', { userCode, approve: true })
  assert.equal((await wait()).status, 200)
  const guesses = Array.from({ length: 40 }, () => post('/api/login/code', { code: 'x' }))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].sort(), [401, 429])
  assert.equal(statuses.filter((status) => status === 401).length, 29)
})

test('a command is queued for a machine that takes them, claimed once, and ends with its event', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann, 'one')
  const wish = { id: 'c1', kind: 'user_message', content: 'go on' }
  assert.equal((await ann.ask('POST', '/api/sessions/one/commands', wish)).status, 409)
  await ann.ask('POST', '/api/sessions/one/heartbeat', {
    steerable: true,
    state: 'working',
    activity: 'runs the tests',
  })
  const session = (await ann.ask('GET', '/api/sessions/one')).body as {
    presence: { state: string; isStale: boolean }
  }
  assert.deepEqual([session.presence.state, session.presence.isStale], ['working', false])
  assert.equal((await ann.ask('POST', '/api/sessions/one/commands', wish)).status, 202)
  assert.equal((await ann.ask('POST', '/api/sessions/one/commands', wish)).status, 202)
  const { commands } = (await ann.ask('POST', '/api/sessions/one/commands/claim')).body as {
    commands: { id: string; content: string }[]
  }
  assert.deepEqual(
    commands.map(({ id, content }) => [id, content]),
    [['c1', 'go on']],
  )
  await ann.ask('POST', '/api/sessions/one/commands/c1/settle', { state: 'applied', event: 'e7' })
  const all = (await ann.ask('GET', '/api/sessions/one/commands')).body as {
    commands: { state: string; event: string }[]
  }
  assert.deepEqual(
    all.commands.map(({ state, event: id }) => [state, id]),
    [['applied', 'e7']],
  )
})
