/**
 * Remote control: one session of this server at a time can be steered from Mission Control. Which one is changed by
 * compare and swap, so that two programs do not take it from each other unawares.
 */
import { z } from 'zod'
import { whereFound } from '../failure.ts'
import { EngineError } from '../../../engine/errors.ts'
import type {
  FarSummary,
  RemoteControl,
  RemoteLink,
  RemoteStatus,
} from '../../../engine/remote-control.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { inTurn } from '../../../lib/keyed-mutex.ts'
import { method, passOn, sessionId, sessionMethod, type Methods } from '../method.ts'
import type { Client } from '../client.ts'
import type { Server } from '../server.ts'
import type { SessionConfig } from '../session-config.ts'
import { resumeSession } from './session.ts'

const noMissionControl = () =>
  new EngineError(
    'invalid',
    'No Mission Control is configured for this server. Nothing was changed. "reprise remote login <url>" joins one.',
  )

const OFF = { state: 'off' } as const

const remoteOf = async (server: Server): Promise<RemoteControl | undefined> =>
  (await server.engine()).remote?.()

export async function required(server: Server): Promise<RemoteControl> {
  const remote = await remoteOf(server)
  if (remote === undefined) throw noMissionControl()
  return remote
}

/** As the SDK words it. */
function wireStatus(attachedSessionId: SessionId, status: RemoteStatus) {
  switch (status.state) {
    case 'off':
      return OFF
    case 'connecting':
      return { state: 'connecting', attachedSessionId } as const
    case 'error':
      return { state: 'error', error: status.error ?? '', attachedSessionId } as const
    case 'active':
      return {
        state: 'active',
        attachedSessionId,
        isSteerable: status.mode === 'steer',
        ...defined({ frontendUrl: status.url }),
      } as const
  }
}

async function statusOf(server: Server) {
  const { attached } = server.remoteControl
  const remote = attached === undefined ? undefined : await remoteOf(server)
  if (attached === undefined || remote === undefined) return OFF
  return wireStatus(attached, await remote.status(attached))
}

type Attaching = { readonly isSteerable: boolean; readonly link?: RemoteLink }

async function attach(server: Server, id: SessionId, { isSteerable, link = {} }: Attaching) {
  const remote = await remoteOf(server)
  if (remote === undefined)
    return { state: 'error', error: noMissionControl().message, attachedSessionId: id } as const
  const status = await remote.set(id, isSteerable ? 'steer' : 'export', link)
  // Only now: what could not be attached leaves the one that is.
  const { attached: before } = server.remoteControl
  server.remoteControl.attached = id
  if (before !== undefined && before !== id) await turnOff(remote, before)
  return wireStatus(id, status)
}

const StartConfig = z.looseObject({
  remote: z.boolean().optional(),
  steerable: z.boolean().optional(),
  explicit: z.boolean().optional(),
  silent: z.boolean().optional(),
  taskId: z.string().min(1).optional(),
  existingMcSession: z.looseObject({ mcSessionId: z.string(), mcTaskId: z.string() }).optional(),
})

/** What a person asked for is told in the session: that it is so, and what they may miss. */
async function start(server: Server, id: SessionId, config: z.output<typeof StartConfig>) {
  const { steerable: isSteerable = true, explicit, silent, existingMcSession: before } = config
  const link = defined({ existing: before?.mcSessionId, task: config.taskId ?? before?.mcTaskId })
  const status = await attach(server, id, { isSteerable, link })
  if (status.state !== 'active') return status
  const session = await (await server.engine()).open(id)
  if (explicit === true && (await session.metadata()).repository === undefined)
    await session.note({ level: 'warning', type: 'remote', message: NO_REPOSITORY })
  if (silent === false)
    await session.note({
      level: 'info',
      type: 'remote',
      message: 'Remote control connected',
      ...defined({ url: status.frontendUrl }),
    })
  return status
}

const NO_REPOSITORY =
  'This session is in no repository: Mission Control shows it without one, and nobody finds it by it.'

async function detach(server: Server): Promise<void> {
  const { attached } = server.remoteControl
  const remote = await remoteOf(server)
  if (attached !== undefined && remote !== undefined) await turnOff(remote, attached)
  server.remoteControl.attached = undefined
}

/** One that was deleted meanwhile is off. */
const turnOff = (remote: RemoteControl, id: SessionId): Promise<unknown> =>
  whereFound(remote.set(id, 'off'), undefined)

/** What compares and swaps is done one after the other. */
const swapping = <T>(server: Server, work: () => Promise<T>): Promise<T> =>
  inTurn(server.remoteControl, work)

/** The sessions of other machines, as the SDK words them; none where no Mission Control is configured. */
export async function remoteSessions(server: Server) {
  const found = await (await remoteOf(server))?.near({}, { limit: MOST_LISTED })
  return (found?.sessions ?? []).map(wireFar)
}

const MOST_LISTED = 1000

type WireFar = ReturnType<typeof wireFar>

