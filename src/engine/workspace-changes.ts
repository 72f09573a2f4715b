/**
 * Notices that a tool changed the session's own plan or files, through whatever path: the folder is looked
 * at before the tool runs and after.
 */
import type { Draft } from '../format/event.ts'
import { diffWorkspace, snapshotWorkspace } from '../workspace/detect.ts'
import { pathInEvents } from '../workspace/files.ts'
import type { EngineContext } from './context.ts'
import type { LiveSession } from './live-session.ts'

export function noticeWorkspaceChanges(engine: EngineContext, session: LiveSession) {
  let known: Awaited<ReturnType<typeof snapshotWorkspace>> | undefined
  return {
    async before(): Promise<void> {
      known ??= await snapshotWorkspace(engine.fs, session.dir)
    },
    async after(): Promise<readonly Draft[]> {
      if (known === undefined) return []
      const now = await snapshotWorkspace(engine.fs, session.dir)
      const changes = diffWorkspace(known, now)
      known = now
      return changes.map(draftOf)
    },
  }
}

function draftOf(change: ReturnType<typeof diffWorkspace>[number]): Draft {
  if (change.path === 'plan.md')
    return { type: 'session.plan_changed', data: { operation: change.operation } }
  const operation = change.operation === 'create' ? 'create' : 'update'
  return {
    type: 'session.workspace_file_changed',
    data: { path: pathInEvents(change.path), operation },
  }
}
