/** `reindex`: a session that could not be indexed, or an end before the end, is in the exit code. */
import type { reindex } from '../../../commands/reindex.ts'
import { syncCode } from './sync.ts'
import type { View } from '../command.ts'
import { CANCELLED, OK, exitCodes } from '../exit-codes.ts'

export const reindexView: View<Awaited<ReturnType<typeof reindex.run>>> = {
  code({ finished, failed, ...rest }) {
    if (!finished) return CANCELLED
    if (failed.length > 0) return exitCodes.corrupt
    return 'cloud' in rest ? syncCode(rest.cloud) : OK
  },
}
