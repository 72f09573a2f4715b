/**
 * Pages of events by cursor. A cursor names an event, so what is appended meanwhile moves no page; when that event has
 * been rewound the cursor is expired, and its reader begins anew.
 */
import { EngineError } from '../../engine/errors.ts'
import type { EventPage } from '../../engine/live/events.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import type { SessionState } from '../../state/session-state.ts'
import { knownEvents } from './known-events.ts'
import type { HostedSession } from './hosted-session.ts'
import { wholeEvents } from './hydrate-event.ts'
import { wireEvent, type WireEvent } from './wire.ts'

export type PageQuery = {
  readonly cursor?: string
  readonly max: number
  readonly direction?: 'forward' | 'backward'
  readonly waitMs?: number
  readonly types?: '*' | readonly string[]
  readonly agentScope?: 'primary' | 'all'
  readonly agentIds?: readonly string[]
  readonly includeEphemeral?: boolean
}

type Page = {
  readonly events: readonly WireEvent[]
  readonly cursor: string
  readonly hasMore: boolean
  readonly cursorStatus: 'ok' | 'expired'
}

const START = 'start'
/** Any other is of another program, or of a server before this one: it names nothing here. */
const OURS = /^(?:start|[fb]\.[^]+)$/
const EXPIRED: Page = { events: [], cursor: START, hasMore: true, cursorStatus: 'expired' }
const MAX_WAIT_MS = 30_000

/** At the end of the log; the beginning, when nothing is in it. */
export const tailCursor = ({ lastEventId }: SessionState): string =>
  cursorAt('forward', lastEventId)

const cursorAt = (direction: 'forward' | 'backward', id: EventId | undefined): string =>
  id === undefined ? START : `${direction === 'forward' ? 'f' : 'b'}.${id}`

/** `listeners` are there for sessions that are open; the others cannot be waited for. */
type Readable = Pick<HostedSession, 'id' | 'ops'> & Partial<Pick<HostedSession, 'listeners'>>

export async function readPage(
  session: Readable,
  query: PageQuery,
  signal: AbortSignal,
): Promise<Page> {
  const { cursor = START, waitMs = 0 } = query
  if (!OURS.test(cursor)) return EXPIRED
  const direction = cursor.startsWith('b.') ? 'backward' : (query.direction ?? 'forward')
  const heard: WireEvent[] = []
  const bell = deferred<void>()
  // Before the log is read, so that nothing falls between the two.
  const hear = (event: WireEvent) => {
    if (!isWanted(event, query)) return
    heard.push(event)
    bell.resolve()
  }
  session.listeners?.add(hear)
  using _listening = { [Symbol.dispose]: () => session.listeners?.delete(hear) }
  const page = await readLogPage(session, { ...query, cursor, direction })
  if (page.events.length > 0 || waitMs === 0 || direction === 'backward') return page
  if (page.cursorStatus === 'expired' || session.listeners === undefined) return page
  await waitFor(bell.promise, Math.min(waitMs, MAX_WAIT_MS), signal)
  const events = heard.slice(0, query.max)
  const last = events.findLast(({ ephemeral }) => ephemeral !== true)
  return {
    events,
    cursor: last === undefined ? page.cursor : cursorAt('forward', last.id as EventId),
    hasMore: heard.length > events.length,
    cursorStatus: 'ok',
  }
}

async function readLogPage(
  { ops, listeners }: Readable,
  query: PageQuery & { readonly cursor: string; readonly direction: 'forward' | 'backward' },
): Promise<Page> {
  const { direction, max } = query
  let at = query.cursor === START ? undefined : (query.cursor.slice(2) as EventId)
  const found: (Event | Stranger)[] = []
  const isOpen = listeners !== undefined
  if (!isOpen && ops.now?.hasLog === false) return pageOf([], START, false, direction)
  for (;;) {
    let page: EventPage
    try {
      const wanted = { direction, limit: max - found.length, ...defined({ cursor: at }) }
      page = await (isOpen ? knownEvents(ops, wanted) : ops.events(wanted))
    } catch (error) {
      if (error instanceof EngineError && error.code === 'expired') return EXPIRED
      throw error
    }
    at = page.events.at(-1)?.id ?? at
    found.push(...page.events.filter((event) => isWanted(wireEvent(event), query)))
    if (!page.more || found.length >= max)
      return pageOf(await wholeOf(ops, found), cursorAt(direction, at), page.more, direction)
  }
}

async function wholeOf(
  ops: Readable['ops'],
  events: readonly (Event | Stranger)[],
): Promise<readonly (Event | Stranger)[]> {
  const whole = wholeEvents(ops)
  const all: (Event | Stranger)[] = []
  for (const event of events) all.push(await whole(event))
  return all
}

const pageOf = (
  events: readonly (Event | Stranger)[],
  cursor: string,
  hasMore: boolean,
  direction: 'forward' | 'backward',
): Page => ({
  events: (direction === 'forward' ? events : events.toReversed()).map(wireEvent),
  cursor,
  hasMore,
  cursorStatus: 'ok',
})

function isWanted({ type, agentId, ephemeral }: WireEvent, query: PageQuery): boolean {
  const { types = '*', agentScope = 'all', agentIds, includeEphemeral = true } = query
  if (ephemeral === true && !includeEphemeral) return false
  if (types !== '*' && !types.includes(type)) return false
  if (agentIds !== undefined) return agentId !== undefined && agentIds.includes(agentId)
  return agentScope === 'all' || agentId === undefined
}

async function waitFor(event: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const over = deferred<void>()
  const timer = setTimeout(over.resolve, ms)
  const stop = () => over.resolve()
  signal.addEventListener('abort', stop, { once: true })
  await Promise.race([event, over.promise])
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
}
