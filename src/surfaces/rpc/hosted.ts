/** What is open on a server: its sessions, the homes that they are in, and which session is in front. */
import type { SessionId } from '../../format/ids.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import type { Client } from './client.ts'
import type { HostedSession } from './hosted-session.ts'
import type { OpenedHost, ServerParts } from './parts.ts'

export type Hosted = {
  readonly parts: ServerParts
  readonly sessions: Map<SessionId, HostedSession>
  /** The main home, once it was needed. */
  host: Promise<OpenedHost> | undefined
  readonly clientHosts: Map<SessionId, OpenedHost & { readonly owner: Client }>
  readonly keys: Map<SessionId, object>
  foreground: SessionId | undefined
}

export const nothingHosted = (parts: ServerParts): Hosted => ({
  parts,
  sessions: new Map(),
  host: undefined,
  clientHosts: new Map(),
  keys: new Map(),
  foreground: undefined,
})

export const mainHost = (hosted: Hosted): Promise<OpenedHost> =>
  (hosted.host ??= hosted.parts.openHost())

/** A client that owns its files has a home for each of its sessions. */
export async function hostFor(
  hosted: Hosted,
  id: SessionId,
  client: Client | undefined,
): Promise<OpenedHost> {
  if (client?.files === undefined) return mainHost(hosted)
  const { files, peer } = client
  const opened = await hosted.parts.openClientHost(id, files, (method, params) =>
    peer.request(`sessionFs.${method}`, { sessionId: id, ...params }),
  )
  hosted.clientHosts.set(id, { ...opened, owner: client })
  return opened
}

/** What opens or closes a session waits for what does so before it. */
export function oneAtATime<T>(
  { sessions, keys }: Hosted,
  id: SessionId,
  action: () => Promise<T>,
): Promise<T> {
  const own = keys.get(id) ?? {}
  keys.set(id, own)
  return inTurn(own, action).finally(() => {
    if (!sessions.has(id)) keys.delete(id)
  })
}
