/**
 * What the store and the log can say of one session when something seems to be missing: why it is not found, why a
 * result is short, why a checkpoint is not there. Facts, not ailments, unless a remedy stands with them.
 */
import type { SessionId } from '../format/ids.ts'
import { livesWhere } from '../fs/location-label.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readLog } from '../log/read.ts'
import { readableSize } from '../log/redo.ts'
import { isStranger } from '../state/positioned-event.ts'
import { logPath, sessionDir } from '../format/paths.ts'
import { findDatabaseFile, openReadOnly, type DatabaseFileOptions } from './database-file.ts'
import { sqlOf } from './sql.ts'
import { MAX_OUTPUT } from './text.ts'

export type SessionNote = {
  readonly layer: 'store' | 'checkpoints' | 'files'
  readonly severity: 'note' | 'stale'
  readonly message: string
  readonly remedy?: string
}

export async function explainSession(
  fs: SessionFs,
  id: SessionId,
  options: DatabaseFileOptions,
): Promise<SessionNote[]> {
  return [...ofFiles(fs, id), ...(await ofIndex(fs, id, options)), ...(await ofCheckpoints(fs, id))]
}

function ofFiles(fs: SessionFs, id: SessionId): SessionNote[] {
  if (fs.diskPath(sessionDir(id)) !== undefined) return []
  const message = `Its files live ${livesWhere(fs)}, as ${fs.nativePath(sessionDir(id))}, and not on this disk.`
  return [{ layer: 'files', severity: 'note', message }]
}

async function ofIndex(
  fs: SessionFs,
  id: SessionId,
  options: DatabaseFileOptions,
): Promise<SessionNote[]> {
  const file = await findDatabaseFile(fs, options)
  if (file === undefined || (await file.fs.stat(file.path)) === undefined) return []
  const size = await readableSize(fs, sessionDir(id))
  try {
    using db = disposable(await openReadOnly(file))
    const sql = sqlOf(db.it)
    const row = sql(
      `SELECT c.offset, t.log_size AS size FROM reprise_cursors c
       LEFT JOIN reprise_stamps t ON t.session_id = c.session_id WHERE c.session_id = ?`,
    ).get(id)
    const notes: SessionNote[] = []
    if (row === undefined || (row.offset !== size && row.size !== size)) {
      const what = row === undefined ? 'does not know it' : 'is behind its log'
      notes.push({
        layer: 'store',
        severity: 'stale',
        message: `The session store ${what}: it can be resumed, but search does not find all of it.`,
        remedy: 'reprise reindex',
      })
    }
    const cut = sql(
      'SELECT count(*) AS cut FROM reprise_tool_calls WHERE session_id = ? AND length(output) >= ?',
    ).get(id, MAX_OUTPUT)
    if (Number(cut?.cut) > 0) {
      notes.push({
        layer: 'store',
        severity: 'note',
        message: `Of ${Number(cut?.cut)} long tool results the store keeps the beginning and the end. The log has them whole: reprise sessions events ${id.slice(0, 8)} --types tool.execution_complete --json`,
      })
    }
    return notes
  } catch {
    // What is wrong with the store itself is told once, for the home.
    return []
  }
}

const disposable = <T extends { close(): void }>(it: T) => ({
  it,
  [Symbol.dispose]: () => it.close(),
})

const FORKED = /^Forked from session ([\w.-]*[\w-])(.*)/

async function ofCheckpoints(fs: SessionFs, id: SessionId): Promise<SessionNote[]> {
  const notes: SessionNote[] = []
  const size = await readableSize(fs, sessionDir(id))
  for await (const { records } of readLog(fs, logPath(sessionDir(id)), {
    to: size,
    wholeLinesOnly: true,
  })) {
    for (const { event } of records) {
      if (isStranger(event)) continue
      if (event.type === 'session.compaction_complete' && !event.data.success) {
        notes.push({
          layer: 'checkpoints',
          severity: 'note',
          message: `A compaction failed at ${event.timestamp}${event.data.error === undefined ? '' : ` (${event.data.error})`}: it made no checkpoint, and the history was left as it was.`,
        })
      }
      const [, source, rest = ''] =
        event.type === 'session.info' ? (FORKED.exec(event.data.message) ?? []) : []
      if (source !== undefined && rest.trim() !== '.') {
        notes.push({
          layer: 'checkpoints',
          severity: 'note',
          message: `It was forked from ${source}${rest.replace(/\.$/, '')}: checkpoints of later turns stay with the source.`,
        })
      }
    }
  }
  return notes
}
