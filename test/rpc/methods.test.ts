/** Every method: its refusals, and the answers of those that no other test asks for. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { methods } from '../../src/surfaces/rpc/methods.ts'
import { createdBy, said, startServer, type RawClient } from './in-process.ts'

const UNKNOWN = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'

test('what is no method is named, and what is no session is said', async () => {
  await using served = await startServer()
  const client = served.connect()
  assert.deepEqual(await client.refusal('session.frobnicate'), {
    code: -32601,
    message: 'Unhandled method session.frobnicate',
    data: { method: 'session.frobnicate' },
  })
  for (const name of ['toString', '__proto__', 'constructor'])
    assert.equal((await client.refusal(name)).code, -32601)
  assert.deepEqual(await client.refusal('session.resume', { sessionId: UNKNOWN }), {
    code: -32603,
    message: (await client.refusal('session.resume', { sessionId: UNKNOWN })).message,
    data: { code: 'not_found', sessionId: UNKNOWN },
  })
})

test('parameters that are not right are refused by the name of the field, in every method', async () => {
  await using served = await startServer()
  const client = served.connect()
  const refusals: string[] = []
  for (const [name, { params }] of Object.entries(methods)) {
    const isAlwaysFine = params.safeParse({ sessionId: UNKNOWN }).success
    if (isAlwaysFine) continue
    const { code, data } = await client.refusal(name, {})
    assert.equal(code, -32602, name)
    refusals.push(`${name}: ${(data as { field: string }).field}`)
  }
  assert.ok(refusals.includes('session.send: sessionId'))
  assert.ok(refusals.length > 40)
  assert.deepEqual(await client.refusal('session.send', { sessionId: UNKNOWN, prompt: 7 }), {
    code: -32602,
    message:
      'Invalid parameters of session.send: prompt: Invalid input: expected string, received number',
    data: { field: 'prompt' },
  })
  for (const id of ['../../etc', '.hidden', 'a/b', '', 7])
    assert.equal((await client.refusal('session.getMetadata', { sessionId: id })).code, -32602)
})

test('the groups that were promised are there', () => {
  const groups: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'promised-methods.json'), 'utf8'),
  ) as never
  const missing = Object.entries(groups).flatMap(([prefix, names]) =>
    names.map((name) => `${prefix}${name}`).filter((name) => !Object.hasOwn(methods, name)),
  )
  assert.deepEqual(missing, [])
})

async function talked(client: RawClient): Promise<string> {
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'hello')
  return sessionId
}

test('settings: model, mode, name, options', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await talked(client)
  const on = <T>(name: string, params: object = {}) =>
    client.call<T>(`session.${name}`, { sessionId, ...params })
  assert.deepEqual(await on('model.getCurrent'), {})
  assert.equal(
    (
      await client.refusal('session.model.setReasoningEffort', {
        sessionId,
        reasoningEffort: 'low',
      })
    ).code,
    -32603,
  )
  await on('model.switchTo', { modelId: 'm1', reasoningEffort: 'low' })
  await on('model.setReasoningEffort', { reasoningEffort: 'high' })
  assert.deepEqual(await on('model.getCurrent'), { modelId: 'm1', reasoningEffort: 'high' })
  assert.deepEqual(await on('model.list'), { list: [{ id: 'test-model', name: 'test-model' }] })
  assert.equal(await on('mode.get'), 'interactive')
  assert.deepEqual(await on('mode.set', { mode: 'plan', expectedMode: 'autopilot' }), {
    status: 'mode-mismatch',
    modelChanged: false,
    modeApplied: false,
  })
  await on('mode.set', { mode: 'plan' })
  assert.equal(await on('mode.get'), 'plan')
  assert.deepEqual(await on('name.setAuto', { summary: 'By itself' }), { applied: true })
  await on('name.set', { name: 'By hand' })
  assert.deepEqual(await on('name.setAuto', { summary: 'By itself' }), { applied: false })
  assert.deepEqual(await on('name.get'), { name: 'By hand' })
  await on('options.update', { model: 'm2', workingDirectory: '/' })
  assert.deepEqual(await on('model.getCurrent'), { modelId: 'm2', reasoningEffort: 'high' })
  const glance = await on<{ workingDirectory: string; currentMode: string; selectedModel: string }>(
    'metadata.snapshot',
  )
  assert.deepEqual(
    [glance.workingDirectory, glance.currentMode, glance.selectedModel],
    ['/', 'plan', 'm2'],
  )
  assert.deepEqual(await on('metadata.setWorkingDirectory', { workingDirectory: '/tmp' }), {
    workingDirectory: '/tmp',
  })
  for (const workingDirectory of ['x', '/nobody/has/this']) {
    const params = { sessionId, workingDirectory }
    const refused = await client.refusal('session.metadata.setWorkingDirectory', params)
    assert.equal(refused.code, -32603)
    assert.match(refused.message, /The session stays in \/tmp\.$/)
  }
  assert.ok(client.events(sessionId).some(({ type }) => type === 'session.context_changed'))
  assert.deepEqual(await on('permissions.getMode'), { mode: 'manual' })
  await on('permissions.setMode', { mode: 'allow-all' })
  assert.deepEqual(await on('permissions.getMode'), { mode: 'allow-all' })
  const { contextInfo } = await on<{ contextInfo: { totalTokens: number } }>(
    'metadata.contextInfo',
    {
      promptTokenLimit: 1000,
      outputTokenLimit: 100,
    },
  )
  assert.ok(contextInfo.totalTokens > 0)
  assert.equal((await on<{ totalUserRequests: number }>('usage.getMetrics')).totalUserRequests, 1)
  assert.deepEqual(await on('metadata.activity'), { abortable: false, hasActiveWork: false })
})

test('the plan and the files of a session, and nothing beside them', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const on = <T>(name: string, params: object = {}) =>
    client.call<T>(`session.${name}`, { sessionId, ...params })
  const { path, ...none } = await on<{ path: string }>('plan.read')
  assert.deepEqual(none, { exists: false, content: null })
  assert.match(path, /plan\.md$/)
  assert.deepEqual(await on('workspaces.getWorkspace'), { workspace: null })
  await on('plan.update', { content: '- [ ] all of it' })
  assert.equal((await on<{ content: string }>('plan.read')).content, '- [ ] all of it')
  await on('plan.delete')
  assert.equal((await on<{ exists: boolean }>('plan.read')).exists, false)
  const { workspace } = await on<{ workspace: { id: string } }>('workspaces.ensure')
  assert.equal(workspace.id, sessionId)
  await on('workspaces.createFile', { path: 'notes/a.md', content: 'ä' })
  await on('workspaces.createDirectory', { path: 'empty' })
  assert.deepEqual(await on('workspaces.readFile', { path: 'notes/a.md' }), { content: 'ä' })
  const stat = await on<Record<string, unknown>>('workspaces.statFile', { path: 'notes' })
  assert.deepEqual([stat['isFile'], stat['isDirectory']], [false, true])
  await on('workspaces.renamePath', { source: 'notes/a.md', destination: 'b.md' })
  assert.deepEqual(await on('workspaces.listFiles'), { files: ['b.md'] })
  await on('workspaces.removePath', { path: 'empty' })
  await on('workspaces.removePath', { path: 'empty', force: true })
  assert.equal(
    (await client.refusal('session.workspaces.removePath', { sessionId, path: 'empty' })).code,
    -32603,
  )
  const { saved } = await on<{ saved: { filename: string; sizeBytes: number } }>(
    'workspaces.saveLargePaste',
    { content: 'long' },
  )
  assert.equal(saved.sizeBytes, 4)
  for (const path of ['../events.jsonl', '/etc/passwd', 'a/../../x', 'a\\b', 'c:\\x', 'a\0b'])
    for (const method of ['readFile', 'statFile', 'removePath', 'createDirectory']) {
      const refused = await client.refusal(`session.workspaces.${method}`, { sessionId, path })
      assert.deepEqual((refused.data as { code: string }).code, 'invalid', `${method} ${path}`)
    }
  await on('workspaces.updateMetadata', { name: 'Named' })
  assert.deepEqual(await on('name.get'), { name: 'Named' })
  assert.deepEqual(await on('workspaces.listCheckpoints'), { checkpoints: [] })
  assert.deepEqual(await on('workspaces.readCheckpoint', { number: 1 }), { content: null })
  await on('workspaces.truncateSummaries', { keepCount: 0 })
  const summary = { sessionId, title: 't', content: 'c' }
  assert.equal((await client.refusal('session.workspaces.addSummary', summary)).code, -32603)
  assert.deepEqual(await on('workspaces.diff', { mode: 'unstaged' }), {
    requestedMode: 'unstaged',
    mode: 'unstaged',
    isFallback: false,
    changes: [],
  })
})

test('files that were renamed and removed are back after a rewind, and gone again after a redo', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const on = <T>(name: string, params: object = {}) =>
    client.call<T>(`session.${name}`, { sessionId, ...params })
  const files = async () => (await on<{ files: string[] }>('workspaces.listFiles')).files
  await said(client, sessionId, 'one')
  for (const path of ['notes/a.md', 'notes/b.md', 'gone.md'])
    await on('workspaces.createFile', { path, content: path })
  await said(client, sessionId, 'two')
  await on('workspaces.renamePath', { source: 'notes', destination: 'kept/notes' })
  await on('workspaces.removePath', { path: 'gone.md' })
  await on('workspaces.removePath', { path: 'kept/notes/b.md' })
  assert.deepEqual(await files(), ['kept/notes/a.md'])
  const { points } = await on<{ points: { eventId: string }[] }>('history.listRewindPoints')
  const eventId = points.at(-1)?.eventId
  await on('history.rewind', { eventId, mode: 'conversation-and-files' })
  assert.deepEqual(await files(), ['gone.md', 'notes/a.md', 'notes/b.md'])
  assert.deepEqual(await on('workspaces.readFile', { path: 'gone.md' }), { content: 'gone.md' })
  await on('history.redo')
  assert.deepEqual(await files(), ['kept/notes/a.md'])
})

test('what programs keep with a session is kept, by key', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const update = (change: object) =>
    client.call('session.metadata.updateClientMetadata', { sessionId, ...change })
  assert.deepEqual(await update({ set: { a: '1', b: '2', __proto__: 'x' } }), { a: '1', b: '2' })
  assert.deepEqual(await update({ remove: ['a'], set: { c: '3' } }), { b: '2', c: '3' })
  assert.deepEqual(
    await client.call('sessions.getClientMetadata', {
      sessionIds: [sessionId, UNKNOWN],
      keys: ['c'],
    }),
    [
      { sessionId, status: 'ok', metadata: { c: '3' } },
      { sessionId: UNKNOWN, status: 'notFound' },
    ],
  )
  assert.deepEqual(await update({ clear: true }), {})
  assert.equal(
    (
      await client.refusal('session.metadata.updateClientMetadata', {
        sessionId,
        set: Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [`k${at}`, 'x'.repeat(4000)]),
        ),
      })
    ).code,
    -32603,
  )
})

test('sessions of the home: found, forked, measured, pruned and deleted', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await talked(client)
  const one = await client.call<{ sessionId: string }>('sessions.findByPrefix', {
    prefix: sessionId.slice(0, 8),
  })
  assert.deepEqual(one, { sessionId })
  const { sessionId: fork } = await client.call<{ sessionId: string }>('sessions.fork', {
    sessionId,
    name: 'Another way',
  })
  const ids = await client.call<{ sessionIds: string[] }>('sessions.listNonEmptySessionIds', {})
  assert.deepEqual(ids.sessionIds.toSorted(), [sessionId, fork].toSorted())
  const all = await client.call<{ sessions: { sessionId: string; name?: string }[] }>(
    'sessions.list',
  )
  assert.equal(all.sessions.find((each) => each.sessionId === fork)?.name, 'Another way')
  assert.deepEqual(await client.call('sessions.list', { source: 'remote' }), { sessions: [] })
  const enriched = await client.call<typeof all>('sessions.enrichMetadata', {
    sessions: [{ sessionId: fork }],
  })
  assert.equal(enriched.sessions[0]?.name, 'Another way')
  const { sizes } = await client.call<{ sizes: Record<string, number> }>('sessions.getSizes')
  assert.deepEqual(Object.keys(sizes).toSorted(), [sessionId, fork].toSorted())
  assert.deepEqual(await client.call('sessions.checkInUse', { sessionIds: [sessionId, fork] }), {
    inUse: [sessionId],
  })
  const { filePath } = await client.call<{ filePath: string }>('sessions.getEventFilePath', {
    sessionId,
  })
  assert.match(readFileSync(filePath, 'utf8'), /session\.start/)
  assert.ok((await client.call<{ sessionId?: string }>('sessions.getLastForContext')).sessionId)
  assert.deepEqual(await client.call('sessions.findByTaskId', { taskId: 'x' }), {})
  const opened = await client.call('sessions.open', { kind: 'resume', sessionId: fork })
  assert.deepEqual(opened, { status: 'resumed', sessionId: fork })
  assert.deepEqual(await client.call('sessions.open', { kind: 'attach', sessionId: UNKNOWN }), {
    status: 'not_found',
  })
  assert.equal((await client.refusal('sessions.open', { kind: 'cloud' })).code, -32603)
  const made = await client.call<{ sessionId: string }>('sessions.open', { kind: 'create' })
  await client.call('sessions.save', { sessionId: made.sessionId })
  await client.call('sessions.releaseLock', { sessionId: made.sessionId })
  await client.call('sessions.close', { sessionId: made.sessionId })
  const prune = { olderThanDays: 0, dryRun: true, includeNamed: true }
  const pruned = await client.call<{ candidates: string[]; deleted: string[] }>(
    'sessions.pruneOld',
    prune,
  )
  assert.deepEqual(pruned.candidates, [made.sessionId])
  assert.deepEqual(pruned.deleted, [])
  const { freedBytes } = await client.call<{ freedBytes: Record<string, number> }>(
    'sessions.bulkDelete',
    {
      sessionIds: [fork, UNKNOWN],
    },
  )
  assert.deepEqual(Object.keys(freedBytes), [fork])
  await client.call('sessions.delete', { sessionId })
  assert.equal((await client.refusal('sessions.delete', { sessionId })).code, -32603)
})

test('Mission Control is said not to be there', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const off = { state: 'off' }
  assert.deepEqual(await client.call('sessions.getRemoteControlStatus'), { status: off })
  const started = await client.call<{ status: { state: string } }>('sessions.startRemoteControl', {
    sessionId,
    config: {},
  })
  assert.equal(started.status.state, 'error')
  assert.deepEqual(await client.call('sessions.stopRemoteControl'), { status: off, stopped: false })
  assert.deepEqual(
    await client.call('sessions.transferRemoteControl', { toSessionId: sessionId }),
    {
      status: off,
      transferred: false,
    },
  )
  assert.deepEqual(await client.call('sessions.setRemoteControlSteering', { enabled: false }), {
    status: off,
  })
  assert.match(
    (await client.refusal('sessions.connect', { sessionId: 'x' })).message,
    /No Mission Control/,
  )
})

test('history: remarks, truncation, clearing, handing over', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await talked(client)
  const on = <T>(name: string, params: object = {}) =>
    client.call<T>(`session.${name}`, { sessionId, ...params })
  const { eventId } = await on<{ eventId: string }>('log', {
    message: 'Look here',
    level: 'warning',
  })
  const told = await client.event(sessionId, 'session.warning')
  assert.deepEqual([told.id, told.data['message']], [eventId, 'Look here'])
  const ephemeral = await on<{ eventId: string }>('log', { message: 'psst', ephemeral: true })
  assert.equal((await client.event(sessionId, 'session.info')).id, ephemeral.eventId)
  assert.match((await on<{ summary: string }>('history.summarizeForHandoff')).summary, /hello/)
  assert.equal((await on<{ success: boolean }>('history.compact')).success, true)
  assert.deepEqual(await on('history.cancelBackgroundCompaction'), { cancelled: false })
  assert.deepEqual(await on('history.abortManualCompaction'), { aborted: false })
  await on('history.clearContext', { prompt: 'Anew' })
  await client.event(sessionId, 'session.idle', 2)
  assert.equal(
    (await client.event(sessionId, 'session.context_cleared')).data['initialMessage'],
    'Anew',
  )
  assert.deepEqual(await on('history.truncate', { eventId }), {
    eventsRemoved: 8,
    eventsKept: 5,
  })
  const gone = { sessionId, eventId, mode: 'conversation' }
  assert.equal((await client.refusal('session.history.rewind', gone)).code, -32603)
  await on('suspend')
  assert.equal(served.server.open().length, 0)
})

test('files of the project go back with the conversation', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await talked(client)
  const point = await client.event(sessionId, 'user.message')
  const query = { sessionId, eventId: point.id }
  assert.deepEqual(await client.call('session.history.previewRewind', query), {
    available: true,
    fileCount: 0,
    files: [],
  })
  const done = await client.call('session.history.rewind', {
    ...query,
    mode: 'conversation-and-files',
  })
  assert.equal(done['outcome'], 'success')
})

test('who a session is at GitHub is told without its token, and forgotten when it is signed out', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const ask = (name: string, params = {}) =>
    client.call(`session.gitHubAuth.${name}`, { sessionId, ...params })
  const nobody = { isAuthenticated: false, statusMessage: 'Not authenticated' }
  assert.deepEqual(await ask('getStatus'), nobody)
  assert.equal(await ask('getCurrentAuthInfo'), null)
  const credentials = { type: 'token', token: 'gho_SECRETSECRET', host: 'https://github.com' }
  assert.deepEqual(await ask('setCredentials', { credentials }), {
    success: true,
    copilotUserResolved: false,
  })
  assert.deepEqual(await ask('getStatus'), {
    isAuthenticated: true,
    authType: 'token',
    host: 'https://github.com',
    statusMessage: 'https://github.com (via token)',
  })
  const known = { type: 'token', host: 'https://github.com' }
  assert.deepEqual(await ask('getCurrentAuthInfo'), known)
  assert.equal(await ask('logout'), false)
  assert.deepEqual(await ask('getStatus'), nobody)
  assert.match((await client.refusal('account.getQuota')).message, /Not authenticated/)
})

test('what nothing is behind is answered in the form that programs know', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const ask = (name: string, params = {}) =>
    client.call(`session.${name}`, { sessionId, ...params })
  assert.deepEqual(await client.call('models.getBuiltInCatalog'), {
    models: [{ id: 'test-model' }],
  })
  assert.deepEqual(await ask('completions.request', { text: '@', offset: 1 }), { items: [] })
  assert.deepEqual(await ask('settings.evaluatePredicate', { name: 'coAuthorHookEnabled' }), {
    enabled: false,
  })
  const unknown = { sessionId, name: 'other' }
  const { message } = await client.refusal('session.settings.evaluatePredicate', unknown)
  assert.match(message, /Unknown setting: other/)
  const { handle } = await ask('ui.registerDirectAutoModeSwitchHandler')
  for (const unregistered of [true, false])
    assert.deepEqual(await ask('ui.unregisterDirectAutoModeSwitchHandler', { handle }), {
      unregistered,
    })
  const number = await ask('telemetry.getEngagementId')
  assert.deepEqual(await ask('telemetry.getEngagementId'), number)
})
