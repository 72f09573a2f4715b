/** One connected client: what it said of itself, and the sessions that it has open. */
import type { HomeServices } from '../../store/home-services.ts'
import type { Introduction, Offered } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import { isSessionId, type EventId, type SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { Peer } from '../../lib/json-rpc/peer.ts'
import { fieldsOf, isFields } from '../../lib/fields.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { Asks } from './asks.ts'
import { attach, type Attached } from './attached.ts'
import { firstVersion } from './dialect.ts'
import { unknownSession } from './failures.ts'
import { secondVersion } from './second-version.ts'
import type { AcpSwitchboard } from './switchboard.ts'
import { newProjection, type AcpProjection } from './projection.ts'

/** What every client of one server shares. */
export type AcpParts = {
  readonly engine: Engine
  readonly asks: Asks
  readonly switchboard: AcpSwitchboard
  readonly version: string
  /** Where a session works whose log does not say it. */
  readonly cwd: string
  /** Offered besides the model in use; soon, or none. */
  readonly models?: () => Promise<readonly string[]>
  readonly services?: HomeServices
  /** The session of another machine that this server was started for: it is what a client begins with. */
  readonly connected?: SessionId
  /** Clients must show it before anything else. */
  readonly token?: string
}

export type Client = {
  readonly parts: AcpParts
  readonly peer: Peer
  /** The version of the protocol. */
  version: 1 | 2
  /** Undefined before it has introduced itself. */
  abilities: Abilities | undefined
  isTrusted: boolean
  /** What the agent behind us said of itself. */
  agent?: Introduction | undefined
  readonly open: Map<SessionId, Attached>
  /** How many clients have a session open. */
  readonly users: Map<SessionId, number>
}

type Abilities = AcpProjection['tells'] & {
  readonly forms: boolean
  readonly offered: Offered
}

export function abilitiesIn(capabilities: unknown): Abilities {
  const all = fieldsOf(capabilities)
  const [session, files] = [fieldsOf(all['session']), fieldsOf(all['fs'])]
  return {
    notices: isFields(session['notices']),
    compaction: isFields(session['compaction']),
    forms: isFields(fieldsOf(all['elicitation'])['form']),
    offered: {
      readsFiles: files['readTextFile'] === true,
      writesFiles: files['writeTextFile'] === true,
      terminals: all['terminal'] === true,
    },
  }
}

const NOTHING = abilitiesIn({})

/** The id of a session that may exist. What is no id of ours is as unknown as what is not there. */
export function sessionIdOf(value: string): SessionId {
  if (isSessionId(value)) return value
  throw unknownSession(value)
}

/** Opens a session for this client; with a replay, or from what happens next. */
export async function openFor(
  client: Client,
  id: SessionId,
  {
    cwd,
    replay,
    known,
  }: { readonly cwd?: string; readonly replay: boolean; readonly known?: Promise<void> },
): Promise<Attached> {
  const { engine } = client.parts
  detach(client, id)
  const session = await engine.open(id)
  const { state } = await session.resume(cwd === undefined ? {} : { cwd })
  const { holder } = await session.metadata()
  return follow(client, id, state, {
    cwd: cwd ?? state.project.cwd ?? client.parts.cwd,
    isRunning: holder !== undefined,
    ...(!replay && state.lastEventId !== undefined && { after: state.lastEventId }),
    ...defined({ known }),
  })
}

export async function follow(
  client: Client,
  id: SessionId,
  state: SessionState,
  options: {
    readonly cwd: string
    readonly isRunning: boolean
    readonly after?: EventId
    readonly known?: Promise<void>
  },
): Promise<Attached> {
  const { parts, peer, abilities, users } = client
  const tells = abilities ?? NOTHING
  const settings = {
    mode: state.mode,
    ...defined({ model: state.model, effort: state.reasoningEffort }),
  }
  const attached = await attach({
    engine: parts.engine,
    asks: parts.asks,
    models: (await parts.models?.()) ?? [],
    peer,
    id,
    canFillForms: tells.forms,
    projection: newProjection(tells, settings, options.cwd),
    dialect: client.version === 1 ? firstVersion : secondVersion(parts.switchboard.resultOf),
    isBusy: options.isRunning && state.openTurns.length > 0,
    replayTo: state.size,
    isRunning: options.isRunning,
    following: parts.switchboard.follow(id, { peer, offered: tells.offered }),
    ...defined({ after: options.after, known: options.known }),
  })
  // It may be gone by now, and then nobody would end this.
  if (peer.isClosed) attached.stop()
  client.open.set(id, attached)
  users.set(id, (users.get(id) ?? 0) + 1)
  return attached
}

/** True when no other client has the session open. */
export function detach(client: Client, id: SessionId): boolean {
  const { open, users } = client
  const attached = open.get(id)
  if (attached === undefined) return !users.has(id)
  attached.stop()
  open.delete(id)
  const others = (users.get(id) ?? 1) - 1
  if (others > 0) users.set(id, others)
  else users.delete(id)
  return others <= 0
}

/** The client leaves; sessions that nobody else has open end with it. */
export async function leave(client: Client): Promise<void> {
  const alone = [...client.open.keys()].filter((id) => detach(client, id))
  const { engine, switchboard } = client.parts
  for (const id of alone) switchboard.closed(id)
  await Promise.allSettled(alone.map(async (id) => (await engine.open(id)).close()))
}

/** A session that this client has open; it is opened when it has not. */
export const attachedTo = async (client: Client, id: SessionId): Promise<Attached> =>
  client.open.get(id) ?? (await openFor(client, id, { replay: false }))
