/** Sessions as the SDK's client handles them: created, resumed, listed, left and deleted. */
import { z } from 'zod'
import { whereFound } from '../failure.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { Opened } from '../../../engine/live/open.ts'
import { sessionDir } from '../../../format/paths.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { mergedConfig } from '../agent-config.ts'
import type { Client } from '../client.ts'
import { requireKnown } from '../client-model.ts'
import { isForsaken, type HostedSession } from '../hosted-session.ts'
import { tell } from '../follow-session.ts'
import { askAgain } from '../join-session.ts'
import { JsonText } from '../../../lib/json-rpc/json-text.ts'
import { knownItems } from '../known-events.ts'
import { admit } from '../extensions/trust-prompt.ts'
import { method, sessionId, type Methods } from '../method.ts'
import { refuseWrong, warnOfRest } from '../unsupported-options.ts'
import { removeSession } from '../remove-session.ts'
import type { Server } from '../server.ts'
import { sessionConfig, type SessionConfig } from '../session-config.ts'
import { wholeItems } from '../hydrate-event.ts'
import { joined, wireSession } from '../wire.ts'

const filter = z
  .looseObject({
    cwd: z.string().optional(),
    gitRoot: z.string().optional(),
    repository: z.string().optional(),
    branch: z.string().optional(),
  })
  .optional()

export const getMetadata = method(
  'What is known of one session, if there is one.',
  { sessionId },
  async ({ server }, { sessionId: id }) => {
    const session = await describe(server, id)
    return session === undefined ? {} : { session }
  },
)

export const sessionMethods: Methods = {
  'session.create': method(
    'Begins a session. Its folder appears with the first message.',
    { ...sessionConfig, sessionId: sessionId.optional() },
    async ({ server, client }, { sessionId: id = newId(), ...config }) =>
      createSession(server, client, id, config),
  ),
  'session.resume': method(
    'Opens a session again, or joins it when it is open.',
    {
      ...sessionConfig,
      sessionId,
      disableResume: z.boolean().optional().describe('The log is not told of it.'),
      continuePendingWork: z
        .boolean()
        .optional()
        .describe('What waits for an answer goes on waiting, and the client is asked it.'),
    },
    async ({ server, client }, { sessionId: id, ...config }) =>
      resumeSession(server, client, id, config),
  ),
  'session.detach': method(
    'Leaves a session; it is closed when nobody is left.',
    { sessionId },
    leave,
  ),
  'session.destroy': method('The older name of session.detach.', { sessionId }, leave),
  'session.delete': method(
    'Moves a session to the trash.',
    { sessionId },
    async ({ server }, { sessionId: id }) => {
      const removal = await removeSession(server, id)
      return removal.outcome === 'kept'
        ? { success: false, error: removal.error.message }
        : { success: true }
    },
  ),
  'session.list': method(
    'All sessions of this home, newest first.',
    { filter },
    async ({ server }, { filter: wanted = {} }) => ({
      sessions: (await server.parts.catalogue.list()).filter(fits(wanted)).map(wireSession),
    }),
  ),
  'session.getMetadata': getMetadata,
  'session.getLastId': method('The session that was used last.', async ({ server }) => {
    const id = await server.parts.catalogue.latest()
    return id === undefined ? {} : { sessionId: id }
  }),
  'session.getMessages': method(
    'Every event of a session, also of one that was closed. For long sessions, session.eventLog.read gives pages.',
    { sessionId },
    async ({ server }, { sessionId: id }) => {
      const handle = await server.handle(id)
      const items = await wholeItems(handle, await knownItems(handle))
      return new JsonText(['{"events":[', ...items, ']}'])
    },
  ),
  'session.getForeground': method('Which session a person looks at.', ({ server }) => {
    const { foreground } = server
    const session = foreground && server.find(foreground)
    return session ? { sessionId: session.id, workspacePath: workspaceOf(session) } : {}
  }),
  'session.setForeground': method(
    'Says which session a person looks at, where a server was started with one in front (`--resume`).',
    { sessionId },
    ({ server }, { sessionId: id }) => {
      if (server.foreground === undefined) {
        const error =
          'Not running with a session in front: nobody looks at the sessions of this server. Nothing was changed.'
        return { success: false, error }
      }
      if (server.find(id) === undefined)
        return { success: false, error: `Session not found: ${id}. It is not open here.` }
      server.bringForward(id)
      return { success: true }
    },
  ),
}

type Field = 'cwd' | 'gitRoot' | 'repository' | 'branch'
type Fields = { readonly [F in Field]?: string | undefined }

export const fits = (wanted: Fields) => (session: Fields) =>
  FIELDS.every((field) => wanted[field] === undefined || session[field] === wanted[field])
const FIELDS: readonly Field[] = ['cwd', 'gitRoot', 'repository', 'branch']

const newId = () => crypto.randomUUID() as SessionId

async function leave(
  { server, client }: { server: Server; client: Client },
  { sessionId: id }: { sessionId: SessionId },
): Promise<{ success: true }> {
  await server.detach(client, id)
  return { success: true }
}

