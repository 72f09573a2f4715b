/** What clients say of a session and is held while it is open, and no longer. */

/** Who the session is at GitHub. */
export type GitHubAuth = {
  readonly type: string
  readonly host?: string | undefined
  readonly login?: string | undefined
  readonly token?: string | undefined
}

/** What the agent is to be told, at the next point where it can hear it. Until then it stands in the queue. */
export type WaitingNotification = {
  readonly messageId: string
  readonly told: { readonly content: string; readonly kind?: NotificationKind }
}

export type NotificationKind = { readonly type: string; readonly [more: string]: unknown }
