/** Failures that a test orders in advance: the nth call of an operation fails, and `times - 1` calls after it. */
import { FsError } from './fs-error.ts'

export type FaultyOperation =
  | 'write'
  | 'sync'
  | 'truncate'
  | 'openAppend'
  | 'read'
  | 'writeAtomic'
  | 'createExclusive'
  | 'rename'
  | 'remove'
  | 'copy'
  | 'share'

type Fault = {
  readonly operation: FaultyOperation
  /** Counted from 1, over all files. */
  readonly nth: number
  readonly times?: number
  /** As the system would give it: ENOSPC, EIO … */
  readonly code: string
  /** So many bytes of a write arrive before it fails. */
  readonly afterBytes?: number
}

export type FaultPlan = readonly Fault[]

/** Counts the calls of an operation; answers with the fault that this one has to suffer. */
export function followPlan(plan: FaultPlan): (operation: FaultyOperation) => Fault | undefined {
  const calls = new Map<FaultyOperation, number>()
  return (operation) => {
    const call = (calls.get(operation) ?? 0) + 1
    calls.set(operation, call)
    return plan.find(
      (fault) =>
        fault.operation === operation && call >= fault.nth && call < fault.nth + (fault.times ?? 1),
    )
  }
}

export const failure = (fault: Fault, path: string): FsError =>
  new FsError(fault.code, path, `planned failure of ${fault.operation}`)
