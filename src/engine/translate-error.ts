/** Errors of the layers below, in the engine's closed list. What is not listed is a fault of ours. */
import {
  EventNotFound,
  EventsNotOnDisk,
  LeaseLost,
  LogMoved,
  NothingToRedo,
  StartNotRemovable,
} from '../log/errors.ts'
import { LeaseBusy } from '../log/lease.ts'
import { EngineError } from './errors.ts'
import type { ErrorCode } from './errors.ts'

const codes: readonly (readonly [new (...args: never[]) => Error, ErrorCode])[] = [
  [EventNotFound, 'not_found'],
  [StartNotRemovable, 'invalid'],
  [NothingToRedo, 'conflict'],
  [LeaseBusy, 'in_use'],
  [LeaseLost, 'in_use'],
  [LogMoved, 'in_use'],
  [EventsNotOnDisk, 'not_durable'],
]

export function translateError(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof EngineError) return cause
  const found = codes.find(([kind]) => cause instanceof kind)
  return found === undefined ? cause : new EngineError(found[1], cause.message, { cause })
}
