/** `sync`: a copy that could not be sent, or an end before the end, is in the exit code. */
import type { Synced } from '../../../engine/remote-control.ts'
import type { View } from '../command.ts'
import { CANCELLED, OK, exitCodes } from '../exit-codes.ts'

export const syncView: View<Synced> = { code: syncCode }

export function syncCode({ finished, failed, backfillFailed }: Synced): number {
  if (!finished) return CANCELLED
  return failed.length === 0 && backfillFailed === 0 ? OK : exitCodes.unreachable
}
