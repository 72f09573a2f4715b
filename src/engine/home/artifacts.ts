/** The session's plan, files and checkpoints, for people and programs. Every change is also an event. */
import type { Draft } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { blobSize, readBlob as readOneBlob } from '../../log/blobs.ts'
import { listCheckpoints, readCheckpoint as readOne } from '../../workspace/checkpoints.ts'
import type { Checkpoint } from '../../workspace/checkpoints.ts'
import {
  listFiles,
  pathInEvents,
  readWorkspaceFile,
  writeWorkspaceFile,
} from '../../workspace/files.ts'
import type { WorkspaceEntry } from '../../workspace/files.ts'
import * as plan from '../../workspace/plan.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../context.ts'
import { save } from '../live/create.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { requireSession } from '../live/missing.ts'
import { workspaceHistory } from '../time/session-files.ts'
import { withWriter } from '../live/writer.ts'

export type { Checkpoint, WorkspaceEntry }

export async function readPlan(engine: EngineContext, id: SessionId): Promise<string | undefined> {
  return plan.readPlan(engine.fs, await requireSession(engine, id))
}

export const writePlan = (
  engine: EngineContext,
  session: LiveSession,
  text: string,
): Promise<void> =>
  changing(engine, session, plan.PLAN, async () => {
    const operation = await plan.writePlan(engine.fs, session.dir, text)
    return operation && { type: 'session.plan_changed', data: { operation } }
  })

export const deletePlan = (engine: EngineContext, session: LiveSession): Promise<void> =>
  changing(engine, session, plan.PLAN, async () => {
    const operation = await plan.deletePlan(engine.fs, session.dir)
    return operation && { type: 'session.plan_changed', data: { operation } }
  })

export async function files(
  engine: EngineContext,
  id: SessionId,
): Promise<readonly WorkspaceEntry[]> {
  return listFiles(engine.fs, await requireSession(engine, id))
}

export async function readFile(
  engine: EngineContext,
  id: SessionId,
  path: string,
): Promise<Uint8Array> {
  const bytes = await readWorkspaceFile(engine.fs, await requireSession(engine, id), path)
  if (bytes !== undefined) return bytes
  throw new EngineError('not_found', `Session ${id} has no file "${path}".`)
}

export const writeFile = (
  engine: EngineContext,
  session: LiveSession,
  path: string,
  bytes: Uint8Array,
): Promise<void> =>
  changing(engine, session, path, async () => {
    const operation = await writeWorkspaceFile(engine.fs, session.dir, path, bytes)
    return { type: 'session.workspace_file_changed', data: { path: pathInEvents(path), operation } }
  })

export async function checkpoints(
  engine: EngineContext,
  id: SessionId,
): Promise<readonly Checkpoint[]> {
  return listCheckpoints(engine.fs, await requireSession(engine, id))
}

export async function readCheckpoint(
  engine: EngineContext,
  id: SessionId,
  number: number,
): Promise<string> {
  const text = await readOne(engine.fs, await requireSession(engine, id), number)
  if (text !== undefined) return text
  throw new EngineError('not_found', `Session ${id} has no checkpoint ${number}.`)
}

/** What was too bulky for the log, whole. The log names it by its hash. */
export async function readBlob(
  engine: EngineContext,
  id: SessionId,
  sha256: string,
  { mostBytes }: { readonly mostBytes: number },
): Promise<Uint8Array> {
  const dir = await requireSession(engine, id)
  const size = await blobSize(engine.fs, dir, sha256)
  if (size !== undefined && size > mostBytes) {
    throw new EngineError(
      'invalid',
      `This content has ${size} bytes, more than the ${mostBytes} that are given at once. It is whole on disk.`,
      { details: { sessionId: id, sha256, size } },
    )
  }
  const bytes = size === undefined ? undefined : await readOneBlob(engine.fs, dir, sha256)
  if (bytes !== undefined) return bytes
  throw new EngineError('not_found', `Session ${id} keeps no content with this hash.`)
}

/** What it was and what it becomes are recorded, so that a rewind can take it back. */
async function changing(
  engine: EngineContext,
  session: LiveSession,
  path: string,
  change: () => Promise<Draft | undefined>,
): Promise<void> {
  await save(engine, session)
  await withWriter(engine, session, {}, async () => {
    const history = await workspaceHistory(engine, session)
    const turnEventId = stateOf(session).turns.at(-1)?.eventId
    await history.look({ turnEventId }, [path])
    const draft = await change()
    await history.look({ turnEventId }, [path])
    if (draft !== undefined) await commit(engine, session, [draft])
  })
}
