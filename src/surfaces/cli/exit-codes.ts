/** What the program's exit says. The numbers are part of the interface: scripts rely on them. */
import type { ErrorCode } from '../../engine/errors.ts'

export const exitCodes: Record<ErrorCode, number> = {
  internal: 1,
  invalid: 2,
  not_found: 3,
  ambiguous: 3,
  in_use: 4,
  busy: 4,
  unreachable: 4,
  waits: 9,
  corrupt: 5,
  legacy: 5,
  not_durable: 6,
  conflict: 7,
  expired: 7,
  cancelled: 130,
}

export const OK = 0
export const TURN_FAILED = 8
export const NOT_ALLOWED = 10
export const CANCELLED = exitCodes.cancelled

/** For the reference: each number once. */
export const exitMeanings: readonly (readonly [number, string])[] = [
  [OK, 'Done.'],
  [exitCodes.internal, 'Something inside failed; the message says what was left untouched.'],
  [exitCodes.invalid, 'The command line or a value in it is wrong. Nothing was changed.'],
  [exitCodes.not_found, 'No such session, event, file or checkpoint, or more than one fits.'],
  [
    exitCodes.in_use,
    'The session is busy, here or in another process, or its process cannot be reached.',
  ],
  [exitCodes.corrupt, 'The log is damaged, or is a flat file of an older format.'],
  [exitCodes.not_durable, 'What was sent could not be made durable.'],
  [exitCodes.conflict, 'It exists already, or the cursor is no longer in the log.'],
  [TURN_FAILED, 'The message was recorded and the agent failed to answer it.'],
  [exitCodes.waits, 'Accepted; it is done when the machine of the session is back.'],
  [
    NOT_ALLOWED,
    'Something was not allowed, because nobody was there to ask; the turn went on without it.',
  ],
  [129, 'The terminal was closed.'],
  [CANCELLED, 'Cancelled, for example with Ctrl-C.'],
  [143, 'Asked to end (SIGTERM). A server that is asked to end, closed or cancelled ends with 0.'],
]
