/** What tabs and the hub that holds the stream for all of them say to each other. */
import type { ActivityFrame, StreamFrame } from '../../api.ts'

export type Connection = 'connecting' | 'open' | 'lost' | 'refused'

export type LinkState = {
  readonly connection: Connection
  /** How often it was tried in vain since the connection was lost. */
  readonly tries: number
  /** What the server says it is; a page that was loaded from another should be loaded anew. */
  readonly version: string | undefined
}

export type Changed = Extract<ActivityFrame, { event: 'changed' }>['data']

export type ToHub =
  /** `tab` is the name of a lock that the tab holds for as long as it lives. */
  | { readonly kind: 'hello'; readonly tab: string }
  | {
      readonly kind: 'follow'
      readonly key: string
      readonly sessionId: string
      readonly after?: string | undefined
    }
  | { readonly kind: 'unfollow'; readonly key: string }
  /** The tab came to the front or the machine is online again: look at once whether the connection lives. */
  | { readonly kind: 'wake' }

export type ToTab =
  /** A hub began: say again what you follow. */
  | { readonly kind: 'anew' }
  | { readonly kind: 'link'; readonly link: LinkState }
  /** What all lists show may be old: the stream began (again). */
  | { readonly kind: 'ready' }
  | { readonly kind: 'changed'; readonly change: Changed }
  | { readonly kind: 'frame'; readonly key: string; readonly frame: StreamFrame }
  | { readonly kind: 'failed'; readonly key: string; readonly message: string }

/** How a hub reaches one tab. */
export type Tab = { readonly tell: (message: ToTab) => void }
