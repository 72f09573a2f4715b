/** The sessions of other machines that this process has joined, each once; they are left together at the end. */
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Server } from '../control-client.ts'
import type { Heard } from './remote-session.ts'

type Far = { readonly session: Session; heard(): Heard }

export function createConnections(server: Server) {
  const joined = new Map<SessionId, Far>()
  const joining = new Map<SessionId, Promise<Session>>()

  async function join(id: SessionId): Promise<Session> {
    const { openFar } = await import('./remote-session.ts')
    const far = await openFar(server, id, { onClose: () => void joined.delete(id) })
    joined.set(id, far)
    return far.session
  }

  return {
    connected: (id: SessionId): Session | undefined => joined.get(id)?.session,
    heard: (id: SessionId): Heard | undefined => joined.get(id)?.heard(),
    joined: (): readonly Session[] => [...joined.values()].map(({ session }) => session),
    async connect(id: SessionId): Promise<Session> {
      const there = joined.get(id)?.session ?? joining.get(id)
      if (there !== undefined) return there
      const made = join(id).finally(() => joining.delete(id))
      joining.set(id, made)
      return made
    },
    /** Nothing of it is left here. */
    async leave(id: SessionId): Promise<void> {
      await joined.get(id)?.session.close()
      joined.delete(id)
    },
    async close(): Promise<void> {
      await Promise.allSettled([...joined.values()].map(({ session }) => session.close()))
    },
  }
}
