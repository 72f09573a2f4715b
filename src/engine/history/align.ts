/**
 * Checkpoint files follow the log: those that it does not name are set aside, those that it names and that
 * are missing are written again from it. Harmless to repeat, so a crash after a cut heals at the next opening.
 */
import type { SessionFs } from '../../fs/session-fs.ts'
import { readLog } from '../../log/read.ts'
import type { CheckpointRef } from '../../state/session-state.ts'
import { listCheckpoints, trimCheckpoints, writeCheckpoint } from '../../workspace/checkpoints.ts'
import { autoName } from '../../workspace/metadata.ts'
import { dropFromCatalogue } from '../catalogue/catalogue-drop.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { logPath, sessionFolder } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'

export async function alignCheckpoints(engine: EngineContext, session: LiveSession): Promise<void> {
  const { fs } = engine
  const { dir } = session
  const named = stateOf(session).compaction.checkpoints
  const onDisk = new Set((await listCheckpoints(fs, dir)).map(({ number }) => number))
  const missing = named.filter(({ number }) => !onDisk.has(number))
  const keep = named.map(({ number }) => number)
  if (missing.length === 0 && onDisk.size === keep.length) return
  await trimCheckpoints(fs, dir, { keep, aside: sessionFolder(dir, 'rewoundCheckpoint') })
  for (const checkpoint of missing) {
    const text = await summaryOf(engine.fs, session.dir, checkpoint)
    const { number } = checkpoint
    const file = fileNamed(checkpoint)
    if (text !== undefined) await writeCheckpoint(fs, dir, { number, text, ...defined({ file }) })
  }
  await changeMetadata(fs, session.id, (file) => ({ ...file, summary_count: keep.length }))
}

/** The name in the event, as long as it is one that the workspace would read as this checkpoint. */
function fileNamed({ number, path }: CheckpointRef): string | undefined {
  const name = path?.split(/[/\\]/).at(-1) ?? ''
  return /^\d{3,9}-[\w.-]+\.md$/.test(name) && Number.parseInt(name, 10) === number
    ? name
    : undefined
}

export async function summaryOf(
  fs: SessionFs,
  dir: string,
  { start }: CheckpointRef,
): Promise<string | undefined> {
  for await (const { records } of readLog(fs, logPath(dir), { from: start })) {
    const event = records[0]?.event
    if (event === undefined || 'stranger' in event) return undefined
    return event.type === 'session.compaction_complete' ? event.data.summaryContent : undefined
  }
  return undefined
}

/** What a session is called that nobody named: the title that its agent gave, or the beginning of its first prompt. */
export function nameInLog(session: LiveSession): string | undefined {
  const { title, titleHint } = stateOf(session)
  const words = title ?? titleHint
  return words === undefined ? undefined : autoName(words)
}

/**
 * A name that was taken from the conversation goes and comes with it; `before` is what the log called it then. One that a
 * fork or an import brought stays as long as there is a turn.
 */
export async function alignName(
  engine: EngineContext,
  session: LiveSession,
  before: string | undefined,
): Promise<void> {
  const { fs, changes } = engine
  const name = nameInLog(session)
  const isEmpty = stateOf(session).turns.length === 0
  if (name === before && !isEmpty) return
  let isChanged = false
  await changeMetadata(fs, session.id, (file) => {
    isChanged = file.user_named !== true && (isEmpty || file.name === before) && file.name !== name
    return isChanged ? { ...file, name } : file
  })
  if (isChanged) changes.tell({ kind: 'renamed', id: session.id })
  // The list shows the name and the beginning of the first prompt.
  if (isChanged || isEmpty) await dropFromCatalogue(fs, [session.id])
}
