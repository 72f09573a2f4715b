/** A remark of a program in a session: kept in the log, or only told. */
import type { Draft } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { commit } from './commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from './live-session.ts'

export type Note = {
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
  /** What kind of remark it is, for programs. */
  readonly type?: string
  readonly url?: string
}

export async function note(
  engine: EngineContext,
  session: LiveSession,
  remark: Note,
): Promise<EventId> {
  const [record] = await commit(engine, session, [draftOf(remark)])
  if (record === undefined) throw new EngineError('internal', 'The remark was not recorded.')
  return record.event.id
}

function draftOf({ level, message, type = 'client', url }: Note): Draft {
  const more = { message, ...defined({ url }) }
  if (level === 'error') return { type: 'session.error', data: { errorType: type, ...more } }
  if (level === 'warning') return { type: 'session.warning', data: { warningType: type, ...more } }
  return { type: 'session.info', data: { infoType: type, ...more } }
}
