/** The words in which one client is told of a session. The first version of the protocol is what everything is made in. */
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Fields } from '../../lib/fields.ts'

export interface Dialect {
  /** What the client itself said is told to it, too. */
  readonly echoes: boolean
  updates(update: Fields): readonly Fields[]
  permission(params: RequestPermissionRequest): object
  /** What is told besides, once this was told. */
  after(item: FeedItem): readonly Fields[]
  /** A person is asked, or was. */
  asking(isAsked: boolean): readonly Fields[]
  /** How it stands, for a client that has just come. */
  now(isRunning: boolean): readonly Fields[]
}

const nothing = (): readonly Fields[] => []

export const firstVersion: Dialect = {
  echoes: false,
  updates: (update) => [update],
  permission: (params) => params,
  after: nothing,
  asking: nothing,
  now: nothing,
}
