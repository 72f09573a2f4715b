/**
 * One session that is open in the server: who is connected to it, who is asked what, and the feed that all of them
 * follow. It is closed when it is idle and nobody is left, sleeps after a long silence, and wakes when it is used.
 */
import type { HomeServices } from '../../store/home-services.ts'
import type { CompactionRules } from '../../engine/context.ts'
import type { Engine } from '../../engine/engine.ts'
import type { CreateOptions } from '../../engine/live/create.ts'
import type { CloseOptions } from '../../engine/live/close.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { SessionParts } from '../../engine/session-parts.ts'
import type { Session } from '../../engine/session.ts'
import type { Hook } from '../../engine/hook.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import { createAgentCommands } from './agent-commands.ts'
import type { AgentCommands } from './agent-commands.ts'
import { createAnswerWait } from './answer-wait.ts'
import { alignHooks, tellError } from './client-hooks.ts'
import type { Client } from './client.ts'
import { createForms } from './forms.ts'
import type { Forms } from './forms.ts'
import { isToldTo } from './interest.ts'
import { createMembers } from './members.ts'
import type { Member, Members } from './members.ts'
import { createOfferedCommands } from './offered-commands.ts'
import type { OfferedCommands } from './offered-commands.ts'
import { createOfferedTools } from './offered-tools.ts'
import type { OfferedTools } from './offered-tools.ts'
import type { OpenedHost, ServerParts } from './parts.ts'
import { createPermissions } from './permissions.ts'
import type { Permissions } from './permissions.ts'
import { promptTransform } from './prompt-transform.ts'
import { createQuestions } from './questions.ts'
import type { Questions } from './questions.ts'
import { createTurnHeaders } from './request-headers.ts'
import type { TurnHeaders } from './request-headers.ts'
import { createSessionAgent } from './session-agent.ts'
import type { SessionAgent } from './session-agent.ts'
import { mergedConfig, modelsIn } from './session-config.ts'
import type { AgentConfig, InfiniteSession, SessionConfig } from './session-config.ts'
import { eventFrame, wireEvent, wireNotice } from './wire.ts'
import type { Told, WireEvent } from './wire.ts'

export interface HostedSession {
  readonly id: SessionId
  readonly ops: Session
  /** Of the home that it is in. */
  readonly engine: Engine
  /** Sessions whose files a client owns have none. */
  readonly services: HomeServices | undefined
  readonly members: Members
  readonly permissions: Permissions
  readonly questions: Questions
  readonly forms: Forms
  readonly tools: OfferedTools
  readonly commands: OfferedCommands
  readonly agentCommands: AgentCommands
  readonly agent: SessionAgent
  readonly headers: TurnHeaders
  /** Models that its clients brought. */
  readonly models: readonly string[]
  readonly startedAt: Date
  /** What tools change is recorded, so that a rewind can take it back. */
  readonly tracksFiles: boolean
  /** The last time that something was asked of it or happened in it. */
  lastUsedMs: number
  /** Stays open although nobody is connected to it. */
  isPreloaded: boolean
  /** What runs waits for an answer, and no client is connected that could give it. */
  readonly isForsaken: boolean
  /** Called when what runs is over. */
  readonly onIdle: Set<() => void>
  create(options: CreateOptions): Promise<void>
  join(client: Client, config: SessionConfig): void
  /** A client that came later is asked what still waits, as those were that were there. */
  askAgain(client: Client): Promise<void>
  /** False when the client was not there. */
  leave(client: Client): boolean
  /** What the agent is made of changed. */
  configure(config: SessionConfig): void
  /** Another model may be at another provider. */
  modelChanged(): void
  tell(notice: Notice | Told): void
  listen(listener: (event: WireEvent) => void): Disposable
  /** Opens it again after it slept. */
  awake(): Promise<void>
  sleep(options?: CloseOptions): Promise<void>
  close(options?: CloseOptions): Promise<void>
}

type OnTold = (session: HostedSession, event: WireEvent) => void

