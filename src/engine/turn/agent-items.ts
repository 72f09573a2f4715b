/**
 * What an agent yields, as it comes: looked at, then recorded or told. An agent that was written without types is told
 * what is wanted of it.
 */
import { isNoticeType, type Notice } from '../../format/notice.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import { saidUntilThen } from '../../state/repair.ts'
import { isPiece } from '../../state/unfinished.ts'
import type { Agent, AgentItem, Turn } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { commit } from '../live/commit.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { gaugeOf } from '../live/context-usage.ts'
import { redactNotices } from './redact-notices.ts'
import { roundOf } from './rounds.ts'
import { namingUnheard } from './steering.ts'
import { passNotice } from './title.ts'
import type { ToolEffects } from './tool-effects.ts'

export function runAgent(agent: Agent, turn: Turn, signal: AbortSignal): AsyncIterable<AgentItem> {
  if (typeof agent.run !== 'function')
    throw new WrongAgent(`${called(agent)} has no function run(turn, signal).`)
  const given: unknown = agent.run(turn, signal)
  if (comesBitByBit(given)) return given
  throw new WrongAgent(`${called(agent)} gave ${kindOf(given)} when it was run.`)
}

/** Records and tells what comes until it ends, or until it is not wanted any more. */
export async function passItems(
  engine: EngineContext,
  session: LiveSession,
  given: AsyncIterable<AgentItem>,
  effects: ToolEffects,
  signal: AbortSignal,
  /** Calls whose start is in the log. */
  started: ReadonlySet<string> = new Set(),
): Promise<'completed' | 'cancelled'> {
  const items = given[Symbol.asyncIterator]()
  const clean = engine.redactsPieces === true ? redactNotices(engine) : asItIs
  try {
    for (;;) {
      const next = await orAborted(items.next(), signal)
      if (next === 'aborted') {
        void items.return?.().catch(() => {}) // it may be deep in an await; the turn does not wait for it
        return 'cancelled'
      }
      if (next.done) return signal.aborted ? 'cancelled' : 'completed'
      const item = checkItem(next.value)
      if ('draft' in item && item.draft.type === 'abort') {
        await items.return?.()
        return 'cancelled'
      }
      await pass(engine, session, item, effects, { started, clean })
    }
  } finally {
    await effects.close()
  }
}

const asItIs = (notice: Notice): readonly Notice[] => [notice]

/** Drafts go through the door, notices past it. */
async function pass(
  engine: EngineContext,
  session: LiveSession,
  item: AgentItem,
  effects: ToolEffects,
  { started, clean }: { readonly started: ReadonlySet<string>; readonly clean: typeof asItIs },
): Promise<void> {
  if ('notice' in item) {
    // What came before it is asked for again stays, and is told apart from what comes then.
    if (item.notice.type === 'assistant.turn_retry') await keepRetried(engine, session)
    if (item.notice.type === 'session.usage_info' && item.notice.agentId === undefined)
      session.work.gauge = gaugeOf(item.notice.data)
    const told = isPiece(item.notice) ? clean(item.notice) : [item.notice]
    for (const notice of told) await passNotice(engine, session, notice)
    return
  }
  const { draft } = item
  const record = () =>
    commit(engine, session, roundOf(draft), {
      beforeAppend: (drafts) => namingUnheard(session, drafts),
    })
  // The tool runs when the next item is asked for: until then its start is written while the tree is looked at.
  if (draft.type === 'tool.execution_start') {
    const isRecorded = started.has(draft.data.toolCallId)
    return void (await Promise.all([effects.before(draft), !isRecorded && record()]))
  }
  if (draft.type !== 'tool.execution_complete') return void (await record())
  await effects.ended(draft.data.toolCallId)
  await record()
  const changed = effects.after(draft.data.toolCallId)
  if (changed.length > 0) await commit(engine, session, changed)
}

async function keepRetried(engine: EngineContext, session: LiveSession): Promise<void> {
  const { pieces } = session.work
  const said = saidUntilThen(stateOf(session), { pieces, why: 'retried' })
  if (said.length > 0) await commit(engine, session, said)
}

/** The log looks at the fields of a draft; here it is seen to be one. */
function checkItem(item: unknown): AgentItem {
  if (!isFields(item)) throw new WrongAgent(`The agent yielded ${kindOf(item)}.`)
  const { draft, notice } = item
  if (isFields(draft)) return item as AgentItem
  if (!isFields(notice))
    throw new WrongAgent(`The agent yielded an object with ${namesOf(item)} in it.`)
  if (
    typeof notice['type'] === 'string' &&
    isNoticeType(notice['type']) &&
    isFields(notice['data'])
  )
    return item as AgentItem
  throw new WrongAgent(`The agent yielded a notice that is none: ${kindOf(notice['type'])}.`)
}

/** It says what is wanted, whatever came instead. */
class WrongAgent extends Error {
  override readonly name = 'WrongAgent'

  constructor(what: string) {
    super(
      `${what} An agent's run() is an async generator that yields { draft: { type, data } } for what is recorded and { notice: { type, data } } for what is only told.`,
    )
  }
}

const called = ({ name }: Agent): string => (name ? `The agent "${name}"` : 'The agent')

const comesBitByBit = (value: unknown): value is AsyncIterable<AgentItem> =>
  isFields(value) && Symbol.asyncIterator in value

const isFields = (value: unknown): value is Readonly<Record<string | symbol, unknown>> =>
  typeof value === 'object' && value !== null

const MOST_SHOWN = 40

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MOST_SHOWN))
  if (Array.isArray(value)) return 'a list'
  return value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`
}

const namesOf = (fields: object): string =>
  Object.keys(fields).slice(0, 5).join(', ').slice(0, MOST_SHOWN) || 'nothing'
