/** The turn behind a recorded change: in which session it ran, and what the person had asked for. */
import type { EventId, SessionId } from '../../format/ids.ts'
import { logPath } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { readBackward } from '../../log/backward.ts'
import { findEvent } from '../../log/find.ts'
import type { LineAuthor } from '../../project/blame.ts'
import { startsTurn, wentOnBy } from '../../state/turns.ts'
import type { EngineContext } from '../engine-context.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import { sessionDir } from '../session-dir.ts'

export type BlamedTurn = {
  readonly kind: 'turn'
  readonly sessionId: SessionId
  readonly sessionName?: string
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly toolCallId: string
  /** Calls that ran meanwhile and may have written it. */
  readonly alongside?: readonly string[]
}

/** `sessions`: all of this project, among which the origin of a fork is looked for. */
export async function turnOf(
  engine: EngineContext,
  session: SessionSummary,
  { turnEventId, toolCallId, at, alongside }: Extract<LineAuthor, { kind: 'call' }>,
  sessions: readonly SessionSummary[],
): Promise<BlamedTurn> {
  const eventId = turnEventId as EventId
  const { id: sessionId, name: sessionName } = await writerOf(engine, session, eventId, sessions)
  const prompt = (await promptOf(engine, sessionId, eventId)) ?? '(its turn was rewound)'
  const names = defined({ sessionName, alongside })
  return { kind: 'turn', sessionId, eventId, prompt, at, toolCallId, ...names }
}

/** A fork has the record of turns that it took over: they are named by the session in which they ran. */
async function writerOf(
  engine: EngineContext,
  session: SessionSummary,
  eventId: EventId,
  sessions: readonly SessionSummary[],
): Promise<SessionSummary> {
  const origin = sessions.find(({ id }) => id === session.forkedFrom)
  const found = origin && (await findEvent(engine.fs, logPath(sessionDir(origin.id)), eventId))
  if (origin === undefined || found === undefined) return session
  // Each is asked once: where a session came from stands in a file that may come from elsewhere.
  const others = sessions.filter((each) => each !== session)
  return writerOf(engine, origin, eventId, others)
}

/** What the person had asked for: an agent that goes on by itself goes on with that. */
async function promptOf(
  { fs }: EngineContext,
  id: SessionId,
  eventId: EventId,
): Promise<string | undefined> {
  const path = logPath(sessionDir(id))
  const found = await findEvent(fs, path, eventId)
  const event = found?.record.event
  if (event === undefined || 'stranger' in event || event.type !== 'user.message') return undefined
  if (wentOnBy(event) === undefined) return event.data.content
  for await (const { records } of readBackward(fs, path, { before: found?.record.start ?? 0 }))
    for (const { event: earlier } of records)
      if (!('stranger' in earlier) && earlier.type === 'user.message' && startsTurn(earlier))
        return earlier.data.content
  return event.data.content
}
