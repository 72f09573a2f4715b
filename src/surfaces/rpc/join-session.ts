/** A client comes to a session that is open in the server, says what it can do and wants for it, and leaves it. */
import { isDeepStrictEqual } from 'node:util'
import type { CompactionRules } from '../../engine/engine-context.ts'
import type { SessionParts } from '../../engine/session-parts.ts'
import { defined } from '../../lib/defined.ts'
import { mergedConfig } from './agent-config.ts'
import { alignHooks } from './client-hooks.ts'
import type { Client } from './client.ts'
import { tell, tellUnwritten } from './follow-session.ts'
import type { HostedSession } from './hosted-session.ts'
import type { Member, OfferedCanvas, OfferedTool } from './subscribers.ts'
import type { InfiniteSession, SessionConfig } from './session-config.ts'
import { eventFrame, wireEvent } from './wire.ts'

export function join(session: HostedSession, client: Client, said: SessionConfig): void {
  const before = offeredIn(session)
  session.members.put(memberOf(client, said))
  configure(session, client, said)
  tellUnwritten(session)
  alignMembers(session, before)
  // Panels that fail are their client's affair; a state that cannot be read is told by what asks for it next.
  void session.canvases.showAgain(client).catch(() => {})
}

/** The client has these tools, and no others of those that it brought. */
export function offerTools(
  session: HostedSession,
  client: Client,
  tools: NonNullable<SessionConfig['tools']>,
): void {
  const member = session.members.of(client) ?? memberOf(client, {})
  const before = offeredIn(session)
  session.members.put({ ...member, tools: tools.map(offeredTool) })
  session.agent.renew()
  alignMembers(session, before)
}

/** False when the client was not there. */
export function leave(session: HostedSession, client: Client): boolean {
  const before = offeredIn(session)
  const left = session.members.remove(client)
  if (left === undefined) return false
  session.clientTasks.orphan(client)
  if (left.tools.length > 0 || left.canvases.length > 0) session.agent.renew()
  if (left.canvases.length > 0) session.canvases.left(left)
  alignMembers(session, before)
  return true
}

/** A client that came later is asked what still waits, as those were that were there. */
export async function askAgain(session: HostedSession, client: Client): Promise<void> {
  const { id, members, permissions } = session
  const { requests } = await session.ops.pending()
  for (const event of requests) {
    permissions.adopt(event)
    if (members.of(client)?.answersPermissions === true)
      client.peer.notifyFrame(eventFrame(id, wireEvent(event)))
  }
  session.questions.askAgain(session.ops, client)
  session.answerWait.align()
}

/** What the agent is made of changed, as this client says. */
export function configure(session: HostedSession, client: Client, said: SessionConfig): void {
  session.config = mergedConfig(session.config, said, client)
  const { infiniteSessions, enableFileChangeTracking: trackFiles } = said
  const compaction = infiniteSessions && compactionOf(infiniteSessions)
  const changed: SessionParts = defined({ trackFiles, compaction })
  if (trackFiles !== undefined || compaction !== undefined) {
    session.sessionParts = { ...session.sessionParts, ...changed }
    session.ops = session.ops.with(changed)
  }
  session.agent.renew()
  session.agentCommands.forget()
}

/** Hooks that were configured since it was opened run from now on. */
export async function reloadHooks(session: HostedSession): Promise<void> {
  session.ownHooks = await session.loadHooks()
  const { hooks, ownHooks, id, members, permissions } = session
  alignHooks(hooks, ownHooks, id, members, permissions)
}

/** What those who are connected bring along. */
const offeredIn = ({ forms, commands, tools, canvases, members, ops }: HostedSession) => ({
  elicitation: forms.canBeShown,
  shown: canvases.canBeShown,
  canvases: canvases.providers.list(),
  /** Nobody is there, and nobody was: what the first one brings is told in the answer to it. */
  isNew: members.size === 0 && ops.now?.hasLog !== true,
  commands: commands.list(),
  tools: tools.list(),
})