export async function createHostedSession(
  id: SessionId,
  parts: ServerParts,
  { engine, hooks: ownHooks, policyWith, services, answerMs }: OpenedHost,
  given: { readonly config: SessionConfig; readonly onTold: OnTold },
): Promise<HostedSession> {
  const members = createMembers()
  const tools = createOfferedTools(members, (notice) => tell(notice))
  const permissions = createPermissions(members, parts.permissionMode)
  const questions = createQuestions(id, members)
  const forms = createForms(members, (notice) => tell(notice))
  const commands = createOfferedCommands(members, (notice) => tell(notice))
  const hooks: Hook[] = [...ownHooks]
  const listeners = new Set<(event: WireEvent) => void>()
  let config: AgentConfig = mergedConfig({}, given.config)
  let token: string | undefined
  const headers = createTurnHeaders()
  const agent = createSessionAgent(async () => {
    const { model, answeredBy: recorded } = await ops.state()
    return parts.agentFor({
      sessionId: id,
      config,
      model,
      recorded,
      tools,
      fs: engine.fs,
      token: () => token,
      headers,
      transform: promptTransform(id, members),
    })
  })
  let sessionParts: SessionParts = {
    agent: agent.agent,
    policy: policyWith(permissions.policy),
    hooks,
    clientName: given.config.clientName ?? 'reprise-server',
    trackFiles: true,
  }
  let ops = await engine.open(id, sessionParts)
  const set = (changed: SessionParts) => {
    sessionParts = { ...sessionParts, ...changed }
    ops = ops.with(changed)
  }
  const answerWait = createAnswerWait({
    limitMs: answerMs ?? parts.limits.answerMs,
    isForsaken: () => session.isForsaken,
    tell: (remark) =>
      void ops.note(remark).catch((error: unknown) => {
        parts.log('warning', `Session ${id}: a remark could not be recorded: ${String(error)}`)
      }),
    giveUp() {
      permissions.giveUp(ops)
      questions.giveUp(ops)
      tools.giveUp()
    },
  })
  const agentCommands = createAgentCommands(() => session.agent.ready())
  let lastEventId: EventId | null = null
  let watching: AbortController | undefined
  let waking: Promise<void> | undefined

  function say(event: WireEvent): void {
    session.lastUsedMs = Date.now()
    let frame: Buffer | undefined
    for (const member of members.all()) {
      if (!isToldTo(member, id, event.type)) continue
      member.client.peer.notifyFrame((frame ??= eventFrame(id, event)))
    }
    for (const listener of listeners) listener(event)
    given.onTold(session, event)
  }
  const tell = (notice: Notice | Told) => say(wireNotice(notice, lastEventId))

  function pass(item: FeedItem): void {
    if (item.kind === 'reset' || item.kind === 'live') return
    if (item.kind === 'event') {
      lastEventId = item.event.id
      const event = wireEvent(item.event)
      if (!('stranger' in item.event) && item.event.type === 'session.error')
        tellError(id, members, item.event.data, ops.now?.cwd ?? parts.cwd)
      say(permissions.saw(item.event) ? event : decided(event))
      return answerWait.align()
    }
    const { notice } = item
    tell(notice)
    agentCommands.saw(notice)
    if (notice.type === 'user_input.requested') questions.ask(ops, notice.data)
    if (notice.type === 'user_input.completed') questions.ended(notice.data.requestId)
    if (notice.type === 'session.idle') becameIdle()
    answerWait.align()
  }

  function becameIdle(): void {
    const waiting = [...session.onIdle]
    session.onIdle.clear()
    for (const act of waiting) act()
    if (ops.now?.isRunning !== true) commands.next()
  }

  async function wake(): Promise<void> {
    const { state } = await ops.resume()
    watching = new AbortController()
    const feed = ops.follow({ fromNow: true, signal: watching.signal })
    // From here on nothing is missed.
    await feed.next()
    void passAll(feed)
    lastEventId ??= state.lastEventId ?? null
  }

  async function passAll(feed: AsyncIterable<FeedItem>): Promise<void> {
    try {
      for await (const item of feed) pass(item)
    } catch (error) {
      parts.log('error', `Session ${id}: its events cannot be followed: ${String(error)}`)
    }
  }

  function alignMembers(): void {
    alignHooks(hooks, ownHooks, id, members, permissions)
    permissions.align()
    questions.align(ops)
    forms.settleUnattended()
    commands.settleUnattended()
    answerWait.align()
  }

  const session: HostedSession = {
    id,
    get ops() {
      return ops
    },
    engine,
    services,
    members,
    permissions,
    questions,
    forms,
    tools,
    commands,
    agentCommands,
    agent: {
      ...agent,
      async ready() {
        token = (await askToken(id, config, members)) ?? token
        await agent.ready()
      },
    },
    headers,
    get models() {
      return modelsIn(config)
    },
    startedAt: new Date(),
    get tracksFiles() {
      return sessionParts.trackFiles === true
    },
    lastUsedMs: Date.now(),
    isPreloaded: false,
    get isForsaken() {
      if (ops.now?.isRunning !== true) return false
      return permissions.isForsaken || questions.isForsaken || tools.isForsaken
    },
    onIdle: new Set(),
    async create(options) {
      await engine.create(options, sessionParts)
    },
    join(client, said) {
      const couldShow = forms.canBeShown
      members.put(memberOf(client, said))
      session.configure(said)
      alignMembers()
      if (forms.canBeShown !== couldShow) tellForms()
    },
    async askAgain(client) {
      const { requests } = await ops.pending()
      for (const event of requests) {
        permissions.adopt(event)
        if (members.of(client)?.answersPermissions === true)
          client.peer.notifyFrame(eventFrame(id, wireEvent(event)))
      }
      questions.askAgain(ops, client)
      answerWait.align()
    },
    leave(client) {
      const couldShow = forms.canBeShown
      const left = members.remove(client)
      if (left === undefined) return false
      if (left.tools.length > 0) agent.renew()
      alignMembers()
      if (forms.canBeShown !== couldShow) tellForms()
      return true
    },
    configure(said) {
      config = mergedConfig(config, said)
      const { infiniteSessions, enableFileChangeTracking: trackFiles } = said
      if (trackFiles !== undefined) set({ trackFiles })
      if (infiniteSessions !== undefined) set({ compaction: compactionOf(infiniteSessions) })
      agent.renew()
      agentCommands.forget()
    },
    modelChanged() {
      if (config.models !== undefined) agent.renew()
    },
    tell,
    listen(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async awake() {
      session.lastUsedMs = Date.now()
      if (watching !== undefined) return
      waking ??= wake().finally(() => {
        waking = undefined
      })
      await waking
    },
    async sleep(options) {
      // The call that woke it is told why it could not.
      await waking?.catch(() => {})
      answerWait.end()
      try {
        await ops.close(options)
      } finally {
        watching?.abort()
        watching = undefined
        lastEventId = null
      }
    },
    async close(options) {
      try {
        await session.sleep(options)
      } finally {
        await agent.close()
      }
    },
  }
  const tellForms = () =>
    tell({ type: 'capabilities.changed', data: { ui: { elicitation: forms.canBeShown } } })
  return session
}

/** A client that could decide need not ask anybody: it is too late. */
const decided = (event: WireEvent): WireEvent => ({
  ...event,
  data: { ...(event.data as object), resolvedByHook: true },
})

const compactionOf = ({
  enabled: isOn = true,
  backgroundCompactionThreshold: backgroundAt = 0.8,
  bufferExhaustionThreshold: blockingAt = 0.95,
}: InfiniteSession): CompactionRules => ({ isOn, backgroundAt, blockingAt })

function memberOf(client: Client, said: SessionConfig): Member {
  return {
    client,
    streams: said.streaming ?? false,
    answersPermissions: said.requestPermission ?? false,
    answersQuestions: said.requestUserInput ?? false,
    fillsForms: said.requestElicitation ?? false,
    runsHooks: said.hooks ?? false,
    transformsPrompt: Object.values(said.systemMessage?.sections ?? {}).some(
      ({ action }) => action === 'transform',
    ),
    tools: (said.tools ?? []).map(({ name, description, parameters, ...more }) => ({
      name,
      description,
      skipPermission: more.skipPermission ?? false,
      isInsteadOfOurs: more.overridesBuiltInTool ?? false,
      ...defined({ parameters }),
    })),
    commands: (said.commands ?? []).map(({ name, description }) => ({ name, description })),
  }
}

/** The key of a provider whose client gives it on demand only. */
async function askToken(
  sessionId: SessionId,
  { provider, providers = [] }: AgentConfig,
  members: Members,
): Promise<string | undefined> {
  const asked = [...(provider === undefined ? [] : [provider]), ...providers].find(
    ({ hasBearerTokenProvider }) => hasBearerTokenProvider === true,
  )
  if (asked === undefined) return undefined
  const params = { sessionId, providerName: asked.name ?? 'default' }
  for (const { client } of members.all()) {
    const result = await client.peer
      .request('providerToken.getToken', params)
      // The next client may have one; without any, the provider itself says that it was refused.
      .catch(() => undefined)
    const { token } = (result ?? {}) as { token?: unknown }
    if (typeof token === 'string') return token
  }
  return undefined
}
