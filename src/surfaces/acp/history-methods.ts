/** What the log makes possible and no other agent offers: fork at a message, rewind, redo, search. */
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Event, Stranger } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { fieldsOf, type Fields } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { isStranger } from '../../state/positioned-event.ts'
import { StoreUnavailable } from '../../store/connection.ts'
import { BadQuery } from '../../store/query.ts'
import { openFor, sessionIdOf, type Client } from './client.ts'
import { NOT_FOUND } from './failures.ts'
import { absolute, afterAnswer, choices, keepFields, withAgent } from './session-methods.ts'

type One = { readonly sessionId: string }
type Meta = Readonly<Record<string, unknown>> | null | undefined

/**
 * `_meta.reprise.atMessageId` ends the fork before a message of the user, or after the turn of a message of the agent;
 * `_meta.reprise.replay` tells the history of the fork before the answer.
 */
export async function forkSession(
  client: Client,
  given: Fields & One & { readonly cwd: string; readonly _meta?: Meta },
) {
  const { engine } = client.parts
  const id = sessionIdOf(given.sessionId)
  const cwd = absolute(given.cwd)
  const { atMessageId, replay } = ownMeta(given._meta)
  const before =
    typeof atMessageId === 'string' ? await turnAround(client, id, atMessageId) : undefined
  const forked = await (await engine.open(id)).fork(before === undefined ? {} : { before })
  keepFields(client, forked.sessionId, given)
  const attached = await openFor(client, forked.sessionId, { cwd, replay: replay === true })
  await withAgent(attached)
  afterAnswer(() => attached.sendCommands())
  return {
    sessionId: forked.sessionId,
    ...choices(attached),
    _meta: { reprise: { name: forked.name, events: forked.events } },
  }
}

const ownMeta = (meta: Meta): Readonly<Record<string, unknown>> =>
  fieldsOf(fieldsOf(meta)['reprise'])

/** Where the fork ends. Undefined when it takes everything. */
async function turnAround(
  client: Client,
  id: SessionId,
  messageId: string,
): Promise<EventId | undefined> {
  const { events } = await (await client.parts.engine.open(id)).events()
  const rest = events.slice(placeOf(events, messageId))
  return rest.find(({ type }) => type === 'user.message')?.id
}

function placeOf(events: readonly (Event | Stranger)[], messageId: string): number {
  const at = events.findIndex((event) => messageIdOf(event) === messageId || event.id === messageId)
  if (at !== -1) return at
  throw new RpcFailure(NOT_FOUND, `There is no message "${messageId}". Nothing was changed.`, {
    messageId,
  })
}

function messageIdOf(event: Event | Stranger): string | undefined {
  if (isStranger(event)) return undefined
  return event.type === 'user.message' || event.type === 'assistant.message'
    ? event.data.messageId
    : undefined
}

/** The message and all after it leave the session, and what was changed since is taken back; not with `files: false`. */
export async function rewind(
  client: Client,
  given: One & { readonly messageId: string; readonly files?: boolean | undefined },
) {
  const { engine } = client.parts
  const id = sessionIdOf(given.sessionId)
  const { events } = await (await engine.open(id)).events()
  const eventId = events[placeOf(events, given.messageId)]?.id as EventId
  const { prompt, eventsRemoved, eventsKept, turnsRemoved, restoredFiles, skippedFiles } = await (
    await engine.open(id)
  ).rewind(eventId, given.files === false ? { mode: 'conversation' } : {})
  return { prompt, eventsRemoved, eventsKept, turnsRemoved, restoredFiles, skippedFiles }
}

export async function redo({ parts: { engine } }: Client, { sessionId }: One) {
  const { eventsRestored, restoredFiles, skippedFiles } = await (
    await engine.open(sessionIdOf(sessionId))
  ).redo()
  return { eventsRestored, restoredFiles, skippedFiles }
}

export async function search(
  { parts }: Client,
  given: { readonly query: string; readonly limit?: number | undefined },
  signal: AbortSignal,
) {
  if (parts.services === undefined)
    throw new RpcFailure(rpcCodes.unknownMethod, 'This server has no session store to search in.')
  const store = await parts.services.store()
  try {
    await store.catchUp({ signal })
    const { hits, isPartial } = await store.search({
      query: given.query,
      ...defined({ limit: given.limit }),
    })
    return { hits, isPartial }
  } catch (cause) {
    if (cause instanceof BadQuery) throw new RpcFailure(rpcCodes.invalidParams, cause.message)
    if (cause instanceof StoreUnavailable) throw new RpcFailure(rpcCodes.internal, cause.message)
    throw cause
  }
}
