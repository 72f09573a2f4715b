/** What a review, a new session and a long transcript ask of the server. */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Agent } from '../../src/engine/agent.ts'
import type * as web from '../../src/surfaces/web/api.ts'
import { working } from '../support/at-work.ts'
import { converse, eventsOf, openHome, scripted } from '../support/engine.ts'
import { api, openServer, raw, serve, TOKEN } from './web.ts'

/** One red point. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

test('any place of a transcript is one page away, and pages join without a gap', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id } = await engine.create()
  for (let turn = 0; turn < 40; turn++) await converse(engine, id, { prompt: `message ${turn}` })
  const page = async (query: string) =>
    (await api<web.TranscriptAnswer>(server.port, `/api/sessions/${id}/transcript?${query}`)).body
  const said = ({ entries }: web.TranscriptAnswer) =>
    entries.flatMap((entry) => (entry.kind === 'user' ? [Number(entry.text.split(' ')[1])] : []))
  const middle = await page('turn=20&limit=20')
  assert.ok(said(middle).includes(20) && said(middle).length < 20)
  const held = [...said(middle)]
  let { before, after } = middle
  while (before !== undefined) {
    const older = await page(`before=${before}&limit=10`)
    held.unshift(...said(older))
    before = older.before
  }
  while (after !== undefined) {
    const newer = await page(`after=${after}&limit=10`)
    held.push(...said(newer))
    after = newer.after
  }
  assert.deepEqual(held, [...Array(40).keys()])
  const { events } = await (await engine.open(id)).events()
  for (const { id: eventId } of [events[0]!, events[57]!, events.at(-1)!]) {
    const { entries, lastEventId } = await page(`around=${eventId}&limit=6`)
    assert.ok(entries.length > 0 && lastEventId !== undefined)
  }
  const refused = await api(server.port, `/api/sessions/${id}/transcript?turn=1&before=x`)
  assert.equal(refused.status, 400)
  const missing = await api(server.port, `/api/sessions/${id}/transcript?turn=4711`)
  assert.equal(missing.status, 404)
})

test('a text is found wherever it stands in a session', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id } = await engine.create()
  for (const prompt of ['the Needle', 'hay', 'a needle again'])
    await converse(engine, id, { prompt })
  const { body } = await api<web.FindAnswer>(server.port, `/api/sessions/${id}/find?q=NEEDLE`)
  assert.deepEqual(
    body.hits.map(({ kind, snippet }) => [kind, snippet.text.slice(snippet.start, snippet.end)]),
    [
      ['user', 'Needle'],
      ['assistant', 'Needle'],
      ['user', 'needle'],
      ['assistant', 'needle'],
    ],
  )
  const few = await api<web.FindAnswer>(server.port, `/api/sessions/${id}/find?q=needle&limit=1`)
  assert.equal(few.body.more, true)
})

test('pictures and texts go along with a message and are shown; other files are refused', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id } = await engine.create()
  const send = (attachments: object[], prompt = 'look') =>
    api(server.port, `/api/sessions/${id}/send`, { prompt, attachments, wait: true })
  const text = Buffer.from('one\ntwo').toString('base64')
  const { status } = await send([
    { name: 'red.png', base64: PNG },
    { name: 'notes.txt', base64: text },
  ])
  assert.equal(status, 202)
  const [message] = (await eventsOf(engine, id)).filter(({ type }) => type === 'user.message')
  const { attachments } = message!.data as { attachments: Record<string, unknown>[] }
  assert.deepEqual(
    attachments.map(({ type, displayName, mimeType, text: quoted }) => ({
      type,
      displayName,
      mimeType,
      quoted,
    })),
    [
      { type: 'blob', displayName: 'red.png', mimeType: 'image/png', quoted: undefined },
      { type: 'selection', displayName: 'notes.txt', mimeType: undefined, quoted: 'one\ntwo' },
    ],
  )
  const { body } = await api<web.TranscriptAnswer>(server.port, `/api/sessions/${id}/transcript`)
  const [user] = body.entries.filter((entry) => entry.kind === 'user')
  assert.deepEqual(user?.attachments, ['red.png', 'notes.txt'])
  assert.deepEqual(
    user?.pictures?.map(({ name, mimeType }) => [name, mimeType]),
    [['red.png', 'image/png']],
  )
  const program = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]).toString('base64')
  assert.equal((await send([{ name: 'a.out', base64: program }])).status, 400)
  assert.equal((await eventsOf(engine, id)).filter((e) => e.type === 'user.message').length, 1)
})

test('a bulky picture is shown as a picture, and nothing else is', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id } = await engine.create()
  const bulky = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(200_000, 7)])
  const attachments = [{ name: 'big.png', base64: bulky.toString('base64') }]
  await api(server.port, `/api/sessions/${id}/send`, { prompt: 'x', attachments, wait: true })
  const { body } = await api<web.TranscriptAnswer>(server.port, `/api/sessions/${id}/transcript`)
  const [user] = body.entries.filter((entry) => entry.kind === 'user')
  const sha256 = user?.pictures?.[0]?.sha256
  assert.ok(sha256 !== undefined)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const shown = await raw(server.port, `/api/sessions/${id}/pictures/${sha256}`, { headers })
  assert.equal(shown.status, 200)
  assert.equal(shown.headers['content-type'], 'image/png')
  assert.equal(shown.headers['x-content-type-options'], 'nosniff')
  const none = await raw(server.port, `/api/sessions/${id}/pictures/${'0'.repeat(64)}`, {
    headers,
  })
  assert.equal(none.status, 404)
})

test('changes are told by turn, compared, blamed and put back one by one', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await using server = await serve(engine, home.path, { cwd: project })
  for (const prompt of ['write a.txt one', 'write a.txt two'])
    await converse(engine, id, { prompt })
  const ask = async <T>(rest: string, body?: object) =>
    (await api<T>(server.port, `/api/sessions/${id}/${rest}`, body)).body
  const { turns } = await ask<web.TurnsAnswer>('turns')
  const last = `eventId=${turns[0]!.eventId}`
  const { files } = await ask<web.ChangesAnswer>(`changes?scope=turn&${last}`)
  assert.deepEqual(
    files.map(({ path, change }) => [path, change]),
    [['a.txt', 'modified']],
  )
  const pair = await ask<web.ChangedFileAnswer>(`changes/file?scope=turn&${last}&path=a.txt`)
  assert.deepEqual(
    [
      pair.before.kind === 'text' && pair.before.text,
      pair.after.kind === 'text' && pair.after.text,
    ],
    ['one', 'two'],
  )
  const blamed = await ask<web.BlameAnswer>('blame?path=a.txt&line=1')
  assert.equal(blamed.kind === 'turn' && blamed.prompt, 'write a.txt two')
  const restored = await ask<web.RestoredFileAnswer>('restore-file', {
    eventId: turns[0]!.eventId,
    path: 'a.txt',
  })
  assert.equal(restored.outcome, 'restored')
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
  const { status } = await api(server.port, `/api/sessions/${id}/changes?scope=turn`)
  assert.equal(status, 400)
})

test('a session begins in another folder, answered by who was chosen, in its mode', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const made: string[] = []
  await using server = await serve(engine, home.path, {
    agents: {
      list: () => [{ name: 'robot', about: 'on this machine' }],
      make: async (name) => {
        made.push(name)
        return { ...scripted(), name }
      },
      usual: async () => 'openai-compatible/m1',
      models: async (agent) =>
        agent === 'robot'
          ? { offered: [] }
          : { configured: 'm1', offered: ['m1', 'm2'], trouble: 'slow' },
    },
  })
  const { body: agents } = await api<web.AgentsAnswer>(server.port, '/api/agents')
  assert.deepEqual(agents, {
    agents: [{ name: 'robot', about: 'on this machine' }],
    usual: 'openai-compatible/m1',
  })
  const { body: models } = await api<web.ModelsAnswer>(server.port, '/api/models')
  assert.deepEqual(models, {
    models: [
      { name: 'm1', from: 'configured' },
      { name: 'm2', from: 'offered' },
    ],
    trouble: 'slow',
  })
  const folder = join(home.path, 'elsewhere')
  await mkdir(folder)
  const choosing: Agent = {
    ...scripted(),
    name: 'choosing',
    start: async () => {},
    options: () => ({
      options: [
        {
          id: 'm',
          name: 'Model',
          category: 'model',
          value: 'small',
          values: ['small', 'large'].map((value) => ({ value, name: value })),
        },
      ],
      acp: {},
    }),
  }
  const { id: own } = await engine.create({ cwd: folder })
  await (await engine.open(own)).setAgent(choosing)
  const ofIts = await api<web.ModelsAnswer>(server.port, `/api/models?session=${own}`)
  assert.deepEqual(ofIts.body.models, [
    { name: 'large', from: 'offered' },
    { name: 'small', from: 'offered' },
  ])
  const create = (body: object) => api<web.CreatedAnswer>(server.port, '/api/sessions', body)
  const { sessionId } = (await create({ cwd: folder, agent: 'robot', mode: 'plan' })).body
  const { body } = await api<web.SessionAnswer>(server.port, `/api/sessions/${sessionId}`)
  assert.deepEqual(made, ['robot'])
  assert.deepEqual(body.answers, { agent: 'robot' })
  assert.equal(body.state.mode, 'plan')
  assert.equal(body.metadata.cwd, folder)
  const usual = (await create({})).body.sessionId
  const { answers } = (await api<web.SessionAnswer>(server.port, `/api/sessions/${usual}`)).body
  assert.deepEqual(answers, { agent: 'model', model: 'm1' })
  const { projects } = (await api<web.ProjectsAnswer>(server.port, '/api/projects')).body
  assert.deepEqual(new Set(projects.map(({ cwd }) => cwd)), new Set([folder, home.path]))
  assert.equal((await create({ cwd: join(home.path, 'nowhere') })).status, 400)
})
