/** Opens a database for one statement: limited and, where nothing may be written, read only. */
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import type { Job } from './job.ts'
import { MAX_SQL_BYTES } from './query.ts'

/** A text or a blob, stored or computed. More than any message that a session holds. */
export const MAX_VALUE_BYTES = 16 * 1024 * 1024

const LIMITS = {
  length: MAX_VALUE_BYTES,
  sqlLength: MAX_SQL_BYTES,
  column: 500,
  exprDepth: 300,
  compoundSelect: 100,
  functionArg: 100,
  attach: 0,
  likePatternLength: 1000,
  variableNumber: 1000,
  triggerDepth: 20,
}

const PAGE_BYTES = 4096
const LONGEST_WAIT_MS = 1000

export function openDatabase({ path, access, deadlineMs }: Job): DatabaseSync {
  const isWritten = access.kind === 'session' && access.write
  // The two options are newer than the types that describe them.
  const options: DatabaseSyncOptions & { defensive: boolean; limits: typeof LIMITS } = {
    readOnly: !isWritten,
    allowExtension: false,
    defensive: true,
    limits: LIMITS,
    timeout: Math.min(LONGEST_WAIT_MS, Math.floor(deadlineMs / 2)),
  }
  const db = new DatabaseSync(path, options)
  // Sorting and materialising must neither write a file nor leave one.
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;')
  if (isWritten) {
    db.exec('PRAGMA secure_delete = ON')
    db.exec(`PRAGMA max_page_count = ${Math.ceil(access.maxFileBytes / PAGE_BYTES)}`)
  }
  return db
}
