/**
 * The page that Mission Control serves has routes of its own, which work with the token behind a browser's cookie. All
 * of them are walked by browsers that have no business with Ann's session. A route that is new has to be given a
 * request here.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveControl } from '../../src/control/http/listen.ts'
import { routes } from '../../src/surfaces/web/routes.ts'
import { openControlPage } from '../../src/wiring/control-page.ts'
import { begin } from './live.contract.ts'
import { event, startNode, type Client, type TestNode } from './node.ts'

const MARK = 'only-for-ann'
const SESSION = '7b1c6d0e-1111-4222-8333-444455556666'
const HASH = 'a'.repeat(64)
const NONE = ''

/** What is asked besides the path: a query, or a body that would be taken of Ann. */
const requests: Readonly<Record<string, string | object>> = {
  'GET /api/server': NONE,
  'GET /api/sessions': NONE,
  'GET /api/trash': NONE,
  'GET /api/stream': NONE,
  'GET /api/sessions/:id': NONE,
  'GET /api/sessions/:id/commands': NONE,
  'GET /api/sessions/:id/events': NONE,
  'GET /api/sessions/:id/transcript': NONE,
  'GET /api/sessions/:id/find': `?q=${MARK}`,
  'GET /api/sessions/:id/pictures/:sha256': NONE,
  'GET /api/sessions/:id/stream': NONE,
  'GET /api/sessions/:id/turns': NONE,
  'GET /api/sessions/:id/rewind-preview': '?eventId=e1',
  'GET /api/sessions/:id/context': NONE,
  'GET /api/sessions/:id/forks': NONE,
  'GET /api/sessions/:id/blobs/:sha256': NONE,
  'GET /api/sessions/:id/plan': NONE,
  'GET /api/sessions/:id/files': NONE,
  'GET /api/sessions/:id/files/content': '?path=files/a.md',
  'GET /api/sessions/:id/checkpoints': NONE,
  'GET /api/sessions/:id/checkpoints/:number': NONE,
  'GET /api/sessions/:id/export': '?format=json',
  'POST /api/sessions': { name: 'mine' },
  'POST /api/sessions/:id/send': { prompt: 'x' },
  'POST /api/sessions/:id/command': { text: '/undo' },
  'POST /api/sessions/:id/cancel': {},
  'POST /api/sessions/:id/answer': { requestId: 'r', decision: 'allow' },
  'POST /api/sessions/:id/answer-question': { requestId: 'r', answer: 'x' },
  'POST /api/sessions/:id/queue': { action: 'clear' },
  'POST /api/sessions/:id/rewind': { eventId: 'e1' },
  'POST /api/sessions/:id/undo': {},
  'POST /api/sessions/:id/redo': {},
  'POST /api/sessions/:id/fork': {},
  'POST /api/sessions/:id/compact': {},
  'POST /api/sessions/:id/rename': { name: 'changed' },
  'POST /api/sessions/:id/delete': { now: true },
  'POST /api/sessions/:id/restore': {},
  'POST /api/sessions/:id/plan': { text: 'changed' },
  'POST /api/sessions/:id/files': { path: 'files/a.md', base64: 'eA==' },
  'POST /api/sessions/:id/mode': { mode: 'plan' },
  'PATCH /api/sessions/:id': { name: 'x' },
  'DELETE /api/sessions/:id': '?now=true',
  'DELETE /api/sessions/:id/plan': NONE,
  'DELETE /api/sessions/:id/queue/:messageId': NONE,
  'POST /api/sessions/:id/model': { model: 'x' },
  'POST /api/link': {},
  'POST /api/sessions/:id/guest-link': {},
  'GET /api/sessions/:id/changes': '?scope=session',
  'GET /api/sessions/:id/changes/file': '?scope=session&path=a',
  'POST /api/sessions/:id/restore-file': { eventId: 'e1', path: 'a' },
  'GET /api/sessions/:id/blame': '?path=a&line=1',
  'GET /api/agents': NONE,
  'GET /api/models': NONE,
  'GET /api/inbox': NONE,
  'POST /api/inbox/left': { restore: true },
  'GET /api/projects': NONE,
  'POST /api/stream/follow': { streamId: 'x', key: 'x', sessionId: SESSION },
  'POST /api/stream/unfollow': { streamId: 'x', key: 'x' },
  'GET /api/search': `?q=${MARK}`,
  'GET /api/chronicle/:kind': NONE,
  'GET /api/usage': NONE,
  'GET /api/activity': NONE,
  'GET /api/sql/schema': NONE,
  'POST /api/sql': { sql: 'select * from turns, sessions' },
  'GET /api/board': NONE,
  'POST /api/board/add': { repository: 'r', name: 'x', content: 'x' },
  'POST /api/board/remove': { name: 'x' },
  'POST /api/board/decide': { ids: ['x'], decision: 'accept' },
}

