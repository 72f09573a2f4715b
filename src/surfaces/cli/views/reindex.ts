/** `reindex`: a session that could not be indexed, or an end before the end, is in the exit code. */
import type { reindex } from '../../../commands/chronicle.ts'
import type { View } from '../command.ts'
import { CANCELLED, OK, exitCodes } from '../exit-codes.ts'

export const reindexView: View<Awaited<ReturnType<typeof reindex.run>>> = {
  code: ({ finished, failed }) =>
    finished ? (failed.length === 0 ? OK : exitCodes.corrupt) : CANCELLED,
}
