/** What hosts ask about a session besides: its logs for a report, who may see it, its hooks, the board of its project. */
import { z } from 'zod'
import { boardScope } from '../../../store/board-note.ts'
import { collectLogs, collecting } from '../collect-logs.ts'
import { method, sessionId, sessionMethod, type Methods } from '../method.ts'
import type { Server } from '../server.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'

const one = { sessionId }

export const hostMethods: Methods = {
  'session.debug.collectLogs': sessionMethod(
    'Writes the events of a session, and files that are named, into a folder or an archive, without secrets.',
    collecting,
    (session, wish) => collectLogs(session, wish, session.parts.cwd),
  ),
  'session.visibility.get': sessionMethod(
    'Whether Mission Control has a copy of the session, and where people see it.',
    ({ id }, _params, { server }) => visibilityOf(server, id),
  ),
  'session.visibility.set': sessionMethod(
    'Answers what holds: who may see a session is decided in Mission Control, by its owner.',
    { status: z.enum(['repo', 'unshared']).optional() },
    ({ id }, _params, { server }) => visibilityOf(server, id),
  ),
  'sessions.getPersistedRemoteSteerable': method(
    'Whether a session may be steered from Mission Control, where that was ever said.',
    one,
    async ({ server }, { sessionId: id }) => {
      const status = await remoteStatus(server, id)
      return status === undefined || status.state === 'off'
        ? {}
        : { remoteSteerable: status.mode === 'steer' }
    },
  ),
  'sessions.getBoardEntryCount': method(
    'How many notes the board of its project holds, for a session that is open.',
    one,
    async ({ server }, { sessionId: id }) => {
      const session = server.find(id)
      if (session?.services === undefined) return {}
      const { catalogue, cwd } = server.parts
      const project = await catalogue.project(session.ops.now?.cwd ?? cwd)
      const board = await session.services.board()
      return { count: (await board.list(boardScope(project))).length }
    },
  ),
  'sessions.loadDeferredRepoHooks': method(
    'How many hooks a session has that is open. None are put off here, so none ask for anything at the start.',
    one,
    async ({ server }, { sessionId: id }) => ({
      startupPrompts: [],
      hookCount: server.find(id)?.hooks.length ?? 0,
    }),
  ),
}

const remoteStatus = async (server: Server, id: SessionId) =>
  (await (await server.engine()).remote?.())?.status(id)

async function visibilityOf(server: Server, id: SessionId) {
  const status = await remoteStatus(server, id)
  return status?.state !== 'active'
    ? { synced: false }
    : { synced: true, status: 'unshared', ...defined({ shareUrl: status.url }) }
}