const eventId = '00000000-0000-4000-8000-000000000001'
/** Of operations that want parameters. */
const params: Readonly<Record<string, object>> = {
  send: { message: { prompt: 'x' } },
  answer: { requestId: 'r', kind: 'allow' },
  answerQuestion: { requestId: 'r' },
  revoke: { number: 'all' },
  changeQueue: { change: { kind: 'clear' } },
  setModel: { model: 'x' },
  setMode: { mode: 'plan' },
  switchGuidance: { kind: 'skills', name: 'x', isOn: false },
  setSteerable: { isSteerable: true },
  moveTo: { cwd: '/' },
  rename: { title: 'x' },
  nameByDefault: { title: 'x' },
  contextItem: { item: 'x' },
  editContext: { operation: 'omit', item: 'x' },
  clearContext: { prompt: 'x' },
  askAside: { question: 'x' },
  note: { level: 'info', message: 'x' },
  recordHandoff: { sourceType: 'local' },
  previewRewind: { eventId },
  rewind: { eventId },
  changes: { scope: { kind: 'session' } },
  changedFile: { scope: { kind: 'session' }, path: 'x', of: 'project' },
  restoreFile: { eventId, path: 'x' },
  writePlan: { text: 'x' },
  readFile: { path: 'files/x' },
  writeFile: { path: 'files/x', bytes: '' },
  statPath: { path: 'files' },
  createFolder: { path: 'files/y' },
  removePath: { path: 'files', recursive: true },
  renamePath: { from: 'files', to: 'files2' },
  readCheckpoint: { number: 1 },
  'tasks.start': { agentType: 'x', prompt: 'x' },
  'tasks.message': { id: 'x', message: 'x' },
  'tasks.cancel': { id: 'x' },
  'tasks.promote': { id: 'x' },
  'tasks.progress': { id: 'x' },
  'schedules.add': { prompt: 'x', interval: '1h' },
  'schedules.stop': { number: 1 },
  'schedules.rearm': { number: 1, at: 1 },
  'canvases.record': { instanceId: 'x', canvasId: 'x', extensionId: 'x' },
  'canvases.remove': { instanceId: 'x', canvasId: 'x', extensionId: 'x' },
}
const operationRequest = (name: string): object | undefined => {
  const [, operation] = /^POST \/api\/sessions\/:id\/operations\/(.+)$/.exec(name) ?? []
  return operation === undefined ? undefined : (params[operation] ?? {})
}

const values: Readonly<Record<string, string>> = {
  id: SESSION,
  sha256: HASH,
  number: '1',
  messageId: 'm1',
  kind: 'standup',
}
const LOOK_MS = 300

type Browser = { readonly cookie: string }

/** A browser that shows the page: it has a cookie, and says where it comes from. The status, and what comes of it. */
async function look(url: string, { cookie }: Browser, name: string): Promise<string> {
  const [method = '', path = ''] = name.split(' ')
  const more = requests[name] ?? operationRequest(name)
  assert.ok(more !== undefined, `${name} has no request in this test`)
  const filled = path.replace(/:(\w+)/g, (_, key: string) => values[key] ?? '')
  const moment = new AbortController()
  const response = await fetch(`${url}${filled}${typeof more === 'string' ? more : ''}`, {
    method,
    signal: moment.signal,
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    ...(typeof more === 'object' && { body: JSON.stringify(more) }),
  })
  const timer = setTimeout(() => moment.abort(), LOOK_MS)
  let text = `${response.status} `
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    // It was left open, and the moment is over.
  }
  clearTimeout(timer)
  return text
}

