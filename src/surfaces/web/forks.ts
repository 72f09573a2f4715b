/** The tree of forks that a session belongs to, with what goes on in each. */
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { forkTree } from '../../state/fork-tree.ts'
import type { ForksAnswer, SessionStatus } from './api.ts'
import { WebFailure } from './failure.ts'

type Fork = ForksAnswer['sessions'][number]

export function forksOf(
  sessions: readonly SessionSummary[],
  id: SessionId,
  statusOf: (id: SessionId) => SessionStatus,
): ForksAnswer {
  const rows = forkTree(sessions, id)
  const [root] = rows
  if (root === undefined) throw new WebFailure('not_found', `There is no session ${id}.`)
  const lost = root.session.forkedFrom
  return {
    sessions: rows.map(({ session, depth }) => forkOf(session, depth, statusOf(session.id))),
    ...(lost !== undefined && !sessions.some((each) => each.id === lost) && { lost }),
  }
}

function forkOf(session: SessionSummary, depth: number, status: SessionStatus): Fork {
  const { id, name, summary, modifiedAt, turns, forkedFrom } = session
  return {
    id,
    title: name ?? summary,
    modifiedAt,
    ...defined({ turns }),
    ...(forkedFrom !== undefined && depth > 0 && { forkedFrom }),
    depth,
    status,
  }
}
