/** What clients say of a session and is held while it is open, and no longer. */

/** Who the session is at GitHub. */
export type GitHubAuth = {
  readonly type: string
  readonly host?: string | undefined
  readonly login?: string | undefined
  readonly token?: string | undefined
}

/** What the agent is to be told, at the next point where it can hear it. */
export type WaitingNotification = {
  readonly message: string
  readonly kind: NotificationKind | undefined
}

export type NotificationKind = { readonly type: string; readonly [more: string]: unknown }
