/** What a machine asks of Mission Control, in its words. docs/control.md has the routes. */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { z } from 'zod'
import type { Notice } from '../format/notice.ts'
import { offsetOf } from '../format/stream-offset.ts'
import { defined } from '../lib/defined.ts'
import { askJson, askServer, askTimed, bytesOf, textOf, type ServerAddress } from './ask-server.ts'
import { inOurTime } from './our-time.ts'
import { openHeads } from './server-heads.ts'
import { openTasks } from './task-client.ts'
import { framesOf, type Frame } from './frames.ts'
import { params } from './params.ts'
import { RemoteError } from './remote-error.ts'
import { withPatience } from './retry.ts'

const Claim = z.object({
  producer: z.string(),
  epoch: z.int(),
  generation: z.int(),
  events: z.int(),
  lastEventId: z.string().nullable(),
})
/** The right to append, and what the server has. */
export type Claim = z.output<typeof Claim>

const Me = z.object({
  tenant: z.string(),
  person: z.string(),
  name: z.string(),
  role: z.string().optional(),
  machine: z.string().nullable(),
  scopes: z.array(z.string()),
  /** A guest: they see this session and nothing else, until then. */
  guestOf: z.string().optional(),
  endsAt: z.string().optional(),
})
export type Me = z.output<typeof Me>

const Approved = z.object({ name: z.string(), machine: z.string().nullable() })
type Approved = z.output<typeof Approved>

const Link = z.object({ code: z.string(), ends: z.number() })

const Presence = z.object({
  state: z.string(),
  activity: z.string().nullable(),
  heardAt: z.string(),
  staleAt: z.string(),
  isStale: z.boolean(),
})
export const RemoteSession = z.object({
  id: z.string(),
  person: z.string(),
  machine: z.string().nullable(),
  name: z.string().nullable(),
  repository: z.string().nullable(),
  branch: z.string().nullish(),
  summary: z.string().nullish(),
  generation: z.int(),
  isSteerable: z.boolean(),
  startTime: z.string(),
  modifiedTime: z.string(),
  presence: Presence,
})
export type RemoteSession = z.output<typeof RemoteSession>

const RemotePage = z.object({ sessions: z.array(RemoteSession), total: z.int() })
type RemotePage = z.output<typeof RemotePage>
const MeantSession = RemoteSession.extend({
  by: z.enum(['id', 'task', 'prefix', 'name', 'summary']),
})
const MeantPage = z.object({ sessions: z.array(MeantSession) })
export type MeantSession = z.output<typeof MeantSession>
export type NearWish = {
  readonly limit: number
  readonly offset: number
  readonly repository?: string | undefined
  readonly words?: readonly string[] | undefined
}

const ToldNotices = z.object({ isWatched: z.boolean().default(true) })

/** When that was, in the server's time, and how often what went to the trash had been changed by then. */
const Removal = z.object({ at: z.number().optional(), rev: z.number().optional() })
export type Removal = z.output<typeof Removal>

const Trash = z.object({
  sessions: z.array(z.object({ id: z.string(), title: z.string(), deletedAt: z.string() })),
})
const GuestLink = z.object({ id: z.string(), fragment: z.string(), ends: z.string() })

const Command = z.object({
  id: z.string(),
  kind: z.string(),
  person: z.string(),
  name: z.string().nullish(),
  /** The machine that they sent it from. */
  origin: z.string().nullish(),
  content: z.string(),
})
export type RemoteCommand = z.output<typeof Command>

export type Heartbeat = {
  readonly state?: 'idle' | 'working' | 'input-needed' | 'error'
  readonly activity?: string
  readonly name?: string
  readonly repository?: string
  readonly branch?: string
  readonly summary?: string
  readonly steerable?: boolean
}

const Head = z.object({
  generation: z.int(),
  events: z.int(),
  /** Of the last record, as it is stored there. */
  tailHash: z.string().nullish(),
})
export type Head = z.output<typeof Head>

export type NewCommand = {
  readonly id: string
  readonly kind: string
  readonly content: string
  /** It is of no use later. */
  readonly seconds?: number
}
const Settled = z.object({
  id: z.string(),
  state: z.enum(['queued', 'claimed', 'applied', 'refused', 'expired', 'unknown']),
  reason: z.string().nullable(),
  event: z.string().nullable(),
  result: z.string().nullable().optional(),
})
export type Settled = z.output<typeof Settled>

export type Settlement =
  | { readonly state: 'applied'; readonly event: string; readonly result: string }
  | { readonly state: 'refused'; readonly reason: string; readonly result: string }

