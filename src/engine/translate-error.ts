/** Errors of the layers below, in the engine's closed list. What is not listed is a fault of ours. */
import {
  BlobDamaged,
  EventNotFound,
  EventsNotOnDisk,
  LeaseLost,
  LogMoved,
  NothingToRedo,
  RewoundDamaged,
  StartNotRemovable,
} from '../log/errors.ts'
import { LeaseBusy } from '../log/lease.ts'
import { BadPath } from '../lib/check-path.ts'
import { diskError } from './disk-error.ts'
import { errorText } from '../lib/error-text.ts'
import { EngineError, type ErrorCode } from './errors.ts'

const codes: readonly (readonly [new (...args: never[]) => Error, ErrorCode])[] = [
  [EventNotFound, 'not_found'],
  [StartNotRemovable, 'invalid'],
  [NothingToRedo, 'conflict'],
  [RewoundDamaged, 'corrupt'],
  [LeaseBusy, 'in_use'],
  [LeaseLost, 'in_use'],
  [LogMoved, 'in_use'],
  [EventsNotOnDisk, 'not_durable'],
  [BlobDamaged, 'corrupt'],
  [BadPath, 'invalid'],
]

/** The codes of files whose owner, a client, has gone, is silent, or answers what cannot be. */
const OWNER: ReadonlySet<string> = new Set(['ENOTCONN', 'ETIMEDOUT', 'EPROTO'])

export function translateError(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof EngineError) return cause
  if ('code' in cause && OWNER.has(String(cause.code))) {
    return new EngineError(
      'not_durable',
      `The files of the session cannot be reached: ${errorText(cause)}. Everything acknowledged is intact. Resume it where its files are, and try again.`,
      { cause, details: { code: cause.code } },
    )
  }
  if ('code' in cause && cause.code === 'ENOTSUP')
    return new EngineError('conflict', `${errorText(cause)}. Nothing was changed.`, { cause })
  const full = diskError(cause)
  if (full !== undefined) return full
  const found = codes.find(([kind]) => cause instanceof kind)
  return found === undefined ? cause : new EngineError(found[1], cause.message, { cause })
}
