/** Names a session that no person has named. */
import type { SessionId } from '../../format/ids.ts'
import { autoName } from '../../workspace/metadata.ts'
import { changeMetadata } from './change-metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { requireSession } from '../live/not-found-reason.ts'

export async function nameByDefault(
  engine: EngineContext,
  id: SessionId,
  summary: string,
): Promise<boolean> {
  const name = autoName(summary)
  if (name === undefined)
    throw new EngineError('invalid', 'A session name must not be empty. Nothing was changed.')
  await requireSession(engine, id)
  let isApplied = false
  await changeMetadata(engine.fs, id, (file) => {
    isApplied = file.user_named !== true
    return isApplied ? { ...file, name, user_named: false } : file
  })
  if (!isApplied) return false
  engine.changes.tell({ kind: 'renamed', id })
  engine.live.get(id)?.feed.tell({ type: 'session.title_changed', data: { title: name } })
  return true
}
