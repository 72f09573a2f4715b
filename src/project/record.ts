/**
 * What a session recorded of files: the journal of changes and the contents that it names. Project and workspace
 * share the one record, and so its quota and its only writer.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { openContents, type Contents } from './contents.ts'
import { openJournal, type Journal } from './journal.ts'

/** The size of all copies of one session. */
export const QUOTA_BYTES = 512 * 1024 * 1024

export type FileRecord = { readonly contents: Contents; readonly journal: Journal }

export const openRecord = async (
  fs: SessionFs,
  dir: string,
  quotaBytes = QUOTA_BYTES,
  mayKeep?: Contents['mayKeep'],
): Promise<FileRecord> => ({
  contents: await openContents(fs, dir, quotaBytes, mayKeep),
  journal: await openJournal(fs, dir),
})
