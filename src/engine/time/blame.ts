/**
 * Which turn, and which prompt, last wrote a line. Asked of the sessions that worked in this project, newest first,
 * from the contents that they recorded, and for imported ones from their diffs; times prove nothing and are not used.
 */
import { resolve } from 'node:path'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { readBackward } from '../../log/backward.ts'
import { findEvent } from '../../log/find.ts'
import { linesOf } from '../../project/blame-diff.ts'
import type { BlameAnswer } from '../../project/blame.ts'
import { openTimeTravel } from '../../project/time-travel.ts'
import { startsTurn, wentOnBy } from '../../state/turns.ts'
import { nearestSessions } from '../home/catalogue.ts'
import type { SessionSummary } from '../home/catalogue-row.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { inSession, logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { blameImported } from './blame-imported.ts'

export type BlameQuery = {
  readonly file: string
  readonly line: number
  readonly cwd?: string
  /** Only this session. */
  readonly session?: SessionId
}

export type Blamed =
  | {
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
  /** Older than every record, or written outside of every session. */
  | { readonly kind: 'unknown'; readonly reason: string }

export async function blame(engine: EngineContext, query: BlameQuery): Promise<Blamed> {
  const cwd = query.cwd ?? engine.cwd
  const file = resolve(cwd, query.file)
  const project = await engine.detectProject(cwd)
  const root = project.gitRoot ?? cwd
  const near = await nearestSessions(engine.fs, project, { limit: Infinity, onlyNear: true })
  const sessions = near.sessions
    .filter(({ id }) => query.session === undefined || id === query.session)
    .sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1))
  let reason = 'No session of this project has recorded a change of this file.'
  for (const session of sessions) {
    const dir = sessionDir(session.id)
    if ((await engine.fs.stat(inSession(dir, 'changes'))) === undefined) {
      const wrote = await byDiffs(engine, session, file, query.line)
      if (wrote !== undefined) return wrote
      continue
    }
    const travel = await openTimeTravel({
      fs: engine.fs,
      sessionDir: dir,
      root,
      clock: engine.clock,
    })
    const answer = await travel.blame(file, query.line)
    if (answer.kind === 'call') {
      const eventId = answer.turnEventId as EventId
      return asTurn(engine, await writerOf(engine, session, eventId, sessions), answer)
    }
    if (answer.kind === 'noSuchFile' || answer.kind === 'noSuchLine' || answer.kind === 'binary') {
      throw new EngineError('not_found', REASONS[answer.kind])
    }
    reason = REASONS[answer.kind]
  }
  return { kind: 'unknown', reason }
}

/** Of an imported session no contents are recorded; the diffs that came along say it where they can. */
async function byDiffs(
  engine: EngineContext,
  session: SessionSummary,
  file: string,
  line: number,
): Promise<Blamed | undefined> {
  if (session.importedFrom === undefined) return undefined
  const lines = await linesOf(file)
  const wrote = lines && (await blameImported(engine, session, { file, lines, at: line - 1 }))
  const { id: sessionId, name: sessionName } = session
  return wrote && { kind: 'turn', sessionId, ...defined({ sessionName }), ...wrote }
}

const REASONS = {
  older: 'The line is older than what was recorded.',
  outside: 'The line was written outside of every recorded session.',
  unrecorded: 'A version in between was not kept, so it cannot be told.',
  noSuchFile: 'There is no such file in this project.',
  noSuchLine: 'The file has no such line.',
  binary: 'The file is not text.',
} as const

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

async function asTurn(
  engine: EngineContext,
  { id, name }: SessionSummary,
  { turnEventId, toolCallId, at, alongside }: Extract<BlameAnswer, { kind: 'call' }>,
): Promise<Blamed> {
  const eventId = turnEventId as EventId
  const prompt = (await promptOf(engine, id, eventId)) ?? '(its turn was rewound)'
  return {
    kind: 'turn',
    sessionId: id,
    ...defined({ sessionName: name }),
    eventId,
    prompt,
    at,
    toolCallId,
    ...defined({ alongside }),
  }
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
