/** The life of sessions as the protocol has it: new, load, resume, list, close, delete, and what is chosen in them. */
import { isAbsolute } from 'node:path'
import type { Engine } from '../../engine/engine.ts'
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import { EngineError } from '../../engine/errors.ts'
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { isFields, type Fields } from '../../lib/fields.ts'
import { isFolder } from '../../lib/is-folder.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { realPath } from '../../lib/real-path.ts'
import { preview } from '../../state/preview.ts'
import type { Attached } from './attached.ts'
import { attachedTo, detach, follow, openFor, sessionIdOf, type Client } from './client.ts'
import { unknownSession } from './failures.ts'
import { OWN_MODE, isModeOf, modelsOf, modesWith, offers, optionsWith } from './agent-choices.ts'
import { setMode, setOption } from './config-options.ts'

type One = { readonly sessionId: string }
type Placed = Fields & { readonly cwd: string }

export async function newSession(client: Client, given: Placed) {
  const { engine, connected } = client.parts
  const cwd = await existing(absolute(given.cwd))
  if (connected !== undefined) return joinConnected(client, connected, given)
  const { id } = await engine.create({ cwd })
  keepFields(client, id, given)
  const attached = await follow(client, id, await (await engine.open(id)).state(), {
    cwd,
    isRunning: true,
  })
  await attached.reachAgent().catch(async (error: unknown) => {
    // Without a login there is no session to begin.
    detach(client, id)
    await (await engine.open(id)).close()
    throw error
  })
  afterAnswer(() => attached.sendCommands())
  return { sessionId: id, ...choices(attached) }
}

/** Its history is told as soon as the client knows its id; it stays in the directory that it has there. */
async function joinConnected(client: Client, id: SessionId, given: Fields) {
  await (await client.parts.engine.remote?.())?.connect(id)
  keepFields(client, id, given)
  const { promise: known, resolve } = deferred<void>()
  const attached = await openFor(client, id, { replay: true, known })
  await withAgent(attached)
  afterAnswer(() => {
    resolve()
    attached.sendCommands()
  })
  return { sessionId: id, ...choices(attached) }
}

/** A session is shown whatever its agent says; what can be chosen in that is told when it is known. */
export async function withAgent(attached: Attached): Promise<void> {
  const { promise: late, resolve } = deferred<void>()
  const timer = setTimeout(resolve, AGENT_WAIT_MS)
  const reached = attached.reachAgent().catch(() => {}) // the next message says what is wrong
  await Promise.race([reached, late])
  clearTimeout(timer)
}

const AGENT_WAIT_MS = 10_000

/** Answers after the whole history was told. */
export async function load(client: Client, given: One & Placed) {
  const { sessionId, cwd } = given
  const id = sessionIdOf(sessionId)
  keepFields(client, id, given)
  const attached = await openFor(client, id, { cwd: absolute(cwd), replay: true })
  await tellTitle(client, attached)
  await withAgent(attached)
  attached.sendCommands()
  return choices(attached)
}

export async function resume(client: Client, given: One & Placed) {
  const { sessionId, cwd } = given
  const id = sessionIdOf(sessionId)
  keepFields(client, id, given)
  const replay = client.version === 2 && isReplayed(given['replayFrom'])
  const attached = await openFor(client, id, { cwd: absolute(cwd), replay })
  if (replay) await tellTitle(client, attached)
  await withAgent(attached)
  afterAnswer(() => attached.sendCommands())
  return choices(attached)
}

/** The second version has a place to replay from instead of a method of its own. */
function isReplayed(from: unknown): boolean {
  if (from === undefined || from === null) return false
  if (isFields(from) && from['type'] === 'start') return true
  throw new RpcFailure(rpcCodes.invalidParams, 'replayFrom: only the start is known here.', {
    field: 'replayFrom',
  })
}

/** The rest is for the agent behind the session: tool servers, more directories, what is not known here. */
export function keepFields(client: Client, id: SessionId, given: Fields): void {
  const { sessionId: _id, cwd: _cwd, replayFrom: _from, ...fields } = given
  client.parts.switchboard.opened(id, fields)
}

