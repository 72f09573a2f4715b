/** Makes a session that is open in the server. It is not followed before it is woken. */
import type { Hook } from '../../engine/hook.ts'
import type { SessionParts } from '../../engine/session-parts.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import type { Streams } from '../../lib/json-rpc/peer.ts'
import { createAgentCommands } from './agent-commands.ts'
import { mergedConfig, type BroughtProvider } from './agent-config.ts'
import { createAnswerWait } from './answer-wait.ts'
import { createCanvases } from './canvases.ts'
import { createClientTasks } from './client-tasks.ts'
import type { Client } from './client.ts'
import { tell, tellIdle, tellOne } from './follow-session.ts'
import { createExtensionQuestions } from './extensions/questions.ts'
import { createSessionExtensions } from './extensions/session-extensions.ts'
import { createForms } from './forms.ts'
import { isForsaken, type HostedSession } from './hosted-session.ts'
import { createIdleWait } from './idle-wait.ts'
import { createMembers, type Members } from './subscribers.ts'
import { createOfferedCommands } from './offered-commands.ts'
import { createOfferedTools } from './offered-tools.ts'
import type { OpenedHost, ServerParts } from './parts.ts'
import { createPermissions } from './permissions.ts'
import { rulesAt } from './allowed-directories.ts'
import { promptTransform } from './prompt-transform.ts'
import { createQuestions } from './questions.ts'
import { createTurnHeaders } from './request-headers.ts'
import { createScheduleTimers, type SendScheduled } from './schedule-timers.ts'
import { createSessionAgent } from './session-agent.ts'
import { createServerRequests } from './server-requests.ts'
import { createSessionServers } from './session-servers.ts'
import { UNNAMED_CLIENT, type SessionConfig } from './session-config.ts'
import { createShellTasks } from './shell-tasks.ts'
import { createShells } from './shells.ts'
import { subagentSettingsOf } from './subagent-settings.ts'

type Given = {
  readonly config: SessionConfig
  /** Who said so. */
  readonly client: Client | undefined
  /** Sends a prompt whose time has come. */
  readonly sendScheduled: SendScheduled
  /** Speaks with one more client. */
  readonly serve: (streams: Streams) => Client
} & Pick<HostedSession, 'onTold'>

