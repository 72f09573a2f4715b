/**
 * Who may do what with which path. Under `s/` are the logs of sessions: their person appends, and those it is shared
 * with read. Any other stream is for administrators.
 */
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { requireScope } from '../people/require-scope.ts'
import type { Asker } from '../people/scopes.ts'
import { readable, sessionIn } from '../sessions/stored-session.ts'
import { findStream } from '../streams/find.ts'
import type { Stream } from '../streams/append-decision.ts'

export const PREFIX = '/streams/'

const PATH = /^(?:[\w.~%:@+-]+\/)*[\w.~%:@+-]+$/

export function streamPath(urlPath: string): string {
  const path = urlPath.slice(PREFIX.length)
  if (path.length <= 512 && PATH.test(path)) return path
  throw new ControlError('invalid', 'This is no name of a stream.')
}

/** The session of a path under `s/`; undefined for other streams, which want an administrator. */
export function sessionOf(asker: Asker, path: string) {
  const session = sessionIn(path)
  if (session !== undefined) return session
  if (path === 's' || path.startsWith('s/')) throw missing()
  requireScope(asker, 'admin')
  return undefined
}

/** A stream that the asker may read. */
export async function readableStream(
  control: Control,
  asker: Asker,
  path: string,
): Promise<Stream> {
  const session = sessionOf(asker, path)
  if (session !== undefined) {
    requireScope(asker, 'watch', 'export')
    await readable(control.db.query, asker, session.id)
  }
  const stream = await findStream(
    control.db,
    control.db.query,
    { tenant: asker.tenant, path },
    control.now(),
  )
  if (stream === undefined) throw missing()
  if (stream.gone === 1) throw new ControlError('gone', 'This stream was deleted.')
  return stream
}

export const missing = () => new ControlError('not_found', 'There is no such stream.')