function alignMembers(session: HostedSession, before: ReturnType<typeof offeredIn>): void {
  const { id, ops, members, permissions, questions, forms } = session
  alignHooks(session.hooks, session.ownHooks, id, members, permissions)
  permissions.align()
  questions.align(ops)
  forms.settleUnattended()
  session.extensionQuestions.align()
  session.commands.settleUnattended()
  session.answerWait.align()
  const now = offeredIn(session)
  const { elicitation, shown } = now
  if (before.isNew) return
  if (!isDeepStrictEqual(now.tools, before.tools)) void tellTools(session)
  if (!isDeepStrictEqual(now.commands, before.commands))
    tell(session, { type: 'commands.changed', data: { commands: now.commands } })
  if (elicitation !== before.elicitation)
    tell(session, { type: 'capabilities.changed', data: { ui: { elicitation } } })
  if (shown !== before.shown)
    tell(session, { type: 'capabilities.changed', data: { ui: { canvases: shown } } })
  if (!isDeepStrictEqual(now.canvases, before.canvases))
    tell(session, { type: 'session.canvas.registry_changed', data: { canvases: now.canvases } })
}

/** Other tools can be used from the next message on. */
async function tellTools(session: HostedSession): Promise<void> {
  const model = (await session.ops.state()).model ?? session.config.model ?? ''
  tell(session, { type: 'session.tools_updated', data: { model } })
}

const compactionOf = ({
  enabled: isOn = true,
  backgroundCompactionThreshold: backgroundAt = 0.8,
  bufferExhaustionThreshold: blockingAt = 0.95,
}: InfiniteSession): CompactionRules => ({ isOn, backgroundAt, blockingAt })

const offeredTool = ({
  name,
  description,
  parameters,
  skipPermission = false,
  overridesBuiltInTool: isInsteadOfOurs = false,
}: NonNullable<SessionConfig['tools']>[number]): OfferedTool => ({
  name,
  description,
  skipPermission,
  isInsteadOfOurs,
  ...defined({ parameters }),
})

const offeredCanvas = (said: NonNullable<SessionConfig['canvases']>[number]): OfferedCanvas => {
  const { id: canvasId, displayName, description, icon, inputSchema, actions } = said
  const known = defined({ icon, inputSchema, actions: actions?.map((it) => defined(it)) })
  return { canvasId, displayName, description, ...known }
}

/** Panels that a client declares in the name of another connection; without any it declares no more. */
export function declareCanvases(
  session: HostedSession,
  client: Client,
  { connectionId, extensionId, extensionName, canvases }: Declared,
): void {
  const before = offeredIn(session)
  const { providers } = session.canvases
  const given = { client, extensionId, ...defined({ extensionName }) }
  if (canvases.length === 0) providers.unregister(connectionId)
  else providers.register(connectionId, { ...given, canvases: canvases.map(offeredCanvas) })
  session.agent.renew()
  alignMembers(session, before)
}

type Declared = {
  readonly connectionId: string
  readonly extensionId: string
  readonly extensionName?: string | undefined
  readonly canvases: NonNullable<SessionConfig['canvases']>
}

function memberOf(client: Client, said: SessionConfig): Member {
  const { id, name } = said.canvasProvider ?? {}
  // Names of that form are ours to give.
  const isOwn = id !== undefined && !id.startsWith('connection:')
  const canvasProvider = isOwn ? { id, ...defined({ name }) } : undefined
  return {
    client,
    streams: said.streaming ?? false,
    answersPermissions: said.requestPermission ?? false,
    answersQuestions: said.requestUserInput ?? false,
    fillsForms: said.requestElicitation ?? false,
    approvesPlans: said.requestExitPlanMode ?? false,
    runsHooks: said.hooks ?? false,
    transformsPrompt: Object.values(said.systemMessage?.sections ?? {}).some(
      ({ action }) => action === 'transform',
    ),
    tools: (said.tools ?? []).map(offeredTool),
    commands: (said.commands ?? []).map(({ name, description }) => ({ name, description })),
    showsCanvases: said.requestCanvasRenderer ?? false,
    canvases: (said.canvases ?? []).map(offeredCanvas),
    ...defined({ canvasProvider }),
  }
}