function wireFar({ id, name, summary, repository, branch, remote, ...times }: FarSummary) {
  const [owner = '', repo = ''] = (repository ?? '').split('/').slice(-2)
  return {
    sessionId: id,
    startTime: times.createdAt,
    modifiedTime: times.modifiedAt,
    isRemote: true,
    hostStatus: remote.state,
    state: remote.isStale ? 'stale' : 'in_progress',
    staleAt: remote.staleAt,
    remoteSessionIds: [id],
    resourceId: id,
    taskType: 'cli',
    repository: { owner, name: repo, branch: branch ?? '' },
    ...defined({ name, summary: (name ?? summary) || undefined }),
    ...(repository !== undefined && { context: { repository, ...defined({ branch }) } }),
  } as const
}

/** A client joins a session of another machine: by its id, the id of its task, the beginning of either, or its name. */
export async function joinFar(
  server: Server,
  client: Client,
  word: string,
  config: SessionConfig = {},
): Promise<{ readonly id: SessionId; readonly session: WireFar }> {
  const remote = await required(server)
  const { found, trouble } = await remote.meant(word)
  const [only, ...others] = found
  if (only === undefined)
    throw new EngineError(
      trouble === undefined ? 'not_found' : 'unreachable',
      `Mission Control shows no session ${word} of another machine.${trouble === undefined ? '' : ` ${trouble}`} Nothing was changed.`,
    )
  if (others.length > 0)
    throw new EngineError('ambiguous', `${found.length} sessions of other machines fit ${word}.`)
  const { id } = only.session
  await remote.connect(id)
  await resumeSession(server, client, id, config)
  return { id, session: wireFar(only.session) }
}

export const remoteMethods: Methods = {
  'sessions.startRemoteControl': method(
    'Lets a session be watched, and steered if wanted, from Mission Control.',
    {
      sessionId,
      config: StartConfig.optional(),
    },
    async ({ server }, { sessionId: id, config = {} }) => ({
      status: await swapping(server, () =>
        config.remote === false ? statusOf(server) : start(server, id, config),
      ),
    }),
  ),
  'sessions.transferRemoteControl': method(
    'Lets another session be steered instead, if the one that is now is the one expected.',
    { toSessionId: sessionId, expectedFromSessionId: sessionId.optional() },
    ({ server }, { toSessionId, expectedFromSessionId: expected }) =>
      swapping(server, async () => {
        const { attached } = server.remoteControl
        const isExpected = attached !== undefined && (expected ?? attached) === attached
        if (!isExpected) return { status: await statusOf(server), transferred: false }
        const before = await statusOf(server)
        const isSteerable = before.state === 'active' && before.isSteerable
        return { status: await attach(server, toSessionId, { isSteerable }), transferred: true }
      }),
  ),
  'sessions.setRemoteControlSteering': method(
    'Allows or forbids steering of the session that is watched.',
    { enabled: z.boolean() },
    ({ server }, { enabled }) =>
      swapping(server, async () => {
        const { attached } = server.remoteControl
        if (attached === undefined) return { status: OFF }
        return { status: await attach(server, attached, { isSteerable: enabled }) }
      }),
  ),
  'sessions.stopRemoteControl': method(
    'Ends it, if the session is the one expected; `force` ends it whichever it is.',
    { expectedSessionId: sessionId.optional(), force: z.boolean().optional() },
    ({ server }, { expectedSessionId: expected, force }) =>
      swapping(server, async () => {
        const { attached } = server.remoteControl
        const isExpected = force === true || (expected ?? attached) === attached
        if (attached === undefined || !isExpected)
          return { status: await statusOf(server), stopped: false }
        await detach(server)
        return { status: OFF, stopped: true }
      }),
  ),
  'sessions.getRemoteControlStatus': method(
    'Which session can be watched from Mission Control, and how far its copy is.',
    async ({ server }) => ({ status: await statusOf(server) }),
  ),
  'session.remote.enable': sessionMethod(
    'Keeps a copy of this session in Mission Control, and lets it be steered from there.',
    { mode: z.enum(['off', 'export', 'on']).optional() },
    async ({ id }, { mode = 'on' }, { server }) => {
      const remote = await required(server)
      const status = await remote.set(id, mode === 'on' ? 'steer' : mode)
      if (status.state === 'error') throw new EngineError('unreachable', status.error ?? '')
      return { remoteSteerable: status.mode === 'steer', ...defined({ url: status.url }) }
    },
  ),
  'session.remote.disable': sessionMethod(
    'Sends nothing more of this session to Mission Control.',
    async ({ id }, _params, { server }) => {
      await (await required(server)).set(id, 'off')
    },
  ),
  'session.remote.notifySteerableChanged': passOn('setSteerable', {
    summary: 'Records that the session may, or may no longer, be steered from afar.',
    takes: { remoteSteerable: z.boolean() },
    to: ({ remoteSteerable }) => [remoteSteerable],
    answer: {},
  }),
  'sessions.connect': method(
    'Joins a session of Mission Control.',
    { sessionId: z.string() },
    async ({ server, client }, { sessionId: id }) => {
      const { session } = await joinFar(server, client, id)
      const { sessionId: joined, name, summary, startTime, modifiedTime } = session
      const { repository, staleAt, state } = session
      return {
        sessionId: joined,
        metadata: {
          sessionId: joined,
          startTime,
          modifiedTime,
          repository,
          kind: 'remote-session',
          resourceId: joined,
          ...defined({ name, summary, staleAt, state }),
        },
      }
    },
  ),
}
