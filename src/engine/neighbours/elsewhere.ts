/**
 * What goes on in sessions that other processes have open, read from their logs. Only sessions that somebody says to
 * have open are looked at, and of those only what was written since the last look.
 */
import type { Event } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { ShownQuestion } from '../../format/letter.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { readLease } from '../../log/lease.ts'
import { readLog } from '../../log/read.ts'
import { runningIn } from '../../state/running.ts'
import type { OpenRequest, SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../context.ts'
import { inboxFolder, viewInbox } from './inbox-files.ts'
import { holderElsewhere } from './inbox-post.ts'
import { shownQuestions } from './inbox-questions.ts'
import { catchUp, load } from '../live/knowledge.ts'
import type { Knowledge } from '../live/knowledge.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { logPath, sessionDir } from '../places.ts'
import { openSessions } from '../home/touched.ts'

/** A turn runs, or waits for the answer of a person. */
export type Work = 'running' | 'waiting'
export type WorkElsewhere = ReadonlyMap<SessionId, Work>

type Known = { readonly sign: string; readonly knowledge: Knowledge }

/** Every session in which something goes on now, by the marks of those who are at it. */
export function createElsewhere(fs: SessionFs): () => Promise<WorkElsewhere> {
  const known = new Map<SessionId, Known>()
  return async () => {
    const open = await openSessions(fs)
    for (const id of known.keys()) if (!open.has(id)) known.delete(id)
    const found = new Map<SessionId, Work>()
    for (const id of open) {
      // A session that cannot be read now is told of by whoever opens it.
      const work = await workIn(fs, id, known).catch(() => undefined)
      if (work !== undefined) found.set(id, work)
    }
    return found
  }
}

async function workIn(
  fs: SessionFs,
  id: SessionId,
  known: Map<SessionId, Known>,
): Promise<Work | undefined> {
  const dir = sessionDir(id)
  const stat = await fs.stat(logPath(dir))
  if (stat === undefined) return undefined
  const sign = `${stat.identity} ${stat.size} ${stat.mtimeMs}`
  let before = known.get(id)
  if (before?.sign !== sign) {
    const knowledge = before?.knowledge ?? (await load(fs, dir))
    if (before !== undefined) await catchUp(fs, dir, knowledge)
    before = { sign, knowledge }
    known.set(id, before)
  }
  const state = before.knowledge.folder.state()
  if (runningIn(state) === undefined) return undefined
  if ((await readLease(fs, dir))?.alive !== true) return undefined
  return workOf(state, (await viewInbox(fs, inboxFolder(dir))).questions.length)
}

const workOf = ({ openRequests }: SessionState, questions: number): Work =>
  openRequests.length + questions > 0 ? 'waiting' : 'running'

export type Asked = {
  /** Absent when nothing goes on in another process of Reprise. */
  readonly work?: Work
  /** Another program is at it. It takes no answer from here. */
  readonly isForeign?: true
  /** Every `permission.requested` that the log has open, oldest first. Without `work` nobody takes an answer. */
  readonly requests: readonly Event[]
  readonly questions: readonly Omit<ShownQuestion, 'version'>[]
}

/** What waits for a person in a turn of another process. */
export async function askedElsewhere(engine: EngineContext, session: LiveSession): Promise<Asked> {
  const { fs } = engine
  const state = stateOf(session)
  if (session.running !== undefined || runningIn(state) === undefined)
    return { requests: [], questions: [] }
  const requests: Event[] = []
  for (const { start } of state.openRequests) {
    const event = await requestAt(engine, session, start)
    if (event !== undefined) requests.push(event)
  }
  if ((await holderElsewhere(engine, session)) === undefined) {
    const isForeign = (await foreignHolders(fs, session.dir)).length > 0
    return { requests, questions: [], ...(isForeign && { isForeign }) }
  }
  const questions = (await shownQuestions(fs, session.dir)).map(
    ({ version: _version, ...question }) => question,
  )
  return { work: workOf(state, questions.length), requests, questions }
}

async function requestAt(
  { fs }: EngineContext,
  { dir }: LiveSession,
  start: OpenRequest['start'],
): Promise<Event | undefined> {
  for await (const { records } of readLog(fs, logPath(dir), { from: start })) {
    const event = records[0]?.event
    if (event === undefined) continue
    return 'stranger' in event || event.type !== 'permission.requested' ? undefined : event
  }
  return undefined
}
