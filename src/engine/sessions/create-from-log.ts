/** A session whose log comes from elsewhere: kept byte for byte, and here in one step or not at all. */
import type { SessionId } from '../../format/ids.ts'
import { inHome, logPath } from '../../format/paths.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { sessionDir } from '../session-dir.ts'
import { announce } from '../catalogue/dirty-markers.ts'

export type AdoptOptions = {
  /** In the place of the one that is here, whose log it goes on from or has overtaken. */
  readonly replace?: boolean
}

export async function adopt(
  { fs, changes }: EngineContext,
  id: SessionId,
  log: AsyncIterable<Uint8Array>,
  { replace = false }: AdoptOptions = {},
): Promise<void> {
  if (!replace && (await fs.stat(logPath(sessionDir(id)))) !== undefined)
    throw new EngineError('conflict', `Session ${id} is here already. Nothing was changed.`)
  const building = inHome('fork', { id })
  const isOver = await announce(fs, id)
  try {
    await fs.remove(building)
    const file = await fs.openAppend(logPath(building))
    try {
      let at = 0
      for await (const bytes of log) {
        await file.write([bytes], at)
        at += bytes.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    // What a session that was begun and never spoken in left behind is no log.
    await fs.remove(sessionDir(id))
    await fs.rename(building, sessionDir(id))
    changes.tell({ kind: 'forked', id })
  } catch (cause) {
    await fs.remove(building)
    throw cause
  } finally {
    await isOver()
  }
}
