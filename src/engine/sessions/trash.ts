/** Deleted sessions as people know them: by what they are called. */
import type { EngineContext } from '../engine-context.ts'
import { logPath } from '../../format/paths.ts'
import { trash, type Trashed } from './remove.ts'
import { orNothing } from '../catalogue/catalogue-file.ts'
import { readSummary } from '../catalogue/session-summary.ts'

/** `title` is the name of the session, else the beginning of its first prompt. */
export type TrashedSession = Trashed & { readonly title: string }

/** Newest first. */
export async function listTrash(engine: EngineContext): Promise<readonly TrashedSession[]> {
  const sessions: TrashedSession[] = []
  for (const each of await trash(engine)) {
    const found = await orNothing(async () =>
      readSummary(engine.fs, each.path, {
        id: each.id,
        bytes: (await engine.fs.stat(logPath(each.path)))?.size ?? 0,
        modifiedAt: each.deletedAt.toISOString(),
      }),
    )
    sessions.push({ ...each, title: found?.name ?? found?.summary ?? '' })
  }
  return sessions
}
