/** Opens a session for a server, and says who else has it. */
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { holderIn, type Holder } from '../sessions/in-use.ts'
import { keepSnapshot } from './folded-log.ts'
import { stateOf } from './live-session.ts'
import { resume, type ResumeOptions } from './resume.ts'
import { translateError } from '../translate-error.ts'

export type OpenOptions = ResumeOptions & {
  /** The log is not told that the session was opened again. */
  readonly quiet?: boolean
}

export type Opened = {
  readonly state: SessionState
  /** It was open in this process already. */
  readonly wasActive: boolean
  readonly holder?: Holder
}

export async function open(
  engine: EngineContext,
  id: SessionId,
  { quiet = false, ...options }: OpenOptions = {},
): Promise<Opened> {
  try {
    const wasActive = engine.live.has(id) && !engine.closing.has(id)
    const holder = wasActive ? undefined : await holderOf(engine, id)
    const session = await resume(engine, id, options)
    // A server opens the same sessions again and again: what was folded now is not folded next time.
    if (!wasActive) await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
    const { opening } = session.written
    if (quiet && !wasActive && opening !== undefined) {
      session.written.opening = (...given) =>
        opening(...given).filter(({ type }) => type !== 'session.resume')
    }
    return { state: stateOf(session), wasActive, ...defined({ holder }) }
  } catch (cause) {
    throw translateError(cause)
  }
}

/** Who else has the session open for writing now. */
export async function holderOf(engine: EngineContext, id: SessionId): Promise<Holder | undefined> {
  if (engine.live.get(id)?.writing.writer !== undefined) return undefined
  return holderIn(engine.fs, id)
}
