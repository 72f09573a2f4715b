/** What can be read of sessions. None of these changes anything. */
import { remoteWords } from '../../commands/remote-words.ts'
import { readConfig } from '../../config/load.ts'
import { EngineError, type ErrorCode } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { QueueView } from '../../engine/turn/queue.ts'
import type { Event } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { pictureKind } from '../../lib/picture-kind.ts'
import { byRelevance, relevance, type Whereabouts } from '../../state/relevance.ts'
import type * as api from './api.ts'
import { listCommands } from './commands.ts'
import { exportSession } from './export.ts'
import { WebFailure } from './failure.ts'
import { findText } from './find-text.ts'
import { forksOf } from './forks.ts'
import { checkpointsForGuest, sessionForGuest, turnsForGuest } from './guest-answers.ts'
import { redactForGuest } from './guest-places.ts'
import * as ask from './requests.ts'
import { Attachment, get, Shown, stream, type Web } from './route.ts'
import { dollarsOf } from './session-cost.ts'
import { transcriptPage } from './transcript-page.ts'

const session = { params: ask.SessionParams }
const shared = { ...session, guests: true } as const

export const readRoutes = [
  get(
    '/api/server',
    { summary: 'What this server is', answer: 'ServerAnswer', guests: true },
    ({ version, home, cwd, store, team }, { guest }): api.ServerAnswer => {
      const hasStore = store !== undefined || team !== undefined
      if (guest === undefined) return { version, home, cwd, hasStore, ...defined({ team }) }
      const { sessionId, expiresAtMs } = guest
      const expiresAt = new Date(expiresAtMs).toISOString()
      return { version, hasStore: false, guest: { sessionId, expiresAt } }
    },
  ),
  get(
    '/api/sessions',
    {
      summary: 'Sessions, the nearest to the directory of the server first, then the newest',
      answer: 'SessionsAnswer',
      query: ask.SessionsQuery,
    },
    (web, { query }) => listSessions(web, query),
  ),
  get(
    '/api/trash',
    { summary: 'Deleted sessions that can be restored', answer: 'TrashAnswer' },
    async ({ engine }): Promise<api.TrashAnswer> => ({
      sessions: (await engine.trash()).map(({ id, title, deletedAt }) => ({
        id,
        title,
        deletedAt: deletedAt.toISOString(),
      })),
    }),
  ),
  stream('/api/stream', {
    summary:
      'That something changed in any session, whichever process did it, as server-sent events',
    answer: 'ActivityFrame',
  }),
  get(
    '/api/sessions/:id',
    { ...shared, summary: 'What is known of a session', answer: 'SessionAnswer' },
    async (web, { params, guest }) => {
      const answer = await describeSession(web, params.id)
      return guest === undefined ? answer : sessionForGuest(web, answer)
    },
  ),
  get(
    '/api/sessions/:id/commands',
    {
      ...session,
      summary: 'Commands that can be typed in a session; with `agent=true` those of its agent too',
      answer: 'CommandsAnswer',
      query: ask.CommandsQuery,
    },
    (web, { params, query }) => listCommands(web, params.id, { withAgent: query.agent === 'true' }),
  ),
  get(
    '/api/sessions/:id/transcript',
    {
      ...shared,
      summary: 'A page of whole turns as people read them: from the end, beside or around a place',
      answer: 'TranscriptAnswer',
      query: ask.TranscriptQuery,
    },
    ({ engine }, { params, query }): Promise<api.TranscriptAnswer> =>
      transcriptPage(engine, params.id, query),
  ),
  get(
    '/api/sessions/:id/find',
    {
      ...session,
      summary: 'Where a text stands in the transcript',
      answer: 'FindAnswer',
      query: ask.FindQuery,
    },
    async ({ engine }, { params, query }) => findText(await engine.open(params.id), query),
  ),
  get(
    '/api/sessions/:id/pictures/:sha256',
    {
      summary: 'A picture of a message or a result, as one',
      answer: 'picture',
      params: ask.BlobParams,
    },
    async ({ engine }, { params: { id, sha256 } }) => {
      const bytes = await (await engine.open(id)).readBlob(sha256, MOST_OF_BLOB)
      const kind = pictureKind(bytes)
      if (kind === undefined) throw new WebFailure('not_found', 'This content is no picture.')
      return new Shown(kind, bytes)
    },
  ),
  stream('/api/sessions/:id/stream', {
    ...shared,
    summary:
      'Events after Last-Event-ID or ?after=, then ready, then what happens, as server-sent events',
    answer: 'StreamFrame',
    query: ask.StreamQuery,
  }),
  get(
    '/api/sessions/:id/turns',
    { ...shared, summary: 'Where it can be rewound to, newest first', answer: 'TurnsAnswer' },
    async (web, { params, guest }): Promise<api.TurnsAnswer> =>
      guest === undefined
        ? { turns: await (await web.engine.open(params.id)).rewindPoints() }
        : turnsForGuest(web, params.id),
  ),
  get(
    '/api/sessions/:id/context',
    {
      ...shared,
      summary: 'How much a model is given of it, in estimated tokens',
      answer: 'ContextAnswer',
    },
    async ({ engine }, { params }): Promise<api.ContextAnswer> => {
      const size = await (await engine.open(params.id)).contextSize()
      return {
        used:
          size.systemTokens +
          size.conversationTokens +
          size.toolDefinitionsTokens +
          size.mcpToolsTokens,
        messages: size.messages,
        ...defined({ limit: size.window }),
      }
    },
  ),
  get(
    '/api/sessions/:id/forks',
    {
      ...session,
      summary: 'The tree of forks that it belongs to, from the first session down',
      answer: 'ForksAnswer',
    },
    async (web, { params }): Promise<api.ForksAnswer> =>
      forksOf(await web.engine.list(), params.id, await statuses(web)),
  ),
  get(
    '/api/sessions/:id/blobs/:sha256',
    {
      summary: 'Content that was too bulky for the log, as an attachment',
      answer: 'bytes',
      params: ask.BlobParams,
    },
    async ({ engine }, { params: { id, sha256 } }) =>
      new Attachment(
        `${sha256.slice(0, 12)}.bin`,
        await (await engine.open(id)).readBlob(sha256, MOST_OF_BLOB),
      ),
  ),
  get(
    '/api/sessions/:id/files/content',
    {
      ...session,
      summary: 'The bytes of one file, as an attachment',
      answer: 'bytes',
      query: ask.FileQuery,
    },
    async ({ engine }, { params, query }) =>
      new Attachment(
        query.path.split('/').at(-1) ?? 'file',
        await (await engine.open(params.id)).readFile(query.path),
      ),
  ),
  get(
    '/api/sessions/:id/checkpoints',
    { ...shared, summary: 'Its checkpoints', answer: 'CheckpointsAnswer' },
    async (web, { params: { id }, guest }): Promise<api.CheckpointsAnswer> => {
      const all = await (await web.engine.open(id)).checkpoints()
      const answer = { checkpoints: all.map(({ number, title }) => ({ number, title })) }
      return guest === undefined ? answer : checkpointsForGuest(web, id, answer)
    },
  ),
  get(
    '/api/sessions/:id/export',
    {
      ...shared,
      summary: 'The session as one redacted file, as an attachment',
      answer: 'bytes',
      query: ask.ExportQuery,
    },
    async (web, { params, query, guest }) => {
      const parts = guest === undefined ? web : { ...web, redact: redactForGuest(web) }
      const { name, text } = await exportSession(web.engine, parts, params.id, query.format)
      return new Attachment(name, Buffer.from(text))
    },
  ),
]

