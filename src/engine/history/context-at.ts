/** What the model was given in a turn, or would be given now: exactly, as far as the log tells. */
import { logPath } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { counted } from '../../lib/quantities.ts'
import { readLog } from '../../log/read.ts'
import type { LogRecord } from '../../log/record.ts'
import { contextParts, type ContextParts } from '../../state/context-parts.ts'
import { createItemsFolder, type ContextItem } from '../../state/context-items.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import type { ByteRange } from '../../state/positioned-event.ts'
import { callsOf, type TurnCall, type TurnCalls } from '../../state/turn-calls.ts'
import type { ToolDefinition } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { readBlob } from '../sessions/artifacts.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'

export type ContextMoment = {
  /** From 1 on; without it, what would be given now. */
  readonly turn?: number
  /** Which of the turn's calls of the model, from 1 on; the last when it is not said. */
  readonly call?: number
  /** With the words of everything that was given. */
  readonly isWhole?: boolean
}

export type ContextAt = Pick<ContextParts, 'kinds' | 'total'> & {
  readonly turn?: number
  readonly turns: number
  readonly call?: TurnCall & { readonly number: number; readonly of: number }
  /** An agent answered that keeps a context of its own: what it told of how it came to it. */
  readonly own?: { readonly agent?: string; readonly notes: readonly string[] }
  readonly items: readonly ContextItem[]
  /** Older ones that are no longer given and are not in the list. */
  readonly notShown: number
  /** By name; undefined when it was not recorded. */
  readonly tools?: readonly string[]
  readonly whole?: {
    readonly system?: string
    readonly messages: readonly ModelMessage[]
    readonly tools: readonly ToolDefinition[]
  }
}

export async function contextAt(
  engine: EngineContext,
  session: LiveSession,
  { turn, call, isWhole = false }: ContextMoment,
): Promise<ContextAt> {
  const { turns, size } = stateOf(session)
  const place = turn === undefined ? { start: size, end: size } : placeOf(session, turn)
  const { calls, notes } = await callsIn(engine, session, place)
  const chosen = turn === undefined ? undefined : callAt(calls, call)
  const folder = createItemsFolder()
  for await (const record of recordsIn(engine, session, { start: 0, end: place.end })) {
    folder.push(record)
    if (chosen !== undefined && record.event.id === chosen.answer) break
  }
  const given = folder.items(chosen?.answer) ?? folder.items()
  if (given === undefined) throw new EngineError('internal', 'The context could not be read.')
  const tools = await toolsAt(engine, session, turn, chosen)
  const { kinds, total } = contextParts(given.context, tools ?? [])
  const { system, messages } = given.context
  const isOwn = chosen !== undefined && chosen.requestSha256 === undefined
  return {
    ...defined({ turn }),
    turns: turns.length,
    ...(chosen !== undefined && {
      call: { ...chosen, number: calls.indexOf(chosen) + 1, of: calls.length },
    }),
    ...(isOwn && { own: { ...defined({ agent: folder.answeredBy() ?? chosen.model }), notes } }),
    kinds,
    total,
    items: given.items,
    notShown: given.notShown,
    ...(tools !== undefined && { tools: tools.map(({ name }) => name) }),
    ...(isWhole && { whole: { ...defined({ system }), messages, tools: tools ?? [] } }),
  }
}

function placeOf(session: LiveSession, turn: number): ByteRange {
  const { turns, size } = stateOf(session)
  const [own, next] = [turns[turn - 1], turns[turn]]
  if (own !== undefined) return { start: own.start, end: next?.start ?? size }
  throw new EngineError(
    'not_found',
    `There is no turn ${turn}: the session has ${counted(turns.length, 'turn')}.`,
  )
}

function callAt(calls: readonly TurnCall[], number: number | undefined): TurnCall | undefined {
  if (number === undefined || calls.length === 0) return calls.at(-1)
  const found = calls[number - 1]
  if (found !== undefined) return found
  throw new EngineError(
    'not_found',
    `There is no call ${number}: in this turn the model was asked ${counted(calls.length, 'time')}.`,
  )
}

async function callsIn(
  engine: EngineContext,
  session: LiveSession,
  place: ByteRange,
): Promise<TurnCalls> {
  const records: LogRecord[] = []
  for await (const record of recordsIn(engine, session, place)) records.push(record)
  return callsOf(records)
}

export async function* recordsIn(
  engine: EngineContext,
  session: LiveSession,
  { start, end }: ByteRange,
): AsyncGenerator<LogRecord, void, undefined> {
  if (start === end) return
  for await (const { records } of readLog(engine.fs, logPath(session.dir), {
    from: start,
    to: end,
  }))
    yield* records
}

/** Those that were sent, where that is recorded. */
async function toolsAt(
  engine: EngineContext,
  session: LiveSession,
  turn: number | undefined,
  call: TurnCall | undefined,
): Promise<readonly ToolDefinition[] | undefined> {
  return turn === undefined ? toolsNow(engine, session) : toolsSent(engine, session, call)
}

/**
 * What the agent would tell its model of now: as it last did in this session, since some tools are made with a turn.
 * Before its first turn it is asked itself.
 */
export async function toolsNow(
  engine: EngineContext,
  session: LiveSession,
): Promise<readonly ToolDefinition[] | undefined> {
  const agent = await answeringIfAny(engine, session)
  if (agent?.toolDefinitions === undefined) return undefined
  const { turns } = stateOf(session)
  const { calls } =
    turns.length === 0
      ? { calls: [] }
      : await callsIn(engine, session, placeOf(session, turns.length))
  return (await toolsSent(engine, session, calls.at(-1))) ?? agent.toolDefinitions()
}

async function toolsSent(
  engine: EngineContext,
  session: LiveSession,
  call: TurnCall | undefined,
): Promise<readonly ToolDefinition[] | undefined> {
  if (call?.toolsSha256 === undefined) return undefined
  const bytes = await readBlob(engine, session.id, call.toolsSha256, { mostBytes: 64 << 20 }).catch(
    // A copy of the log may have come without it: then it is not known.
    () => undefined,
  )
  if (bytes === undefined) return undefined
  const definitions = JSON.parse(new TextDecoder().decode(bytes)) as readonly { name: string }[]
  return definitions.map((each) => ({ name: each.name, text: JSON.stringify(each) }))
}
