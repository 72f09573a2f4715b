/** The session's plan, files and checkpoints, for people and programs. Every change is also an event. */
import type { Draft } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { blobSize, readBlob as readOneBlob } from '../../log/blobs.ts'
import {
  listCheckpoints,
  readCheckpoint as readOne,
  type Checkpoint,
} from '../../workspace/checkpoints.ts'
import {
  listFiles,
  pathInEvents,
  readWorkspaceFile,
  writeWorkspaceFile,
  type WorkspaceEntry,
} from '../../workspace/files.ts'
import * as plan from '../../workspace/plan.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { changeWorkspace } from './change-workspace.ts'
import { sessionDir } from '../session-dir.ts'
import { asLogged } from '../live/as-logged.ts'
import type { LiveSession } from '../live/live-session.ts'
import { requireSession } from '../live/not-found-reason.ts'

export type { Checkpoint, WorkspaceEntry }

/** One that is open and has said nothing has no folder yet, and nothing in it. */
const folderOf = async (engine: EngineContext, id: SessionId): Promise<string> =>
  engine.live.has(id) ? sessionDir(id) : requireSession(engine, id)

export async function readPlan(engine: EngineContext, id: SessionId): Promise<string | undefined> {
  return plan.readPlan(engine.fs, await folderOf(engine, id))
}

export const writePlan = (
  engine: EngineContext,
  session: LiveSession,
  text: string,
): Promise<void> =>
  changeWorkspace(engine, session, [plan.PLAN], async () =>
    planChanged(await plan.writePlan(engine.fs, session.dir, await asLogged(engine, text))),
  )

export const deletePlan = (engine: EngineContext, session: LiveSession): Promise<void> =>
  changeWorkspace(engine, session, [plan.PLAN], async () =>
    planChanged(await plan.deletePlan(engine.fs, session.dir)),
  )

const planChanged = (operation: 'create' | 'update' | 'delete' | undefined): readonly Draft[] =>
  operation === undefined ? [] : [{ type: 'session.plan_changed', data: { operation } }]

export async function files(
  engine: EngineContext,
  id: SessionId,
): Promise<readonly WorkspaceEntry[]> {
  return listFiles(engine.fs, await folderOf(engine, id))
}

export async function readFile(
  engine: EngineContext,
  id: SessionId,
  path: string,
): Promise<Uint8Array> {
  const bytes = await readWorkspaceFile(engine.fs, await folderOf(engine, id), path)
  if (bytes !== undefined) return bytes
  throw new EngineError('not_found', `Session ${id} has no file "${path}".`)
}

export const writeFile = (
  engine: EngineContext,
  session: LiveSession,
  path: string,
  bytes: Uint8Array,
): Promise<void> =>
  changeWorkspace(engine, session, [path], async () => {
    const operation = await writeWorkspaceFile(engine.fs, session.dir, path, bytes)
    const data = { path: pathInEvents(path), operation }
    return [{ type: 'session.workspace_file_changed', data }]
  })

export async function checkpoints(
  engine: EngineContext,
  id: SessionId,
): Promise<readonly Checkpoint[]> {
  return listCheckpoints(engine.fs, await folderOf(engine, id))
}

export async function readCheckpoint(
  engine: EngineContext,
  id: SessionId,
  number: number,
): Promise<string> {
  const text = await readOne(engine.fs, await folderOf(engine, id), number)
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
  const dir = await folderOf(engine, id)
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
