/** The two ways to a session on another machine: its copy in Mission Control, and the machine itself, which decides. */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { OperationName } from '../operations.ts'
import { RemoteError } from '../remote-error.ts'
import type { Server } from '../control-client.ts'
import { askMachine } from './ask-machine.ts'
import type { Asking } from './ask-machine.ts'
import type { Mirror } from './mirror.ts'

/** Who reads does not wait long for a machine: the copy tells most of it. */
const READ_SECONDS = 3
/** Clocks of two machines differ. */
const CLOCKS_MS = 5000

export type FarLink = ReturnType<typeof farLink>

export function farLink(server: Server, id: SessionId, mirror: Mirror) {
  const { session: copy } = mirror
  const fresh = async (): Promise<Session> => {
    await mirror.refresh()
    return copy
  }
  /** Returns when what it did is here, too. */
  async function ask<T>(asking: Asking): Promise<T> {
    const answer = await askMachine(server, id, asking)
    await mirror.refresh()
    return answer as T
  }
  const operate = <T>(name: OperationName, wish: object = {}): Promise<T> =>
    ask<T>({ kind: 'operation', content: { name, ...wish } })
  /** For who may watch and not steer, and while the machine is away, what the copy tells has to do. */
  const orElse = async <T>(name: OperationName, known: () => Promise<T>): Promise<T> => {
    if (mirror.known()?.isSteerable !== true || !isThere()) return known()
    try {
      const asking = { kind: 'operation', content: { name }, seconds: READ_SECONDS }
      return await ask<T>(asking)
    } catch (error) {
      const isAway = error instanceof EngineError && error.code === 'unreachable'
      if (isAway || isRefused(error)) return known()
      throw error
    }
  }
  /** Its machine was heard of lately. */
  const isThere = (): boolean =>
    Date.parse(mirror.known()?.presence.staleAt ?? '') > Date.now() - CLOCKS_MS

  return { server, id, mirror, copy, fresh, ask, operate, orElse, isThere }
}

/** Who asks may watch and not steer. */
export const isRefused = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.cause instanceof RemoteError &&
  error.cause.trouble === 'unauthorised'

/** What can only be done where the session runs. */
export const atMachine = async (what: string): Promise<never> => {
  throw new EngineError(
    'invalid',
    `This session runs on another machine; from here one cannot ${what}. Nothing was changed.`,
  )
}