export type Batch = {
  readonly claim: Claim
  readonly generation: number
  /** From 0, counted in each epoch and generation. */
  readonly seq: number
  readonly lines: readonly Uint8Array[]
  /** By which secrets were taken out of them. */
  readonly policy: string
}

export type Server = ReturnType<typeof openServer>

const zip = promisify(gzip)
/** As Mission Control takes them. */
const MOST_BLOB_BYTES = 64 * 1024 * 1024
const at = (id: string) => `/api/sessions/${encodeURIComponent(id)}`
const streamOf = (id: string, generation: number) =>
  `/streams/s/${encodeURIComponent(id)}/${generation}`
const producerOf = ({ producer, epoch }: Claim) => ({
  'producer-id': producer,
  'producer-epoch': String(epoch),
})

export function openServer(given: ServerAddress) {
  const { address, patienceMs } = withPatience(given)
  return { ...calls(address), patienceMs }
}

const calls = (address: ServerAddress) => ({
  url: address.url,
  tasks: openTasks(address),
  ...openHeads(address),
  approve: (userCode: string, approve: boolean): Promise<Approved> =>
    askJson(address, '/api/login/approve', Approved, {
      method: 'POST',
      json: { userCode, approve },
    }),
  link: (): Promise<z.output<typeof Link>> =>
    askJson(address, '/api/login/link', Link, { method: 'POST' }),
  rename: (person: string, name: string): Promise<unknown> =>
    askJson(address, `/api/people/${encodeURIComponent(person)}`, z.unknown(), {
      method: 'PUT',
      json: { name },
    }),
  /** Asked first of all by people who wait. */
  me: (): Promise<Me> => askJson(address, '/api/me', Me, { timeoutMs: 8000 }),
  /** A session that is not there is begun. */
  claim: (id: string): Promise<Claim> =>
    askJson(address, `${at(id)}/claim?begin=true`, Claim, { method: 'POST' }),
  /** The log goes on in a new generation, behind so many events of an older one. */
  async addGeneration(
    id: string,
    claim: Claim,
    { generation, from, events }: { generation: number; from: number; events: number },
  ): Promise<void> {
    await askServer(address, streamOf(id, generation), {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'stream-forked-from': streamOf(id, from),
        'stream-fork-offset': offsetOf(events),
        ...producerOf(claim),
        'producer-seq': '0',
      },
    })
  },
  async append(id: string, { claim, generation, seq, lines, policy }: Batch): Promise<void> {
    const body = await zip(joined(lines), { level: constants.Z_BEST_SPEED })
    await askServer(address, streamOf(id, generation), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        ...producerOf(claim),
        'producer-seq': String(seq),
        'redaction-policy': policy,
      },
      bytes: new Uint8Array(body),
    })
  },
  putBlob: async (id: string, hash: string, bytes: Uint8Array): Promise<void> =>
    void (await askServer(address, `${at(id)}/blobs/${hash}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      bytes: new Uint8Array(bytes),
      timeoutMs: 120_000,
    })),
  /** The events of a generation as their lines, page by page. */
  async *events(id: string, generation: number): AsyncGenerator<readonly unknown[], void, void> {
    let offset = '-1'
    for (;;) {
      const response = await askServer(address, `${streamOf(id, generation)}?offset=${offset}`)
      yield JSON.parse(await textOf(response, address)) as unknown[]
      if (response.headers.get('stream-up-to-date') === 'true') return
      const next = response.headers.get('stream-next-offset')
      if (next === null || next === offset)
        throw new RemoteError('refused', `${address.url} does not say where the log goes on.`)
      offset = next
    }
  },
  heartbeat: async (id: string, told: Heartbeat): Promise<void> =>
    void (await askServer(address, `${at(id)}/heartbeat`, { method: 'POST', json: defined(told) })),
  sessions: async (): Promise<readonly RemoteSession[]> =>
    (await sessionsAt(address, '/api/sessions', z.object({ sessions: z.array(RemoteSession) })))
      .sessions,
  /** Some of them, those of a repository first. */
  near: (
    { limit, offset, repository, words = [] }: NearWish,
    timeoutMs: number,
  ): Promise<RemotePage> => {
    const query = defined({ limit, offset, repository, q: words.join(' ') || undefined })
    return sessionsAt(address, `/api/sessions?${params(query)}`, RemotePage, timeoutMs)
  },
  meant: async (value: string, timeoutMs: number): Promise<readonly MeantSession[]> =>
    (await sessionsAt(address, `/api/sessions?${params({ meant: value })}`, MeantPage, timeoutMs))
      .sessions,
  session: async (id: string): Promise<RemoteSession> => {
    const { answer, gapMs } = await askTimed(address, at(id), RemoteSession)
    return inOurTime(answer, gapMs)
  },
  ...commandCalls(address),
  /** How far the log goes there. */
  head: (id: string): Promise<Head> => askJson(address, at(id), Head),
  /** Its frames, from behind an event on, until it breaks off. */
  live: (id: string, after: string | undefined, signal: AbortSignal): AsyncGenerator<Frame> =>
    framesOf(
      address,
      `${at(id)}/live${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
      signal,
    ),
  async blob(id: string, hash: string): Promise<Uint8Array> {
    const path = `${at(id)}/blobs/${encodeURIComponent(hash)}`
    return bytesOf(await askServer(address, path, { mostBytes: MOST_BLOB_BYTES }), address.url)
  },
  /** Whether it is watched there; where the server does not say, it is. */
  notices: async (id: string, notices: readonly Notice[]): Promise<boolean> => {
    const asked = { method: 'POST', json: { notices } } as const
    const { isWatched } = await askJson(address, `${at(id)}/notices`, ToldNotices, asked)
    return isWatched
  },
  /** Into the trash there, or for good. */
  remove: (id: string, { forGood }: { readonly forGood: boolean }): Promise<Removal> =>
    askJson(address, `${at(id)}${forGood ? '?now=true' : ''}`, Removal, { method: 'DELETE' }),
  guestLink: (id: string, hours: number): Promise<z.output<typeof GuestLink>> =>
    askJson(address, `${at(id)}/guest-links`, GuestLink, { method: 'POST', json: { hours } }),
  trash: async (): Promise<z.output<typeof Trash>['sessions']> =>
    (await askJson(address, '/api/trash', Trash)).sessions,
  /** Out of the trash; one that was deleted for good may be exported again. */
  restore: async (id: string): Promise<void> =>
    void (await askServer(address, `${at(id)}/restore`, { method: 'POST' })),
})