/** A larger one is read where it is, on the disk of its owner. */
const MOST_OF_BLOB = { mostBytes: 16 * 1024 * 1024 }

async function listSessions(web: Web, query: ask.Sessions): Promise<api.SessionsAnswer> {
  const { engine, work, cwd } = web
  const here: Whereabouts = await engine.project(cwd)
  const sessions = await engine.list()
  work.note(sessions)
  const statusOf = await statuses(web)
  const ordered = query.sort === 'time' ? sessions : byRelevance(sessions, here)
  const found = ordered
    .map((each) => {
      const { repositoryKey: _key, hostType: _host, ...row } = each
      return { ...row, bucket: relevance(each, here).bucket, status: statusOf(each.id) }
    })
    .filter((row) => fits(row, query))
  const end = query.offset + query.limit
  return {
    sessions: await withTurns(web, found.slice(query.offset, end)),
    total: found.length,
    more: end < found.length,
  }
}

/** A log that is too long to be counted for a list may be indexed. */
async function withTurns(
  { store }: Web,
  rows: readonly api.SessionRow[],
): Promise<api.SessionRow[]> {
  const uncounted = rows.flatMap(({ id, turns }) => (turns === undefined ? [id] : []))
  if (store === undefined || uncounted.length === 0) return [...rows]
  // Without an index a list is a list all the same.
  const counts = await (await store.store()).turnCounts(uncounted).catch(() => undefined)
  return rows.map((row) => ({ ...row, ...defined({ turns: row.turns ?? counts?.get(row.id) }) }))
}

