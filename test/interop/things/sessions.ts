/** What a program does with sessions: makes, finds, names, reads, goes back, forks, ends them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CopilotSession } from '@github/copilot-sdk'
import { ask, outcome, type Stage, type Things } from './thing.ts'

/** A session that has talked twice. */
async function talked({ client, config, model }: Stage): Promise<CopilotSession> {
  const session = await client.createSession(config)
  model.say({ text: 'one' }, { text: 'two' })
  await session.sendAndWait('first')
  await session.sendAndWait('second')
  return session
}

const typesOf = async (session: CopilotSession) =>
  (await session.getEvents()).flatMap(({ type }) => (KEPT.test(type) ? [type] : []))

const KEPT =
  /^(?:session\.(?:start|resume|shutdown|mode_changed|model_change|title_changed|context_changed|compaction_complete|snapshot_rewind|truncation)|user\.message|assistant\.message)$/

const said = async (session: CopilotSession) =>
  (await session.getEvents()).flatMap((event) =>
    event.type === 'user.message' || event.type === 'assistant.message' ? [event.data.content] : [],
  )

export const sessionThings: Things = {
  'quick start': async ({ client, config, model }) => {
    const session = await client.createSession(config)
    model.say({ text: 'four' })
    const texts: string[] = []
    session.on('assistant.message', (event) => void texts.push(event.data.content))
    const idle = new Promise<void>((resolve) => session.on('session.idle', () => resolve()))
    await session.send('What is 2+2?')
    await idle
    await session.disconnect()
    return texts
  },
  'history and events': async (stage) => {
    const session = await talked(stage)
    return [await said(session), await typesOf(session)]
  },
  'ids of its own': async ({ client, config, model }) => {
    const ids = ['user-123-task-456', 'A_b-C', 'A'.repeat(100)]
    const seen: unknown[] = []
    for (const sessionId of ids) {
      const session = await client.createSession({ ...config, sessionId })
      model.say({ text: 'hi' })
      await session.sendAndWait('hello')
      await session.disconnect()
      const again = await client.resumeSession(sessionId, config)
      const found = await client.getSessionMetadata(sessionId)
      seen.push([session.sessionId, await said(again), found?.sessionId, found?.isRemote])
      await again.disconnect()
    }
    const listed = (await client.listSessions()).map(({ sessionId }) => sessionId)
    return [seen, ids.map((id) => listed.includes(id))]
  },
  'ids that are not there': async ({ client, config }) => [
    await client.getSessionMetadata('nope'),
    await outcome(client.resumeSession('nope-nope', config).then(() => 'resumed')),
    await outcome(client.deleteSession('nope-nope')),
  ],
  'a fresh session is read back': async ({ client, config }) => {
    const told: string[] = []
    const session = await client.createSession({
      ...config,
      onEvent: ({ type }) => void (KEPT.test(type) && told.push(type)),
    })
    await session.rpc.mode.set({ mode: 'plan' })
    await session.setModel('other')
    const { rpc } = session
    return [
      await rpc.mode.get(),
      (await rpc.model.getCurrent()).modelId,
      await typesOf(session),
      told,
    ]
  },
  'resume in the same server': async (stage) => {
    const session = await talked(stage)
    await session.disconnect()
    const again = await stage.client.resumeSession(session.sessionId, stage.config)
    stage.model.say({ text: 'three' })
    const answer = await again.sendAndWait('third')
    return [answer?.data.content, await said(again), await typesOf(again)]
  },
  'resume in another server': async (stage) => {
    const session = await talked(stage)
    await session.disconnect()
    const other = stage.another()
    const again = await other.resumeSession(session.sessionId, stage.config)
    stage.model.say({ text: 'three' })
    await again.sendAndWait('third')
    return [await said(again), stage.model.asked.at(-1)?.messages.map(({ role }) => role)]
  },
  'the list, the last one, a filter': async (stage) => {
    const session = await talked(stage)
    const { client, dir } = stage
    const all = await client.listSessions()
    const mine = all.find(({ sessionId }) => sessionId === session.sessionId)
    const here = await client.listSessions({ workingDirectory: dir })
    const elsewhere = await client.listSessions({ workingDirectory: '/nowhere' })
    return [
      mine?.summary,
      mine?.context,
      mine?.isRemote,
      mine?.startTime instanceof Date,
      (await client.getLastSessionId()) === session.sessionId,
      here.map(({ sessionId }) => sessionId === session.sessionId),
      elsewhere.length,
    ]
  },
  'a name is given and read': async (stage) => {
    const session = await talked(stage)
    const { rpc } = session
    const before = await rpc.name.get()
    await rpc.name.set({ name: 'My work' })
    const [listed] = (await stage.client.listSessions()).filter(
      ({ sessionId }) => sessionId === session.sessionId,
    )
    return [before, await rpc.name.get(), listed?.summary]
  },
  'a fork goes its own way': async (stage) => {
    const session = await talked(stage)
    const { client, config, model } = stage
    const { sessionId } = await client.rpc.sessions.fork({ sessionId: session.sessionId })
    const fork = await client.resumeSession(sessionId, config)
    model.say({ text: 'other' })
    await fork.sendAndWait('elsewhere')
    return [await said(session), await said(fork)]
  },
  'a fork at a place': async (stage) => {
    const session = await talked(stage)
    const second = (await session.getEvents()).findLast(({ type }) => type === 'user.message')
    const { sessionId } = await stage.client.rpc.sessions.fork({
      sessionId: session.sessionId,
      toEventId: second?.id ?? '',
    })
    const fork = await stage.client.resumeSession(sessionId, stage.config)
    return said(fork)
  },
  'back to an earlier prompt': async (stage) => {
    const session = await talked(stage)
    const { history } = session.rpc
    const { points } = await history.listRewindPoints()
    const eventId = points.at(-1)?.eventId ?? ''
    const result = await history.rewind({ eventId, mode: 'conversation' })
    stage.model.say({ text: 'again' })
    await session.sendAndWait('otherwise')
    return [points.length, result.outcome, await said(session)]
  },
  'back with files': async ({ client, config, model, dir }) => {
    const session = await client.createSession({ ...config, enableFileChangeTracking: true })
    const path = join(dir, 'made.txt')
    model.say({ tools: [['create', { path, file_text: 'made\n' }]] }, { text: 'made' })
    await session.sendAndWait('make it')
    const { history } = session.rpc
    const { points } = await history.listRewindPoints()
    const eventId = points[0]?.eventId ?? ''
    const preview = await history.previewRewind({ eventId })
    const rewound = await history.rewind({ eventId, mode: 'conversation-and-files' })
    const { existsSync } = await import('node:fs')
    const { outcome: how, restoredFiles, skippedFiles } = rewound
    return [preview, how, restoredFiles, skippedFiles, existsSync(path), await said(session)]
  },
  truncate: async (stage) => {
    const session = await talked(stage)
    const second = (await session.getEvents()).findLast(({ type }) => type === 'user.message')
    const result = await session.rpc.history.truncate({ eventId: second?.id ?? '' })
    return [result.eventsRemoved > 0, await said(session)]
  },
  compact: async (stage) => {
    const session = await talked(stage)
    stage.model.say({ text: '<overview>the summary</overview>' })
    const result = await outcome(session.rpc.history.compact())
    const { success } = result as { success?: boolean }
    stage.model.say({ text: 'three' })
    await session.sendAndWait('third')
    const last = JSON.stringify(stage.model.asked.at(-1)?.messages)
    return [success, last.includes('the summary'), await typesOf(session)]
  },
  'a plan is kept': async ({ client, config }) => {
    const { rpc } = await client.createSession(config)
    const before = await rpc.plan.read()
    await rpc.plan.update({ content: '# plan\n- a\n' })
    const during = await rpc.plan.read()
    await rpc.plan.delete()
    return [before, during, await rpc.plan.read()]
  },
  'files of a session': async ({ client, config }) => {
    const { rpc } = await client.createSession(config)
    await rpc.workspaces.createFile({ path: 'a/b.txt', content: 'x' })
    return [
      await rpc.workspaces.listFiles(),
      await rpc.workspaces.readFile({ path: 'a/b.txt' }),
      await outcome(rpc.workspaces.readFile({ path: 'nosuch' })),
      await outcome(rpc.workspaces.createFile({ path: '../x', content: 'y' })),
    ]
  },
  'lifecycle is told': async ({ client, config, model }) => {
    const told: string[] = []
    const off = client.onLifecycle(({ type }) => void told.push(type))
    const session = await client.createSession(config)
    model.say({ text: 'hi' })
    await session.sendAndWait('hello')
    await session.disconnect()
    await client.deleteSession(session.sessionId)
    const gone = await client.getSessionMetadata(session.sessionId)
    await client.ping()
    off()
    return [[...new Set(told)].toSorted(), gone]
  },
  'log lines': async ({ client, config }) => {
    const seen: unknown[] = []
    const session = await client.createSession({
      ...config,
      onEvent: (event) =>
        void (
          /^session\.(?:info|warning|error)$/.test(event.type) &&
          seen.push([
            event.type,
            event.ephemeral === true,
            (event.data as { message?: string }).message,
          ])
        ),
    })
    await session.log('plain')
    await session.log('careful', { level: 'warning' })
    await session.log('bad', { level: 'error' })
    await session.log('passing', { ephemeral: true })
    return seen
  },
  'the end of a session': async ({ client, config, model }) => {
    const ends: unknown[] = []
    const shut: unknown[] = []
    for (const how of ['disconnect', 'shutdown'] as const) {
      const session = await client.createSession({
        ...config,
        onEvent: (event) => void (event.type === 'session.shutdown' && shut.push(how)),
        hooks: { onSessionEnd: ({ reason }) => void ends.push([how, reason]) },
      })
      model.say({ text: 'hi' })
      await session.sendAndWait('hello')
      if (how === 'disconnect') await session.disconnect()
      else await session.rpc.shutdown({})
    }
    return [ends, shut]
  },
  'metadata, usage and activity': async (stage) => {
    const session = await talked(stage)
    const { rpc } = session
    const metrics = await rpc.usage.getMetrics()
    const snapshot = await rpc.metadata.snapshot()
    return [
      Object.keys(metrics.modelMetrics ?? {}),
      await rpc.metadata.isProcessing(),
      (snapshot as { currentModel?: string }).currentModel,
      (await rpc.queue.pendingItems()).items,
      await rpc.metadata.activity(),
    ]
  },
  'pages of the log': async (stage) => {
    const session = await talked(stage)
    const { eventLog } = session.rpc
    const tail = await eventLog.tail()
    const all = await eventLog.read({ max: 1000, types: ['user.message', 'assistant.message'] })
    const { handle } = await eventLog.registerInterest({ eventType: 'assistant.message_delta' })
    return [
      typeof tail.cursor,
      all.events.map(({ type }) => type),
      all.hasMore,
      await eventLog.releaseInterest({ handle }),
      await eventLog.releaseInterest({ handle }),
    ]
  },
  'calls about sessions that are closed': async (stage) => {
    const session = await talked(stage)
    const { client } = stage
    const { sessionId } = session
    await session.disconnect()
    const { rpc } = client
    return [
      (await rpc.sessions.findByPrefix({ prefix: sessionId.slice(0, 8) })).sessionId === sessionId,
      (await rpc.sessions.checkInUse({ sessionIds: [sessionId] })).inUse,
      Object.keys((await ask(client, 'sessions.getEventFilePath', { sessionId })) as object),
      Object.keys((await rpc.sessions.getSizes()).sizes).includes(sessionId),
      await ask(client, 'sessions.listNonEmptySessionIds', { limit: 1 }),
      await ask(client, 'sessions.findByPrefix', { prefix: 'zzzz' }),
      await rpc.sessions.pruneOld({ olderThanDays: 100, dryRun: true }),
      await rpc.sessions
        .bulkDelete({ sessionIds: [sessionId] })
        .then(({ freedBytes }) => Object.values(freedBytes).map((bytes = 0) => bytes > 0)),
    ]
  },
  'a file beside it': async ({ client, config, model, dir }) => {
    const path = join(dir, 'note.txt')
    writeFileSync(path, 'the note says hello\n')
    const session = await client.createSession(config)
    model.say({ text: 'read' })
    await session.sendAndWait({ prompt: 'look', attachments: [{ type: 'file', path }] })
    const event = (await session.getEvents()).find(({ type }) => type === 'user.message')
    const { attachments } = (event?.data ?? {}) as { attachments?: { type: string }[] }
    return [attachments?.map(({ type }) => type), JSON.stringify(model.asked.at(-1)).includes(path)]
  },
}
