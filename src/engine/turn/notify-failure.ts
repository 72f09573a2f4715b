/** What all who follow are told when a turn fails that nobody waits for. */
import { errorText } from '../../lib/error-text.ts'
import type { LiveSession } from '../live/live-session.ts'

export const tellFailed = ({ feed }: LiveSession, error: unknown): void =>
  feed.tell({
    type: 'session.error',
    data: {
      errorType: 'agent',
      message: `The turn could not go on to its end: ${errorText(error)}`,
    },
  })
