/**
 * The sessions of other machines, as lists show them. Mission Control is asked for some at a time and has a moment to
 * answer; when it does not, what it last showed is shown, and said to be that.
 */
import { z } from 'zod'
import type { FarList, FarMeaning, FarNews, FarSummary } from '../engine/remote-control.ts'
import { sessionSummaries } from '../engine/catalogue/catalogue.ts'
import { asSessionId, isSessionId, type SessionId } from '../format/ids.ts'
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { defined } from '../lib/defined.ts'
import { comparable } from '../state/resolve.ts'
import type { Whereabouts } from '../state/relevance.ts'
import { RemoteError } from './remote-error.ts'
import { RemoteSession, type MeantSession, type Server } from './control-client.ts'

type FarListParts = {
  readonly fs: SessionFs
  readonly server: Server
  readonly now?: () => Date
}
type Query = { readonly limit: number; readonly words?: readonly string[] }
type Found = { readonly by: FarMeaning; readonly session: FarSummary }

/** A list is looked at by a person who waits. */
const PATIENCE_MS = 1500
const PAGE = 100
const MOST_PAGES = 10
/** So many are kept for when the server is away. */
const MOST_KNOWN = 200

const Known = z.object({
  version: z.literal(1),
  server: z.string(),
  asOf: z.string(),
  total: z.int(),
  sessions: z.array(RemoteSession),
})
type Known = z.output<typeof Known>

export function farLists({ fs, server, now = () => new Date() }: FarListParts) {
  /** Those of this home are listed by the home. */
  async function others<S extends RemoteSession>(sessions: readonly S[]): Promise<S[]> {
    const ids = sessions.flatMap(({ id }) => (isSessionId(id) ? [asSessionId(id)] : []))
    const own = new Set((await sessionSummaries(fs, ids)).map(({ id }) => id))
    return sessions.filter(({ id }) => isSessionId(id) && !own.has(asSessionId(id)))
  }

  async function asked(here: Whereabouts, { limit, words }: Query): Promise<FarList> {
    const found: RemoteSession[] = []
    let total = 0
    for (let page = 0, offset = 0; page < MOST_PAGES; page++) {
      const wish = {
        limit: Math.max(1, Math.min(Math.max(limit, PAGE), 1000)),
        offset,
        repository: here.repository,
        words,
      }
      const told = await server.near(wish, PATIENCE_MS)
      const far = await others(told.sessions)
      found.push(...far)
      total = page === 0 ? told.total : total
      total -= told.sessions.length - far.length
      offset += told.sessions.length
      const isAll = told.sessions.length < wish.limit
      if (isAll || found.length >= limit) break
    }
    if ((words ?? []).length === 0) await keep({ sessions: found.slice(0, MOST_KNOWN), total })
    return { sessions: found.slice(0, limit).map(summaryOf), total, asOf: now() }
  }

  const keep = ({ sessions, total }: Pick<Known, 'sessions' | 'total'>): Promise<void> => {
    const asOf = now().toISOString()
    const known: Known = { version: 1, server: server.url, asOf, total, sessions }
    return fs.writeAtomic(inHome('remoteKnown'), encodeText(JSON.stringify(known)), {
      durable: false,
    })
  }

  async function lastKnown(trouble: string): Promise<FarNews & { sessions: RemoteSession[] }> {
    const bytes = await fs.read(inHome('remoteKnown'))
    const known = bytes === undefined ? undefined : Known.safeParse(parsed(decodeText(bytes))).data
    const isOurs = known?.server === server.url
    return {
      sessions: isOurs ? await others(known.sessions) : [],
      asOf: new Date(isOurs ? known.asOf : 0),
      trouble,
    }
  }

  return {
    async near(here: Whereabouts, query: Query): Promise<FarList> {
      try {
        return await asked(here, query)
      } catch (cause) {
        if (!(cause instanceof RemoteError)) throw cause
        const { sessions, ...news } = await lastKnown(cause.message)
        const wanted = sessions
          .map(summaryOf)
          .filter((session) => (query.words ?? []).every((word) => wordsOf(session).includes(word)))
        return { ...news, sessions: wanted.slice(0, query.limit), total: wanted.length }
      }
    },
    async meant(value: string): Promise<Meant> {
      try {
        const told = await server.meant(value, PATIENCE_MS)
        const found = await others(told)
        const far = new Set(found.map(({ id }) => id))
        const own = told.filter(({ id, by }) => isTask(by) && !far.has(id) && isSessionId(id))
        return {
          ownTasks: own.map(({ id }) => asSessionId(id)),
          found: found.map((each) => ({ by: each.by, session: summaryOf(each) })),
          asOf: now(),
        }
      } catch (cause) {
        if (!(cause instanceof RemoteError)) throw cause
        const { sessions, ...news } = await lastKnown(cause.message)
        const found = sessions.flatMap((each) => {
          const by = howMeant(each, value)
          return by === undefined ? [] : [{ by, session: summaryOf(each) }]
        })
        const exact = found.filter(({ by }) => by === 'id')
        return { ...news, ownTasks: [], found: exact.length > 0 ? exact : found }
      }
    },
  }
}

type Meant = FarNews & {
  readonly found: readonly Found[]
  /** Sessions of this home that stand for a task of that id, or of one that begins so. */
  readonly ownTasks: readonly SessionId[]
}

const isTask = (by: FarMeaning): boolean => by === 'task' || by === 'prefix'

export const summaryOf = (far: RemoteSession | MeantSession): FarSummary => ({
  id: asSessionId(far.id),
  userNamed: false,
  summary: far.summary ?? '',
  createdAt: far.startTime,
  modifiedAt: far.modifiedTime,
  checkpoints: 0,
  forkCount: 0,
  bytes: 0,
  ...defined({
    name: far.name ?? undefined,
    repository: far.repository ?? undefined,
    branch: far.branch ?? undefined,
  }),
  remote: {
    machine: far.machine ?? 'another machine',
    state: far.presence.state,
    isStale: far.presence.isStale,
    staleAt: far.presence.staleAt,
    isSteerable: far.isSteerable,
    ...defined({ person: far.person || undefined }),
  },
})

/** Everything that is filtered over, in small letters. */
const wordsOf = ({ name, summary, branch, repository, id, remote }: FarSummary): string =>
  [name, summary, branch, repository, id, remote.machine].join(' ').toLowerCase()

const SHORTEST_PREFIX = 4

/** As the server would say it. */
function howMeant({ id, name, summary }: RemoteSession, value: string): FarMeaning | undefined {
  const wanted = comparable(value)
  if (wanted === '') return undefined
  if (id === wanted) return 'id'
  if (wanted.length >= SHORTEST_PREFIX && id.startsWith(wanted)) return 'prefix'
  if (name !== null && comparable(name) === wanted) return 'name'
  return comparable(summary ?? '') === wanted ? 'summary' : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Torn: it is written anew with the next list.
    return undefined
  }
}
