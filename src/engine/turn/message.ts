/** What is sent in a session and what becomes of it: the shapes that sending, queueing and steering share. */
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { Actor } from '../../format/blobs.ts'
import type { Deferred } from '../../lib/deferred.ts'
import { errorText } from '../../lib/error-text.ts'
import { isUnsent } from '../errors.ts'

export type Mode = 'interactive' | 'plan' | 'autopilot'

export type Message = {
  readonly prompt: string
  readonly attachments?: Payload<'user.message'>['attachments']
  readonly source?: string
  /** What people are shown in its place. */
  readonly displayPrompt?: string
  /** By what the message is known from now on, when the sender has a name for it. */
  readonly messageId?: string
  /** The mode in which it is answered, when that is not the session's; the session's stays. */
  readonly mode?: Mode
  /** Who sent it, when that is not the person at this process. */
  readonly actor?: Actor
}

export type TurnOutcome = {
  readonly status: 'completed' | 'cancelled' | 'failed' | 'steered' | 'withdrawn'
  readonly turnId: string
  readonly error?: string
  /** Of which kind the error is, as programs tell them apart, and what the provider answered. */
  readonly errorType?: string
  readonly statusCode?: number
  /** It failed before anything of the message reached anybody. */
  readonly isUnsent?: true
}

export const failed = (turnId: string, error: unknown): TurnOutcome => ({
  status: 'failed',
  turnId,
  error: errorText(error),
  ...(error instanceof Error && toldBy(error)),
  ...(isUnsent(error) && { isUnsent: true }),
})

/** What an agent says of an error that it throws, beside its words. */
function toldBy(error: object): Pick<TurnOutcome, 'errorType' | 'statusCode'> {
  const { errorType, statusCode } = error as { errorType?: unknown; statusCode?: unknown }
  return {
    ...(typeof errorType === 'string' && { errorType }),
    ...(typeof statusCode === 'number' && { statusCode }),
  }
}

export type QueuedMessage = {
  readonly id: string
  message: Message
  readonly resolve: (outcome: TurnOutcome) => void
  readonly reject: (error: unknown) => void
}

/** A message for the turn that runs. */
export type Steering = {
  readonly messageId: string
  /** Resolves when it is in the log, or will never be. */
  readonly recorded: Promise<void>
  /** Absent until it is in the log. */
  message?: Payload<'user.message'>
  eventId?: EventId
}

export type CancelReason = 'user_initiated' | 'remote_command' | 'user_abort'

export type RunningTurn = {
  readonly turnId: string
  readonly abort: AbortController
  /** Of the message that it answers, when that is not the session's. */
  mode: Mode | undefined
  /** Resolves when its agent answers, or never will. */
  begun: Deferred<void>
  /** Its agent has nothing to do but to wait: what is sent for later joins it. */
  isWaiting: boolean
  reason: CancelReason
  /** What becomes of the queue when it was cancelled. */
  afterCancel: 'hold' | 'go-on'
  /** When it is cancelled, calls that had not begun stay open, for the process that resumes the session. */
  leavesQuestions: boolean
}
