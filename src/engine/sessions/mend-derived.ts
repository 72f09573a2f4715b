/** What stands beside the log and follows from it, brought in line with it. What is taken out is kept. */
import { sessionFolder } from '../../format/paths.ts'
import {
  checkIndex,
  readCheckpoint,
  rebuildIndex,
  trimCheckpoints,
} from '../../workspace/checkpoints.ts'
import { contradictions } from '../../workspace/check-metadata.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import { readRepositoryKey, writeRepositoryKey } from '../../workspace/repository-key.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { summaryOf } from '../history/align.ts'
import { changeMetadata } from './change-metadata.ts'

/** Before the session is opened for writing, which writes the missing ones from the log. */
export async function mendAside({ fs }: EngineContext, session: LiveSession): Promise<void> {
  const { dir } = session
  const keep: number[] = []
  const { checkpoints } = stateOf(session).compaction
  for (const checkpoint of checkpoints) {
    const [text, summary] = [
      await readCheckpoint(fs, dir, checkpoint.number),
      await summaryOf(fs, dir, checkpoint),
    ]
    if (summary === undefined || text?.trim() === summary.trim()) keep.push(checkpoint.number)
  }
  if (keep.length < checkpoints.length)
    await trimCheckpoints(fs, dir, { keep, aside: sessionFolder(dir, 'rewoundCheckpoint') })
}

export async function mendDerived(engine: EngineContext, session: LiveSession): Promise<void> {
  const { fs } = engine
  const { id, dir } = session
  if ((await checkIndex(fs, dir)).length > 0) await rebuildIndex(fs, dir)
  const { project, startTime, compaction, lastTimestamp } = stateOf(session)
  const known = { id, project, startTime, checkpoints: compaction.checkpoints.length }
  const read = await readMetadata(fs, dir)
  if ('file' in read && contradictions(read.file, known).length > 0)
    await changeMetadata(fs, id, (file) => ({
      ...file,
      ...(project.cwd !== undefined && {
        cwd: project.cwd,
        git_root: project.gitRoot,
        repository: project.repository,
        host_type: project.hostType,
        branch: project.branch,
      }),
      id,
      summary_count: known.checkpoints,
      fork_count: Math.max(0, file.fork_count ?? 0),
      created_at: startTime ?? file.created_at,
      updated_at: lastTimestamp ?? file.updated_at,
    }))
  const { repository, repositoryKey } = session.project
  const key = await readRepositoryKey(fs, dir)
  if (repository !== undefined || repositoryKey === undefined || repositoryKey === key) return
  if (!repositoryKey.startsWith('dir:') || key?.startsWith('root:') !== true)
    await writeRepositoryKey(fs, dir, repositoryKey)
}