/** Its times are those of the server: here they are told by this machine's own clock. */
async function sessionsAt<P extends { readonly sessions: readonly RemoteSession[] }>(
  address: ServerAddress,
  path: string,
  schema: z.ZodType<P>,
  timeoutMs?: number,
): Promise<P> {
  const { answer, gapMs } = await askTimed(address, path, schema, defined({ timeoutMs }))
  if (gapMs === 0) return answer
  return { ...answer, sessions: answer.sessions.map((session) => inOurTime(session, gapMs)) }
}

/** What people want done with a session, and what its machine says to that. */
const commandCalls = (address: ServerAddress) => ({
  /** Answers as soon as there is one, or after so many seconds. */
  claimCommands: async (
    id: string,
    { wait, signal }: { readonly wait: number; readonly signal: AbortSignal },
  ): Promise<readonly RemoteCommand[]> =>
    (
      await askJson(address, `${at(id)}/commands/claim`, z.object({ commands: z.array(Command) }), {
        method: 'POST',
        json: { wait },
        timeoutMs: (wait + 30) * 1000,
        signal,
      })
    ).commands,
  /** Undefined result: the machine has not said it yet. */
  command: (id: string, wish: NewCommand, signal?: AbortSignal): Promise<Settled> =>
    askJson(address, `${at(id)}/commands`, Settled, {
      method: 'POST',
      json: wish,
      ...defined({ signal }),
    }),
  /** As soon as it has ended, or after so many seconds. */
  settled: (
    id: string,
    command: string,
    { wait, signal }: { readonly wait: number; readonly signal?: AbortSignal },
  ): Promise<Settled> =>
    askJson(address, `${at(id)}/commands/${encodeURIComponent(command)}?wait=${wait}`, Settled, {
      timeoutMs: (wait + 30) * 1000,
      ...defined({ signal }),
    }),
  settle: async (id: string, command: string, settlement: Settlement): Promise<void> =>
    void (await askServer(address, `${at(id)}/commands/${encodeURIComponent(command)}/settle`, {
      method: 'POST',
      json: settlement,
    })),
})

/** As an array of JSON; each line keeps its bytes. */
function joined(lines: readonly Uint8Array[]): Uint8Array {
  const separated = lines.flatMap((line, index) => [index === 0 ? '[' : ',', line])
  return Buffer.concat([...separated.map((part) => Buffer.from(part)), Buffer.from(']')])
}