/** The status of every session, in whatever process it runs. */
async function statuses({ engine }: Web): Promise<(id: SessionId) => api.SessionStatus> {
  const running = await engine.running()
  return (id) => running.get(id) ?? 'idle'
}

function fits(row: api.SessionRow, query: ask.Sessions): boolean {
  const { q, repository, branch, cwd, bucket, status, since } = query
  if (status !== undefined && row.status !== status) return false
  if (since !== undefined && row.modifiedAt < since) return false
  if (repository !== undefined && row.repository !== repository) return false
  if (branch !== undefined && row.branch !== branch) return false
  if (cwd !== undefined && row.cwd !== cwd) return false
  if (bucket !== undefined && row.bucket !== bucket) return false
  if (q === undefined) return true
  const wanted = q.toLowerCase()
  return [row.id, row.name, row.summary, row.cwd, row.repository, row.branch].some((text) =>
    text?.toLowerCase().includes(wanted),
  )
}

async function describeSession(web: Web, id: SessionId): Promise<api.SessionAnswer> {
  const { engine } = web
  const session = await engine.open(id)
  const { repositoryKey: _key, hostType: _host, ...metadata } = await session.metadata()
  const { turns, usage: _, ...state } = await session.state()
  const usage = await session.usage()
  const answers = await whoAnswers(web, state)
  const { at, requests, questions } = await session.pending()
  const { entries, isHeld, trouble } = await queueOf(session)
  const isAtWork = at === 'here' || at === 'next-door' || at === 'left'
  const waits = requests.length + questions.length > 0
  return {
    metadata,
    state: { ...state, turnCount: turns.length },
    usage,
    dollars: dollarsOf(usage, (await readConfig(engine.fs)).prices),
    status: !isAtWork ? 'idle' : waits ? 'waiting' : 'running',
    answers,
    // A help: a session is shown whatever becomes of it.
    ...defined({ remote: await remoteWords(engine, id, Date.now()).catch(() => undefined) }),
    queue: entries,
    isQueueHeld: isHeld,
    ...defined({ queueTrouble: trouble }),
    requests: pending(requests, isAtWork),
    questions,
  }
}

/** A session can be read whatever becomes of the process that is at work in it; only that process knows its queue. */
async function queueOf(session: Session): Promise<QueueView & { readonly trouble?: string }> {
  try {
    return await session.queue()
  } catch (error) {
    if (!(error instanceof EngineError) || !SILENT.has(error.code)) throw error
    return { entries: [], isHeld: false, trouble: error.message }
  }
}

const SILENT: ReadonlySet<ErrorCode> = new Set(['unreachable', 'busy', 'conflict'])

/** What the log tells of it; before anybody answered, who would. */
async function whoAnswers(
  { agents }: Web,
  { answeredBy, model }: Pick<api.SessionAnswer['state'], 'answeredBy' | 'model'>,
): Promise<api.SessionAnswer['answers']> {
  // A configuration that cannot be read is told when a message is sent.
  const agent = answeredBy ?? (await agents?.usual().catch(() => undefined))
  const named = /^(?:openai-compatible|openai|anthropic)\/(.+)$/.exec(agent ?? '')?.[1]
  return defined({ agent: named === undefined ? agent : 'model', model: model ?? named })
}

const pending = (events: readonly Event[], answerable: boolean): api.PendingRequest[] =>
  events.flatMap((event) =>
    event.type === 'permission.requested'
      ? [{ requestId: event.data.requestId, event, answerable }]
      : [],
  )
