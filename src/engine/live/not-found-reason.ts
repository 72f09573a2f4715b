/** Why a session cannot be opened, in words: never "not found" for something that is there. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { layout } from '../../format/layout.ts'
import { TRASH, inHome, logPath, readName } from '../../format/paths.ts'
import { folderFault } from '../../workspace/folder-faults.ts'
import { sessionDir } from '../session-dir.ts'

export async function explainMissing(engine: EngineContext, id: SessionId): Promise<EngineError> {
  const { fs } = engine
  const details = { sessionId: id }
  if ((await fs.stat(inHome('flatLog', { id }))) !== undefined) {
    return new EngineError(
      'legacy',
      `Session ${id} is a flat file of an older format (${fs.nativePath(inHome('flatLog', { id }))}). ` +
        `It was left untouched: it has no workspace and cannot be resumed.`,
      { details },
    )
  }
  const inTrash = (await fs.list(TRASH)).some(
    ({ name }) => readName(layout.home.trashed, name)?.id === id,
  )
  if (inTrash) {
    return new EngineError(
      'not_found',
      `Session ${id} was deleted and is still in the trash. Bring it back with "reprise sessions restore ${id}".`,
      { details },
    )
  }
  const log = await fs.stat(logPath(sessionDir(id)))
  if (log !== undefined) {
    return new EngineError(
      'corrupt',
      `Session ${id} has an empty log. Nothing was changed. "reprise doctor ${id}" says what is left of it.`,
      { details },
    )
  }
  return new EngineError(
    'not_found',
    `There is no session ${id}. "reprise sessions list" shows those that exist.`,
    {
      details,
    },
  )
}

/** Refuses a session whose folder or log is not what it should be, before anything is read of it. */
export async function refuseUnusable({ fs }: EngineContext, id: SessionId): Promise<void> {
  // Links and pipes are of a disk; what is no id is refused by the caller.
  const fault = fs.isShared && isSessionId(id) ? await folderFault(fs, id) : undefined
  if (fault === undefined) return
  throw new EngineError(
    'corrupt',
    `Session ${id} cannot be used: ${fault}. Nothing was changed. Put the real one back in its place, or move ${fs.nativePath(sessionDir(id))} away.`,
    { details: { sessionId: id } },
  )
}

/** The folder of a session that exists, whether its log can be read or not. */
export async function requireSession(engine: EngineContext, id: SessionId): Promise<string> {
  const dir = sessionDir(id)
  if ((await engine.fs.stat(logPath(dir))) === undefined) throw await explainMissing(engine, id)
  return dir
}
