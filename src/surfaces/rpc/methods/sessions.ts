/** Sessions of the home, open or not: found, measured, copied, removed. */
import { z } from 'zod'
import type { Project } from '../../../engine/sessions/project.ts'
import { isSessionId } from '../../../format/ids.ts'
import { logPath, sessionDir } from '../../../format/paths.ts'
import { defined } from '../../../lib/defined.ts'
import { method, sessionId, type Methods } from '../method.ts'
import { removeSession } from '../remove-session.ts'
import { remoteSessions } from './remote.ts'
import { wireSession } from '../wire.ts'
import { fits, getMetadata } from './session.ts'

const ids = z.array(sessionId).max(10_000)
const one = { sessionId }

export const context = z.looseObject({
  cwd: z.string(),
  gitRoot: z.string().optional(),
  repository: z.string().optional(),
  hostType: z.string().optional(),
  branch: z.string().optional(),
})

export const sessionsMethods: Methods = {
  'sessions.list': method(
    'Sessions of this home, newest first.',
    {
      source: z.enum(['local', 'remote', 'all']).optional(),
      filter: context.partial().optional(),
    },
    async ({ server }, { source = 'local', filter = {} }) => {
      const remote = source === 'local' ? [] : await remoteSessions(server)
      if (source === 'remote') return { sessions: remote }
      const all = await server.parts.catalogue.list()
      const local = all.filter(fits(filter))
      const own = new Set<string>(all.map(({ id }) => id))
      const others = remote.filter(({ sessionId: id }) => !own.has(id))
      return { sessions: [...local.map(wireSession), ...others] }
    },
  ),
  'sessions.getMetadata': getMetadata,
  'sessions.getClientMetadata': method(
    'What programs keep with sessions.',
    { sessionIds: ids, keys: z.array(z.string()).optional() },
    async ({ server }, { sessionIds, keys }) =>
      Promise.all(
        sessionIds.map(async (id) => {
          const read = await (await server.handle(id)).clientMetadata()
          if (read.status !== 'ok') return { sessionId: id, status: read.status }
          const entries = Object.entries(read.metadata)
          const metadata = Object.fromEntries(
            keys === undefined ? entries : entries.filter(([key]) => keys.includes(key)),
          )
          return { sessionId: id, status: read.status, metadata }
        }),
      ),
  ),
  'sessions.listNonEmptySessionIds': method(
    'Ids of sessions that have said something, newest first.',
    { limit: z.int().positive().optional() },
    async ({ server }, { limit = Infinity }) => {
      const { sessions } = await server.parts.catalogue.nearest({}, { limit, uncounted: true })
      return { sessionIds: sessions.map(({ id }) => id) }
    },
  ),
  'sessions.findByTaskId': method(
    'The session of this home that stands for a task of Mission Control.',
    { taskId: z.string() },
    async ({ server }, { taskId }) =>
      defined({ sessionId: await server.parts.catalogue.ofTask(taskId) }),
  ),
  'sessions.findByPrefix': method(
    'The only session whose id begins so.',
    { prefix: z.string().min(1) },
    async ({ server }, { prefix }) => {
      const { catalogue } = server.parts
      const exact = await catalogue.withPrefix(prefix)
      const found = exact.length > 0 ? exact : await catalogue.withPrefix(prefix.toLowerCase())
      return found.length === 1 ? { sessionId: found[0]?.id } : {}
    },
  ),
  'sessions.getLastForContext': method(
    'The session that most likely is meant in a directory.',
    { context: context.optional() },
    async ({ server }, { context: given }) => {
      const { catalogue, cwd } = server.parts
      const project = (given as Project | undefined) ?? (await catalogue.project(cwd))
      const id = await catalogue.latestFor(project)
      return id === undefined ? {} : { sessionId: id }
    },
  ),
  'sessions.getEventFilePath': method(
    "Where a session's log is.",
    one,
    ({ server }, { sessionId: id }) => {
      const { fs } = server.find(id)?.engine ?? server.parts.catalogue
      return { filePath: fs.nativePath(logPath(sessionDir(id))) }
    },
  ),
  'sessions.getSizes': method('Bytes of the log of every session.', async ({ server }) => ({
    sizes: Object.fromEntries(
      (await server.parts.catalogue.list()).map(({ id, bytes }) => [id, bytes]),
    ),
  })),
  'sessions.checkInUse': method(
    'Which of these are open somewhere.',
    { sessionIds: ids },
    async ({ server }, { sessionIds }) => {
      const elsewhere = sessionIds.filter((id) => server.find(id) === undefined)
      const held = new Set(await server.parts.catalogue.inUse(elsewhere))
      return { inUse: sessionIds.filter((id) => server.find(id) !== undefined || held.has(id)) }
    },
  ),
  'sessions.fork': method(
    'Makes a new session with the same beginning.',
    {
      ...one,
      toEventId: z.string().optional().describe('Left out, with all after it.'),
      name: z.string().optional(),
    },
    async ({ server }, { sessionId: id, toEventId, name }) => {
      const isOpen = server.find(id) !== undefined
      const ops = await server.handle(id)
      const forked = await ops.fork({
        ...(toEventId !== undefined && { before: toEventId as never }),
        ...defined({ name }),
      })
      // Opened only to be copied.
      if (!isOpen) await ops.close()
      return { sessionId: forked.sessionId, name: forked.name }
    },
  ),
  'sessions.close': method(
    'Closes a session for everybody.',
    one,
    async ({ server }, { sessionId: id }) => {
      await server.close(id)
      return {}
    },
  ),
  'sessions.save': method(
    'Writes a session that has said nothing yet.',
    one,
    async ({ server }, { sessionId: id }) => {
      // Of one that is not open here, everything is written.
      if (server.find(id) !== undefined) await (await server.require(id)).ops.save()
      return {}
    },
  ),
  'sessions.releaseLock': method(
    'Lets another process go on with a session that is idle here.',
    one,
    async ({ server }, { sessionId: id }) => {
      await server.find(id)?.ops.releaseLease()
      return {}
    },
  ),
  'sessions.delete': method(
    'Moves a session to the trash.',
    one,
    async ({ server }, { sessionId: id }) => {
      const removal = await removeSession(server, id)
      if (removal.outcome === 'kept') throw removal.error
      return {}
    },
  ),
  'sessions.bulkDelete': method(
    'Moves sessions to the trash. Those that are open elsewhere stay.',
    { sessionIds: ids },
    async ({ server }, { sessionIds }) => {
      const freed: [string, number][] = []
      for (const id of sessionIds) {
        const removal = await removeSession(server, id)
        if (removal.outcome !== 'kept') freed.push([id, removal.bytes])
      }
      return { freedBytes: Object.fromEntries(freed) }
    },
  ),
  'sessions.pruneOld': method(
    'Moves sessions that nobody touched for long to the trash.',
    {
      olderThanDays: z.number().min(0),
      dryRun: z.boolean().optional(),
      includeNamed: z.boolean().optional(),
      excludeSessionIds: ids.optional(),
    },
    async (
      { server },
      { olderThanDays, dryRun = false, includeNamed = false, excludeSessionIds = [] },
    ) => {
      const { sessions, kept, bytes } = await (
        await server.engine()
      ).prune({
        olderThanDays,
        dryRun,
        keepNamed: !includeNamed,
        keep: [...excludeSessionIds, ...server.open().map(({ id }) => id)],
      })
      const found = sessions.map(({ id }) => id)
      if (!dryRun) for (const id of found) server.tellLifecycle('session.deleted', id)
      return {
        deleted: dryRun ? [] : found,
        candidates: found,
        skipped: kept.map(({ id }) => id),
        freedBytes: bytes,
        dryRun,
      }
    },
  ),
  'sessions.enrichMetadata': method(
    'The same sessions, with all that is known of them.',
    { sessions: z.array(z.looseObject({ sessionId: z.string() })) },
    async ({ server }, { sessions }) => {
      const ids = sessions.flatMap(({ sessionId: id }) => (isSessionId(id) ? [id] : []))
      const found = await server.parts.catalogue.summaries(ids)
      const all = new Map(found.map((each) => [String(each.id), each]))
      return {
        sessions: sessions.map((given) => {
          const known = all.get(given.sessionId)
          return known === undefined ? given : { ...given, ...toldIn(wireSession(known)) }
        }),
      }
    },
  ),
}

/** What is not known does not stand in the way of what was given. */
const toldIn = (session: ReturnType<typeof wireSession>) =>
  Object.fromEntries(Object.entries(session).filter(([, value]) => value !== undefined))