export const choices = ({ projection: { settings }, theirs, models }: Attached) => ({
  modes: modesWith(settings, theirs),
  ...(modelsOf(theirs).length > 0 && { models: theirs?.acp['models'] }),
  configOptions: optionsWith(settings, models, theirs),
})

async function tellTitle(client: Client, attached: Attached): Promise<void> {
  const about = await (await client.parts.engine.open(attached.id)).metadata()
  const title = titleOf(about)
  if (title === undefined) return
  attached.send({ sessionUpdate: 'session_info_update', title, updatedAt: about.modifiedAt })
}

/** What a person, an agent or our words made. The first message as it stands is none. */
const titleOf = ({ name, userNamed, summary }: SessionSummary): string | undefined =>
  userNamed || (name !== undefined && preview(name) !== summary) ? name : undefined

/** A client learns the id of a session with the answer: what is told of it comes after. */
export const afterAnswer = (tell: () => void): void => void setImmediate(tell)

export function absolute(cwd: string): string {
  if (isAbsolute(cwd)) return cwd
  throw new RpcFailure(rpcCodes.invalidParams, 'cwd: an absolute path is wanted.', { field: 'cwd' })
}

/** A session begins where its agent can work. */
async function existing(cwd: string): Promise<string> {
  if (await isFolder(cwd)) return cwd
  throw new RpcFailure(rpcCodes.invalidParams, `cwd: there is no directory ${cwd}.`, {
    field: 'cwd',
  })
}

const PAGE = 50

export async function list(
  { parts: { engine } }: Client,
  given: {
    readonly cwd?: string | null | undefined
    readonly cursor?: string | null | undefined
    readonly archived?: 'exclude' | 'include' | 'only' | null | undefined
  },
) {
  const after = given.cursor == null ? undefined : placeIn(given.cursor)
  const archived = await engine.archived()
  const isHere = given.cwd == null ? () => true : await placeTest(given.cwd)
  const wanted = given.archived ?? 'exclude'
  const all = [...(await engine.list()), ...(await joinedFar(engine))].filter(
    (session) =>
      isHere(session.cwd) &&
      (wanted === 'include' || archived.has(session.id) === (wanted === 'only')) &&
      (after === undefined || isAfter(session, after)),
  )
  const sessions = all.sort(newestFirst).slice(0, PAGE)
  const last = sessions.at(-1)
  return {
    sessions: sessions.map((session) => infoOf(session, archived.has(session.id))),
    ...(all.length > PAGE && last !== undefined && { nextCursor: cursorAt(last) }),
  }
}

/** A directory is the same under each of its names. */
async function placeTest(cwd: string): Promise<(other: string | undefined) => boolean> {
  const names = new Set([cwd, cwd.replace(/(?<=.)\/+$/, ''), await realPath(cwd)])
  return (other) => other !== undefined && names.has(other)
}

/** Those of other machines that this server was started for. */
async function joinedFar(engine: Engine): Promise<readonly SessionSummary[]> {
  const joined = (await engine.remote?.())?.joined() ?? []
  return Promise.all(joined.map((session) => session.metadata()))
}

const infoOf = (session: SessionSummary, isArchived: boolean) => ({
  sessionId: session.id,
  // The protocol wants one; a session of another program may not have told it.
  cwd: session.cwd ?? '/',
  ...defined({ title: titleOf(session) }),
  updatedAt: session.modifiedAt,
  ...(isArchived && { archived: true }),
  _meta: {
    reprise: {
      createdAt: session.createdAt,
      firstMessage: session.summary,
      ...defined({ repository: session.repository, branch: session.branch, turns: session.turns }),
    },
  },
})

type ListCursor = { readonly modifiedAt: string; readonly id: string }

const cursorAt = ({ modifiedAt, id }: SessionSummary): string =>
  Buffer.from(`${modifiedAt} ${id}`).toString('base64url')