export async function createSession(
  server: Server,
  client: Client,
  id: SessionId,
  config: SessionConfig,
): Promise<Readonly<Record<string, unknown>>> {
  refuseWrong(config)
  const { name, model, reasoningEffort, workingDirectory } = config
  await requireKnown(server.parts, mergedConfig({}, config, client), model)
  const { detachedFromSpawningParentSessionId: parentSessionId } = config
  const { session } = await server.host(id, client, config, async (hosted, wasActive) => {
    if (wasActive) {
      throw new EngineError(
        'conflict',
        `Session ${id} exists already. Nothing was changed. Resume it instead.`,
      )
    }
    const cwd = workingDirectory ?? client.files?.initialCwd ?? server.parts.cwd
    await hosted.engine.create(
      { sessionId: id, cwd, ...defined({ name, model, reasoningEffort, parentSessionId }) },
      hosted.sessionParts,
    )
    await chooseAgent(hosted, config)
  })
  server.tellLifecycle('session.created', id)
  warnOfRest(session, config)
  if (config.requestExtensions === true) session.extensions.start(config.extensionSdkPath)
  return describeOpened(session)
}

/** One that is not there is refused: nothing of the session is left then. */
async function chooseAgent(hosted: HostedSession, { agent }: SessionConfig): Promise<void> {
  if (agent === undefined) return
  try {
    await hosted.agent.ready()
    await hosted.ops.selectAgent(agent)
  } catch (error) {
    await hosted.ops.close()
    throw error
  }
}

export async function resumeSession(
  server: Server,
  client: Client | undefined,
  id: SessionId,
  config: SessionConfig & {
    readonly disableResume?: boolean | undefined
    readonly continuePendingWork?: boolean | undefined
  },
): Promise<Readonly<Record<string, unknown>>> {
  refuseWrong(config)
  const extension = client?.extension
  const open = server.find(id)
  await requireKnown(server.parts, mergedConfig(open?.config ?? {}, config, client), config.model)
  const granted =
    extension === undefined || open === undefined
      ? undefined
      : await admit(open, extension.id, config)
  const { disableResume = false, continuePendingWork = false, workingDirectory } = config
  const { model, reasoningEffort, name } = config
  const { session, begun } = await server.host(id, client, config, async (hosted) => {
    const { ops } = hosted
    // The client that was asked has gone, and the one that comes does not want its work: it counts as interrupted.
    if (isForsaken(hosted) && hosted.members.size === 0 && !continuePendingWork)
      await ops.cancel({ queue: 'go-on' })
    const opened: Opened = await ops.resume({
      quiet: disableResume,
      continuePendingWork,
      cwdIfGone: client?.files?.initialCwd ?? server.parts.cwd,
      ...defined({ cwd: workingDirectory, model, reasoningEffort }),
    })
    if (opened.wasActive || disableResume) await choose(ops, config, opened)
    if (name !== undefined) await ops.rename(name)
    return opened
  })
  if (begun.wasActive && !disableResume) tell(session, joined(begun.state))
  warnOfRest(session, config)
  if (config.agent !== undefined) {
    await session.agent.ready()
    await session.ops.selectAgent(config.agent)
  }
  if (continuePendingWork) await continueWork(session, client)
  if (extension !== undefined && client !== undefined) session.extensions.joined(client)
  else if (config.requestExtensions === true) session.extensions.start(config.extensionSdkPath)
  return {
    ...defined({ grantedEnvironmentVariables: granted }),
    ...(await describeOpened(session)),
    openCanvases: session.canvases.listOpen(),
    sessionWasActive: begun.wasActive,
    alreadyInUse: begun.holder !== undefined,
  }
}

/** What waits goes on waiting, or is asked anew where the process that asked is gone. */
async function continueWork(session: HostedSession, client: Client | undefined): Promise<void> {
  const { ops } = session
  if (ops.now?.isAtWorkElsewhere === true) {
    // It says itself what it can, so it must be there.
    await session.agent.ready()
    await ops.continueWork()
  }
  if (client !== undefined) await askAgain(session, client)
}

/** What the client wants to be different from what the session had. */
async function choose(
  ops: HostedSession['ops'],
  { model, reasoningEffort }: SessionConfig,
  { state }: Opened,
): Promise<void> {
  const wanted = model ?? state.model
  if (wanted !== undefined && (model !== undefined || reasoningEffort !== undefined))
    await ops.setModel({
      model: wanted,
      ...defined({ reasoningEffort }),
    })
}

async function describeOpened(session: HostedSession): Promise<Readonly<Record<string, unknown>>> {
  const state = await session.ops.state()
  return {
    sessionId: session.id,
    workspacePath: workspaceOf(session),
    capabilities: {
      ui: {
        elicitation: session.forms.canBeShown,
        mcpApps: session.config.requestMcpApps === true,
        canvases: session.canvases.canBeShown,
      },
      extensions: session.extensions.isOn,
    },
    startTime: state.startTime ?? session.startedAt.toISOString(),
    isRemote: session.ops.machine !== undefined,
    mode: state.mode,
    modelState: {
      ...defined({ modelId: state.model, reasoningEffort: state.reasoningEffort }),
    },
  }
}

export const workspaceOf = ({ engine, id }: Pick<HostedSession, 'engine' | 'id'>): string =>
  engine.fs.nativePath(sessionDir(id))

/** A session that has said nothing is known only here. */
async function describe(server: Server, id: SessionId) {
  const open = server.find(id)
  const now = open?.ops.now
  if (open !== undefined && now !== undefined && !now.hasLog) {
    const at = open.startedAt.toISOString()
    return {
      sessionId: id,
      startTime: at,
      modifiedTime: at,
      isRemote: false,
      context: { cwd: now.cwd },
    }
  }
  // One that is open may live elsewhere than in this home; of any other its own files tell, without an engine.
  const found =
    open === undefined
      ? await server.parts.catalogue.summary(id)
      : await whereFound(open.ops.metadata(), undefined)
  return found && wireSession(found)
}
