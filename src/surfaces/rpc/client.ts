/** One connected program, and what it has asked to be told of. */
import type { SessionId } from '../../format/ids.ts'
import type { Peer } from '../../lib/json-rpc/peer.ts'
import type { ClientRequests } from './client-requests.ts'

export interface Client {
  readonly peer: Peer
  /** What it brings is marked with this. */
  readonly key: symbol
  /** It has shown its token, or came by a way that needs none. */
  isTrusted: boolean
  /** It owns the files of the sessions that it opens. */
  files?: ClientFiles
  /** It is an extension that this server started. */
  extension?: { readonly id: string; readonly name: string }
  /** It makes the requests to the models of its sessions. */
  requests?: ClientRequests
  /** Kinds of events that it wants although they are not told to everybody, by handle. */
  readonly interests: Map<string, Interest>
}

type Interest = { readonly sessionId: SessionId; readonly eventType: string }

export type ClientFiles = {
  readonly initialCwd: string
  readonly sessionStatePath: string
  readonly conventions: 'posix' | 'windows'
  readonly capabilities: { readonly binary?: boolean; readonly sqlite?: boolean }
}

export const createClient = (peer: Peer, isTrusted: boolean): Client => ({
  peer,
  key: Symbol('client'),
  isTrusted,
  interests: new Map(),
})

export const isInterested = (client: Client, sessionId: SessionId, eventType: string): boolean => {
  for (const interest of client.interests.values())
    if (interest.sessionId === sessionId && interest.eventType === eventType) return true
  return false
}