function placeIn(cursor: string): ListCursor {
  const [modifiedAt = '', id] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!Number.isNaN(Date.parse(modifiedAt)) && isSessionId(id)) return { modifiedAt, id }
  throw new RpcFailure(rpcCodes.invalidParams, 'cursor: this is none of ours.', { field: 'cursor' })
}

/** By what a cursor holds: the engine looks at smaller parts of a second, which a cursor does not tell. */
const newestFirst = (one: SessionSummary, other: SessionSummary): number =>
  isAfter(one, other) ? 1 : -1

const isAfter = (session: SessionSummary, { modifiedAt, id }: ListCursor): boolean =>
  session.modifiedAt < modifiedAt || (session.modifiedAt === modifiedAt && session.id > id)

export async function close(client: Client, { sessionId }: One) {
  const id = sessionIdOf(sessionId)
  if (!client.open.has(id)) throw unknownSession(sessionId)
  if (detach(client, id)) {
    client.parts.switchboard.closed(id)
    await (await client.parts.engine.open(id)).close()
  }
  return {}
}

/** What is not there is deleted already. */
export async function remove(client: Client, { sessionId }: One) {
  if (!isSessionId(sessionId)) return {}
  const { engine } = client.parts
  detach(client, sessionId)
  client.parts.switchboard.closed(sessionId)
  await engine
    .open(sessionId)
    .then((session) => session.close())
    .catch(ifThere)
  const [removal] = (await engine.remove([sessionId]).catch(ifThere)) ?? []
  if (removal !== undefined && 'error' in removal) ifThere(removal.error)
  return {}
}

/** What is gone already is as it was wanted. */
function ifThere(error: unknown): undefined {
  if (!(error instanceof EngineError) || error.code !== 'not_found') throw error
}

export async function archive(client: Client, { sessionId }: One) {
  const id = sessionIdOf(sessionId)
  detach(client, id)
  await client.parts.engine.archive(id)
  return {}
}

export async function unarchive(client: Client, { sessionId }: One) {
  await client.parts.engine.unarchive(sessionIdOf(sessionId))
  return {}
}

export async function status(client: Client, { sessionId }: One) {
  const id = sessionIdOf(sessionId)
  if (client.users.has(id)) return { status: 'open' }
  await (await client.parts.engine.open(id)).metadata()
  return { status: 'saved' }
}

export async function setTitle(client: Client, given: One & { readonly title: string }) {
  const id = sessionIdOf(given.sessionId)
  return { title: await (await client.parts.engine.open(id)).rename(given.title) }
}

export async function setSessionMode(client: Client, given: One & { readonly modeId: string }) {
  const attached = await attachedTo(client, sessionIdOf(given.sessionId))
  const { modeId } = given
  if (isModeOf(attached.theirs, modeId)) await attached.choose({ id: 'mode', value: modeId })
  else await setMode(client.parts.engine, attached.id, attached.projection.settings, modeId)
  return {}
}

/** As clients choose one that know no options; models of the agent may have names of their own there. */
export async function setModel(client: Client, given: One & { readonly modelId: string }) {
  const attached = await attachedTo(client, sessionIdOf(given.sessionId))
  const { theirs } = attached
  const { modelId: value } = given
  const isTheirs = modelsOf(theirs).some(({ modelId }) => modelId === value)
  if (isTheirs || offers(theirs, 'model', value)) await attached.choose({ id: 'model', value })
  else
    await setOption(client.parts.engine, attached.id, attached.projection.settings, {
      configId: 'model',
      value,
    })
  return {}
}

export async function setConfigOption(
  client: Client,
  given: One & { readonly configId: string; readonly value: string | boolean },
) {
  const attached = await attachedTo(client, sessionIdOf(given.sessionId))
  const { configId, value } = given
  if (offers(attached.theirs, configId, value)) await attached.choose({ id: configId, value })
  else
    await setOption(client.parts.engine, attached.id, attached.projection.settings, {
      configId: configId === OWN_MODE ? 'mode' : configId,
      value,
    })
  return { configOptions: choices(attached).configOptions }
}
