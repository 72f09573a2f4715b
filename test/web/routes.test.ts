/** What the routes do, as a client sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactorOf } from '../../src/wiring/open-redactor.ts'
import { cacheFolder } from '../../src/lib/cache-folder.ts'
import { importAll } from '../../src/importers/import-all.ts'
import { openBoard } from '../../src/store/board.ts'
import { createStore } from '../../src/store/store.ts'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import type * as web from '../../src/surfaces/web/api.ts'
import { endTool, openHome, promptsOf, say, startTool, type Script } from '../support/engine.ts'
import { startWorker } from '../inbox/start-worker.ts'
import { obedient } from '../support/obedient.ts'
import { asSessionId } from '../../src/format/ids.ts'
import { api, bearer, connect, isReady, openServer, raw, serve, until } from './web.ts'

async function created(port: number): Promise<string> {
  const { status, body } = await api<web.CreatedAnswer>(port, '/api/sessions', { name: 'a talk' })
  assert.equal(status, 201)
  return body.sessionId
}

const told = (port: number, id: string, prompt: string) =>
  api<web.SentAnswer>(port, `/api/sessions/${id}/send`, { prompt, wait: true })

test('a session that came from another agent is listed with its name', async () => {
  await using place = await openServer()
  const root = new URL('../interchange/golden/claude-2.1.197/projects', import.meta.url).pathname
  const around = { env: {}, home: '/nowhere', root }
  await importAll(place.engine, { agents: ['claude'], around, now: () => new Date() })
  const { sessions } = (await api<web.SessionsAnswer>(place.server.port, '/api/sessions')).body
  assert.deepEqual(new Set(sessions.map((row) => row.importedFrom)), new Set(['Claude Code']))
})

test('a session is made, spoken to, listed, described and read in pages', async () => {
  await using place = await openServer()
  const { port } = place.server
  const id = await created(port)
  for (const prompt of ['one', 'two', 'three']) {
    assert.equal((await told(port, id, prompt)).body.status, 'completed')
  }
  const list = await api<web.SessionsAnswer>(port, '/api/sessions?q=A+TALK')
  assert.deepEqual(
    list.body.sessions.map((row) => [row.id, row.name, row.bucket, row.status]),
    [[id, 'a talk', 'This directory', 'idle']],
  )
  assert.deepEqual((await api<web.SessionsAnswer>(port, '/api/sessions?q=nothing')).body, {
    sessions: [],
    total: 0,
    more: false,
  })
  const one = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.deepEqual(
    [one.metadata.name, one.state.turnCount, one.status, one.queue, one.requests, one.questions],
    ['a talk', 3, 'idle', [], [], []],
  )
  const whole = (await api<web.EventsAnswer>(port, `/api/sessions/${id}/events?limit=1000`)).body
  const ids = whole.events.map((event) => event.id)
  const back: string[] = []
  for (let cursor = ''; ;) {
    const path = `/api/sessions/${id}/events?direction=backward&limit=2${cursor}`
    const { events, more } = (await api<web.EventsAnswer>(port, path)).body
    back.push(...events.map((event) => event.id))
    if (!more) break
    cursor = `&cursor=${back.at(-1)}`
  }
  assert.deepEqual(back.toReversed(), ids)
  const entries: unknown[] = []
  for (let before = ''; ;) {
    const path = `/api/sessions/${id}/transcript?limit=2${before}`
    const page = (await api<web.TranscriptAnswer>(port, path)).body
    assert.ok(page.before === undefined || page.entries[0]?.kind === 'user')
    entries.unshift(...page.entries)
    if (page.before === undefined) break
    before = `&before=${page.before}`
  }
  const all = (await api<web.TranscriptAnswer>(port, `/api/sessions/${id}/transcript?limit=1000`))
    .body
  assert.deepEqual(entries, all.entries)
  assert.equal(all.lastEventId, ids.at(-1))
})

test('a message is accepted before its turn ends; the next one waits in the queue', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const slow: Script = async function* (turn) {
    await gate
    yield say(`done ${turn.message.content}`)
  }
  await using place = await openServer({ script: slow })
  const { engine, server } = place
  const { port } = server
  const id = await created(port)
  const send = (body: object) => api<web.SentAnswer>(port, `/api/sessions/${id}/send`, body)
  assert.deepEqual(await send({ prompt: 'first' }), { status: 202, body: { status: 'accepted' } })
  const queued = await send({ prompt: 'second' })
  assert.equal(queued.body.status, 'queued')
  assert.equal((await send({ prompt: 'no', whenBusy: 'refuse' })).status, 409)
  assert.match((await send({ prompt: 'left', whenBusy: 'steer' })).body.status, /accepted|steered/)
  const during = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.deepEqual(
    [during.status, during.queue],
    ['running', [{ id: queued.body.messageId, prompt: 'second' }]],
  )
  const edit = { action: 'edit', messageId: queued.body.messageId, prompt: 'second, better' }
  assert.equal((await api(port, `/api/sessions/${id}/queue`, edit)).status, 200)
  const client = await connect(port, `/api/sessions/${id}/stream`)
  await until(client.frames, isReady)
  open()
  await until(client.frames, ({ data }) => JSON.stringify(data).includes('done second, better'))
  await until(client.frames, ({ data }) => (data as { type?: string }).type === 'session.idle')
  client.close()
  assert.deepEqual(await promptsOf(engine, asSessionId(id)), ['first', 'left', 'second, better'])
  assert.deepEqual((await api(port, `/api/sessions/${id}/cancel`, {})).body, { cancelled: false })
})

test('a stop leaves what waits held until it is released or cleared, here and in another process', async () => {
  await using place = await openServer({ script: obedient })
  const { port } = place.server
  await using worker = await startWorker(place.home.path)
  const here = await created(port)
  const post = (id: string, what: string, body: object = {}) =>
    api(port, `/api/sessions/${id}/${what}`, body)
  const shown = async (id: string) => {
    const { status, body } = await api<web.SessionAnswer>(port, `/api/sessions/${id}`)
    assert.equal(status, 200, JSON.stringify(body))
    return [body.status, body.isQueueHeld, body.queue.map(({ prompt }) => prompt)]
  }
  const begin = (id: string) =>
    id === here ? post(id, 'send', { prompt: 'wait' }) : worker.send('wait')
  for (const id of [here, worker.id]) {
    const client = await connect(port, `/api/sessions/${id}/stream`)
    await until(client.frames, isReady)
    const saw = (text: string) =>
      until(client.frames, ({ data }) => JSON.stringify(data).includes(text))
    await begin(id)
    await saw('assistant.turn_start')
    await post(id, 'send', { prompt: 'later' })
    assert.deepEqual(await shown(id), ['running', false, ['later']])
    assert.deepEqual((await post(id, 'cancel')).body, { cancelled: true })
    assert.deepEqual(await shown(id), ['idle', true, ['later']])
    assert.equal((await post(id, 'queue', { action: 'resume' })).status, 200)
    await saw('echo: later')
    // That another process is idle is a notice, which its end may outrun; that it is, can always be asked.
    while ((await shown(id))[0] !== 'idle') await new Promise((again) => setImmediate(again))
    assert.deepEqual(await shown(id), ['idle', false, []])

    await begin(id)
    await saw('assistant.turn_start')
    await post(id, 'send', { prompt: 'never' })
    await post(id, 'cancel')
    assert.equal((await post(id, 'queue', { action: 'clear' })).status, 200)
    assert.deepEqual(await shown(id), ['idle', false, []])
    client.close()
    assert.ok(!(await promptsOf(place.engine, asSessionId(id))).includes('never'))
  }
})

test('permissions and questions are shown to whoever comes later, and the first answer wins', async () => {
  const asking: Script = async function* (turn) {
    yield startTool('t1')
    const decision = await turn.permit({
      kind: 'shell',
      toolCallId: 't1',
      fullCommandText: 'ls',
      intention: 'look',
      commands: [],
      possiblePaths: [],
      possibleUrls: [],
      hasWriteFileRedirection: false,
      canOfferSessionApproval: true,
    })
    yield endTool('t1')
    yield say(`${decision.kind}, ${await turn.ask({ question: 'Why?', choices: ['a', 'b'] })}`)
  }
  await using place = await openServer({ script: asking, policy: () => 'ask', answers: true })
  const { port } = place.server
  const id = await created(port)
  const client = await connect(port, `/api/sessions/${id}/stream`)
  await until(client.frames, isReady)
  const done = told(port, id, 'go')
  const typed = (type: string) => (frame: { data: unknown }) =>
    (frame.data as { type?: string }).type === type
  await until(client.frames, typed('permission.requested'))
  const asked = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.equal(asked.status, 'waiting')
  const [request] = asked.requests
  assert.equal(request?.answerable, true)
  const answer = { requestId: request?.requestId, decision: 'allow' }
  assert.equal((await api(port, `/api/sessions/${id}/answer`, answer)).status, 200)
  assert.equal((await api(port, `/api/sessions/${id}/answer`, answer)).status, 404)
  await until(client.frames, typed('user_input.requested'))
  const { questions } = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.deepEqual(
    questions.map(({ question, choices }) => [question, choices]),
    [['Why?', ['a', 'b']]],
  )
  const reply = { requestId: questions[0]?.requestId, answer: 'b' }
  assert.equal((await api(port, `/api/sessions/${id}/answer-question`, reply)).status, 200)
  assert.equal((await done).body.status, 'completed')
  client.close()
  const after = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.deepEqual([after.status, after.requests, after.questions], ['idle', [], []])
  const { entries } = (await api<web.TranscriptAnswer>(port, `/api/sessions/${id}/transcript`)).body
  const last = entries.findLast(({ kind }) => kind === 'assistant')
  assert.equal(last?.kind === 'assistant' ? last.text : '', 'allow, b')
})

test('rewind, redo, undo, fork, rename, compact, delete and restore', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { port } = server
  const id = await created(port)
  for (const prompt of ['one', 'two']) await told(port, id, prompt)
  const post = <T>(what: string, body: object = {}) =>
    api<T>(port, `/api/sessions/${id}/${what}`, body)
  const { turns } = (await api<web.TurnsAnswer>(port, `/api/sessions/${id}/turns`)).body
  const eventId = turns[0]?.eventId
  const preview = await api<web.RewindPreviewAnswer>(
    port,
    `/api/sessions/${id}/rewind-preview?eventId=${eventId}`,
  )
  const rewound = await post<web.RewoundAnswer>('rewind', { eventId })
  assert.equal(rewound.body.eventsRemoved, preview.body.eventsRemoved)
  assert.equal(rewound.body.eventsKept, preview.body.eventsKept)
  assert.deepEqual(await promptsOf(engine, asSessionId(id)), ['one'])
  assert.equal(
    (await post<web.RedoneAnswer>('redo')).body.eventsRestored,
    rewound.body.eventsRemoved,
  )
  assert.equal((await post('redo')).status, 409)
  assert.equal((await post<web.RewoundAnswer>('undo', { turns: 1 })).body.turnsRemoved, 1)
  assert.equal((await post('redo')).status, 200)
  const fork = await post<web.ForkedAnswer>('fork', { before: eventId, name: 'other' })
  assert.equal(fork.status, 201)
  assert.deepEqual(await promptsOf(engine, fork.body.sessionId), ['one'])
  assert.deepEqual((await post('rename', { name: 'better' })).body, { name: 'better' })
  assert.equal((await post<web.CompactedAnswer>('compact')).body.checkpointNumber, 1)
  const { checkpoints } = (
    await api<web.CheckpointsAnswer>(port, `/api/sessions/${id}/checkpoints`)
  ).body
  assert.equal(checkpoints.length, 1)
  assert.equal((await api(port, `/api/sessions/${id}/checkpoints/1`)).status, 200)
  assert.equal((await post('mode', { mode: 'plan' })).status, 200)
  assert.equal((await post('model', { model: 'm' })).status, 200)
  const { state } = (await api<web.SessionAnswer>(port, `/api/sessions/${id}`)).body
  assert.deepEqual([state.mode, state.model], ['plan', 'm'])
  assert.equal((await post<web.DeletedAnswer>('delete')).body.outcome, 'trashed')
  assert.equal((await api(port, `/api/sessions/${id}`)).status, 404)
  assert.equal((await api<web.TrashAnswer>(port, '/api/trash')).body.sessions[0]?.id, id)
  assert.deepEqual((await post('restore')).body, { sessionId: id })
  assert.equal((await api(port, `/api/sessions/${id}`)).status, 200)
})

test('plan and files; a file comes as an attachment that no browser runs', async () => {
  await using place = await openServer()
  const { port } = place.server
  const id = await created(port)
  const post = (what: string, body: object) => api(port, `/api/sessions/${id}/${what}`, body)
  assert.deepEqual((await api(port, `/api/sessions/${id}/plan`)).body, { text: null })
  await post('plan', { text: '# Plan' })
  assert.deepEqual((await api(port, `/api/sessions/${id}/plan`)).body, { text: '# Plan' })
  await post('plan', { text: null })
  assert.deepEqual((await api(port, `/api/sessions/${id}/plan`)).body, { text: null })
  const page = '<script>alert(1)</script>'
  const path = 'files/ä "x\'.html'
  const base64 = Buffer.from(page).toString('base64')
  assert.equal((await post('files', { path, base64 })).status, 200)
  const { files } = (await api<web.FilesAnswer>(port, `/api/sessions/${id}/files`)).body
  assert.deepEqual(
    files.map((file) => [file.path, file.size]),
    [[path, page.length]],
  )
  const content = `/api/sessions/${id}/files/content?path=`
  const got = await raw(port, content + encodeURIComponent(path), { headers: bearer })
  assert.deepEqual([got.status, got.text], [200, page])
  assert.equal(got.headers['content-type'], 'application/octet-stream')
  assert.equal(
    got.headers['content-disposition'],
    "attachment; filename*=UTF-8''%C3%A4%20%22x_.html",
  )
  assert.match(String(got.headers['content-security-policy']), /sandbox/)
  assert.equal((await raw(port, `${content}files/none`, { headers: bearer })).status, 404)
})

test('an export is one file without secrets and without anything that runs', async () => {
  const secret = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
  const redactor = createRedactor({ key: new Uint8Array(32) })
  await using place = await openServer({
    redact: async (value) => redactor.redactJson(value).value,
  })
  const { port } = place.server
  const id = await created(port)
  const hostile = `<img src=x onerror=alert(1)> </title><script>alert(2)</script> \u202e ${secret}`
  await told(port, id, hostile)
  for (const format of ['html', 'markdown', 'json']) {
    const got = await raw(port, `/api/sessions/${id}/export?format=${format}`, { headers: bearer })
    assert.equal(got.status, 200)
    assert.ok(!got.text.includes(secret), format)
    assert.ok(got.text.includes('alert(2)'), format)
    if (format === 'html') assert.doesNotMatch(got.text, /<script|<img|\u202e|https?:\/\//)
    if (format === 'json') assert.equal(JSON.parse(got.text).format, 'reprise-session')
  }
})

test('search, reports, board and SQL answer from the store, and say so when there is none', async () => {
  const paths = [
    '/api/search?q=x',
    '/api/chronicle/standup',
    '/api/usage',
    '/api/board',
    '/api/sql/schema',
  ]
  await using bare = await openServer()
  for (const path of paths) {
    const { status, body } = await api<web.ErrorAnswer>(bare.server.port, path)
    assert.deepEqual([status, body.error.code], [503, 'unavailable'], path)
  }
  assert.equal((await api(bare.server.port, '/api/sql', { sql: 'SELECT 1' })).status, 503)

  await using home = await openHome()
  const engine = home.engine()
  const options = { cacheFolder: cacheFolder({ XDG_CACHE_HOME: home.path }) }
  const store = createStore(engine.fs, options)
  const board = openBoard(engine.fs, options)
  await using server = await serve(engine, home.path, {
    store: {
      store: async () => store,
      board: async () => board,
      redactor: () => redactorOf(home.path),
      ...options,
    },
  })
  const { port } = server
  const id = await created(port)
  await told(port, id, 'the quick zebra')
  const found = await api<web.SearchAnswer>(port, '/api/search?q=zebra')
  assert.equal(found.body.hits[0]?.sessionId, id)
  for (const path of paths) assert.equal((await api(port, path)).status, 200, path)
  const rows = await api<web.SqlAnswer>(port, '/api/sql', { sql: 'SELECT id FROM sessions' })
  assert.deepEqual(rows.body.rows, [[id]])
  assert.equal((await api(port, '/api/sql', { sql: 'DROP TABLE sessions' })).status, 400)
  assert.equal((await api(port, '/api/chronicle/standup?since=nonsense')).status, 400)
  await store.close()
  board.close()
})
