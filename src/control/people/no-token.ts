import { ControlError } from '../control-error.ts'

/** For a request without a token, or with one that was revoked meanwhile. */
export const noToken = () =>
  new ControlError('unauthorized', 'This needs a token that is of this server and still holds.')