export async function createHostedSession(
  id: SessionId,
  parts: ServerParts,
  { engine, hooks: loadHooks, policyWith, services, answerMs }: OpenedHost,
  given: Given,
): Promise<HostedSession> {
  const members = createMembers()
  const toldHere = (notice: Notice) => void tell(session, notice)
  const tools = createOfferedTools(members, toldHere)
  const serverRequests = createServerRequests(
    id,
    members,
    (notice, to) => void (to === undefined ? tell(session, notice) : tellOne(session, to, notice)),
    () => session.config.requestMcpApps === true,
  )
  const servers = createSessionServers(toldHere, serverRequests)
  const canvases = createCanvases({
    id,
    members,
    ops: () => session.ops,
    cwd: () => session.ops.now?.cwd ?? parts.cwd,
    tell: (told) => void tell(session, told),
  })
  const permissions = createPermissions(members, parts.permissionMode, () =>
    rulesAt(parts.catalogue, session.ops.now?.cwd ?? parts.cwd),
  )
  const questions = createQuestions(id, members)
  const shellTasks = createShellTasks(() =>
    toldHere({ type: 'session.background_tasks_changed', data: {} }),
  )
  const ownHooks = await loadHooks()
  const hooks: Hook[] = [...ownHooks]
  const headers = createTurnHeaders()
  const agent = createSessionAgent(async () => {
    const { model, answeredBy: recorded } = await session.ops.state()
    return parts.agentFor({
      sessionId: id,
      config: session.config,
      model,
      recorded,
      tools,
      servers,
      canvases,
      fs: engine.fs,
      token: (provider) => askToken(id, provider, members),
      headers,
      subagents: () => subagentSettingsOf(session.subagents),
      fetchFor: (provider) => (input, init) =>
        (members.whoBrought(provider)?.requests?.fetchFor(id) ?? globalThis.fetch)(input, init),
      transform: promptTransform(id, members),
    })
  })
  const extensions = createSessionExtensions({
    id,
    parts,
    cwd: () => session.ops.now?.cwd ?? parts.cwd,
    tell: (told) => void tell(session, told),
    serve: (program, { id: extensionId, name }) =>
      Object.assign(given.serve(program), { extension: { id: extensionId, name } }),
  })
  const ready = async () => {
    // Their tools and hooks count from the first message on.
    await extensions.settled()
    await agent.ready()
  }
  const sessionParts: SessionParts = {
    agent: agent.agent,
    policy: policyWith(permissions.policy),
    asksToRead: () => permissions.asksToRead,
    hooks,
    clientName: given.config.clientName ?? UNNAMED_CLIENT,
    trackFiles: true,
  }
  const answerWait = createAnswerWait({
    limitMs: answerMs ?? parts.limits.answerMs,
    isForsaken: () => isForsaken(session),
    tell: (remark) =>
      void session.ops.note(remark).catch((error: unknown) => {
        parts.log('warning', `Session ${id}: a remark could not be recorded: ${String(error)}`)
      }),
    giveUp() {
      permissions.giveUp(session.ops)
      questions.giveUp(session.ops)
      tools.giveUp()
    },
  })
  const session: HostedSession = {
    ...nothingYet(),
    id,
    parts,
    engine,
    services,
    ops: await engine.open(id, sessionParts),
    sessionParts,
    config: mergedConfig({}, given.config, given.client),
    members,
    permissions,
    questions,
    forms: createForms(members, toldHere),
    tools,
    servers,
    serverRequests,
    canvases,
    extensions,
    extensionQuestions: createExtensionQuestions(members, (told) => void tell(session, told)),
    commands: createOfferedCommands(members, toldHere, (client, notice) =>
      tellOne(session, client, notice),
    ),
    agentCommands: createAgentCommands(ready),
    agent: { ...agent, ready },
    shells: createShells(),
    headers,
    answerWait,
    clientTasks: createClientTasks(id, toldHere),
    shellTasks,
    scheduleTimers: createScheduleTimers(
      () => session.ops,
      given.sendScheduled,
      (message) => parts.log('warning', `Session ${id}: ${message}`),
    ),
    ownHooks,
    loadHooks,
    hooks,
    idleWait: createIdleWait((idle) => tellIdle(session, idle)),
    listeners: new Set([shellTasks.saw]),
    onTold: given.onTold,
  }
  return session
}

/** What nobody has said or done yet. */
const nothingYet = () =>
  ({
    samplings: new Map(),
    hostContext: {},
    userCommands: new Set(),
    gitHubAuth: undefined,
    engagementId: crypto.randomUUID(),
    autoModeHandlers: new Set(),
    notifications: [],
    subagents: undefined,
    allowedModels: undefined,
    removedTasks: new Set(),
    startedAt: new Date(),
    lastUsedMs: Date.now(),
    streamedBytes: 0,
    isPreloaded: false,
    onIdle: new Set(),
    lastEventId: null,
    toldAhead: new Set(),
    watching: undefined,
    waking: undefined,
  }) satisfies Partial<HostedSession>

/** From the client that brought the provider, for each call: how long a token is good is known there alone. */
async function askToken(
  sessionId: SessionId,
  provider: BroughtProvider,
  members: Members,
): Promise<string | undefined> {
  const client = members.whoBrought(provider)
  const { name: providerName = 'default' } = provider
  const result = await client?.peer
    .request('providerToken.getToken', { sessionId, providerName })
    // Without a token the provider itself says that it was refused.
    .catch(() => undefined)
  const { token } = (result ?? {}) as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}
