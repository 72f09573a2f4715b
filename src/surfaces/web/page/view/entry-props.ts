/** What an entry of the transcript is drawn from. */
import type { EntryOf, TranscriptEntry } from '../../../../state/transcript.ts'

/** What can be done from a message. Who may only read can do neither, and has no other session to go to. */
export type Changes = {
  readonly onRewind?: (eventId: string) => void
  readonly onFork?: (eventId: string) => void
  readonly onSend?: (prompt: string) => void
}

export type EntryProps = {
  readonly sessionId: string
  readonly entry: TranscriptEntry
  readonly permission?: EntryOf<'permission'> | undefined
  readonly tail?: string | undefined
  readonly isShown: boolean
  /** Who answers, for what came without a name. */
  readonly speaker: string
  /** In Mission Control: whose the session is. */
  readonly owner?: string | undefined
  /** What to send again; told to the failure that a session ended with. */
  readonly again?: string | undefined
} & Changes