async function servePage(node: TestNode) {
  const onFault = () => {}
  return serveControl({
    controls: [node.control],
    port: 0,
    onFault,
    page: (inside) => openControlPage(inside, { version: 'test', onFault }),
  })
}

/** Signs a browser in by a link of this person, or with the code of a guest's. */
async function browserOf(url: string, client: Client, given?: string): Promise<Browser> {
  const code =
    given ?? ((await client.ask('POST', '/api/login/link')).body as { code: string }).code
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  assert.equal(response.status, 200)
  return { cookie: response.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
}

async function fill(ann: Client) {
  const claim = await begin(ann, SESSION)
  const first = event('e1', null, { data: { content: MARK } })
  assert.equal((await ann.send(claim.stream, claim, 0, [first])).status, 200)
  await ann.ask('POST', `/api/sessions/${SESSION}/heartbeat`, {
    name: MARK,
    activity: MARK,
    steerable: true,
  })
}

/** When it was last looked at moves by itself. */
async function stored(node: TestNode): Promise<unknown> {
  await node.control.heard[Symbol.asyncDispose]()
  const of = (table: 'sessions' | 'streams' | 'events' | 'commands' | 'grants') =>
    node.db.query.selectFrom(table).selectAll().where('tenant', '=', 'main').execute()
  return [await of('sessions'), await of('events'), await of('commands'), await of('grants')]
}

test('no browser of another gets or changes anything of a private session, over every route of the page', async () => {
  await using node = await startNode()
  await using server = await servePage(node)
  const { url } = server
  const ann = await node.person('ann')
  await fill(ann)
  const own = await browserOf(url, ann)
  const bob = await node.person('bob')
  await begin(bob, 'bobs')
  const link = await bob.ask('POST', '/api/sessions/bobs/guest-links', {})
  const rex = await node.person('rex', { role: 'owner' })
  const revoked = await browserOf(url, rex)
  const { tokens } = (await rex.ask('GET', '/api/tokens')).body as {
    tokens: { id: string; person: string }[]
  }
  // The last one made is the browser's: with the first one they are all revoked.
  for (const { id } of tokens.filter(({ person }) => person === rex.person).toReversed())
    assert.equal((await rex.ask('DELETE', `/api/tokens/${id}`)).status, 200)
  const others: Readonly<Record<string, Browser>> = {
    'another person': await browserOf(url, bob),
    'a viewer': await browserOf(url, await node.person('vic', { role: 'viewer' })),
    'an owner': await browserOf(url, await node.person('olga', { role: 'owner' })),
    'another tenant': await browserOf(
      url,
      await node.person('eve', { tenant: 'other', role: 'owner' }),
    ),
    'a guest of another session': await browserOf(url, bob, (link.body as { code: string }).code),
    'a revoked browser': revoked,
    nobody: { cookie: '' },
  }
  assert.match(await look(url, own, 'GET /api/sessions/:id/transcript'), new RegExp(MARK))
  const before = await stored(node)
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  await Promise.all(
    Object.entries(others).map(async ([who, browser]) => {
      for (const name of names) {
        const text = await look(url, browser, name)
        assert.ok(!text.includes(MARK), `${who}: ${name} told ${text}`)
        if (who === 'nobody' || who === 'a revoked browser') assert.match(text, /^401/, name)
        if (name.includes('/:id')) assert.doesNotMatch(text, /^2/, `${who}: ${name}`)
      }
    }),
  )
  assert.deepEqual(await stored(node), before)
})

test('what is not shared any more is gone from a browser that had it open', async () => {
  await using node = await startNode()
  await using server = await servePage(node)
  const { url } = server
  const ann = await node.person('ann')
  await fill(ann)
  const share = (sharing: string) =>
    ann.ask('POST', `/api/sessions/${SESSION}/sharing`, { sharing })
  const browser = await browserOf(url, await node.person('bob'))
  await share('team')
  const reading = ['transcript', 'events', 'turns', 'find'].map(
    (what) => `GET /api/sessions/:id/${what}`,
  )
  for (const name of reading) assert.match(await look(url, browser, name), new RegExp(MARK), name)
  await share('private')
  for (const name of reading) {
    const text = await look(url, browser, name)
    assert.ok(!text.includes(MARK), `${name} told ${text}`)
  }
})
