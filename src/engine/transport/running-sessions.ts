/**
 * What goes on in sessions that other processes have open, read from their logs. Only sessions that a process says to
 * have open are looked at, and of those only what was written since the last look.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { readLease } from '../../log/lease.ts'
import { runningIn } from '../../state/running.ts'
import type { SessionState } from '../../state/session-state.ts'
import { inboxFolder, viewInbox } from './inbox-files.ts'
import { catchUp, load, type FoldedLog } from '../live/folded-log.ts'
import { logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { openSessions } from '../catalogue/dirty-markers.ts'

/** A turn runs, or waits for the answer of a person. */
export type Work = 'running' | 'waiting'
export type RunningSessions = ReadonlyMap<SessionId, Work>

type Known = { readonly sign: string; readonly folded: FoldedLog }

/** Every session in which something goes on now, by the marks of those who are at it. */
export function createRunningSessions(fs: SessionFs): () => Promise<RunningSessions> {
  const known = new Map<SessionId, Known>()
  return async () => {
    const open = await openSessions(fs)
    for (const id of known.keys()) if (!open.has(id)) known.delete(id)
    const found = new Map<SessionId, Work>()
    for (const id of open) {
      // A session that cannot be read now is told of when it is opened.
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
    const folded = before?.folded ?? (await load(fs, dir))
    if (before !== undefined) await catchUp(fs, dir, folded)
    before = { sign, folded }
    known.set(id, before)
  }
  const state = before.folded.folder.state()
  if (runningIn(state) === undefined) return undefined
  if ((await readLease(fs, dir))?.alive !== true) return undefined
  return workOf(state, (await viewInbox(fs, inboxFolder(dir))).questions.length)
}

const workOf = ({ openRequests }: SessionState, questions: number): Work =>
  openRequests.length + questions > 0 ? 'waiting' : 'running'
