/**
 * A rewind or a redo changes the log, the project's files and the session's own, all or none of them. The change of the
 * log is the moment that decides; what goes before it and after it can be told, and done again, from the intent alone.
 */
import { logPath } from '../../format/paths.ts'
import { isEventId, type EventId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { defined } from '../../lib/defined.ts'
import { findEvent } from '../../log/find.ts'
import { listRewound } from '../../log/undo-log.ts'
import { isObject, parseEntry, type WorkspaceRestoreEntry } from '../../project/journal-entry.ts'
import type { Companion } from '../../project/restore-intent.ts'
import { removeNote, writeNote } from './rewind-note.ts'
import type { WorkspaceHistory } from './workspace-history.ts'

export type LogStep = {
  readonly direction: 'rewind' | 'redo'
  /** The first event that leaves the log, or that comes back. */
  readonly eventId: EventId
  /** What a redo brings back, as `.reprise/rewound/` numbers it. */
  readonly entry?: string
  /** What the session's own files become. */
  readonly workspace?: WorkspaceRestoreEntry
}

type Ground = {
  readonly fs: SessionFs
  readonly dir: string
  readonly history: () => Promise<WorkspaceHistory>
}

export function companionFor(
  ground: Ground,
  step: LogStep,
  /** Makes the change; not asked for when an intent is settled. */
  changeLog: () => Promise<void>,
): Companion {
  const { fs, dir } = ground
  const { direction, eventId, entry, workspace } = step
  return {
    about: step,
    hasFiles: workspace !== undefined,
    async decide() {
      if (workspace !== undefined) await (await ground.history()).carryOut(workspace)
      await changeLog()
    },
    async hasHappened() {
      const isThere = (await findEvent(fs, logPath(dir), eventId)) !== undefined
      return direction === 'redo' ? isThere : !isThere
    },
    takeBack: async () =>
      workspace === undefined ? [] : (await ground.history()).takeBack(workspace),
    async finish(project) {
      if (workspace !== undefined) await (await ground.history()).finish(workspace)
      const restores = defined({ project, workspace: workspace?.id })
      if (direction === 'rewind') await note(ground, eventId, restores)
      else if (entry !== undefined) await removeNote(fs, dir, entry)
    },
  }
}

async function note(
  { fs, dir }: Ground,
  eventId: EventId,
  restores: Parameters<typeof writeNote>[3],
) {
  const removed = (await listRewound(fs, dir)).findLast((each) => each.upToEventId === eventId)
  if (removed !== undefined) await writeNote(fs, dir, removed.entry, restores)
}

/** The companion of an intent that this home has sealed; undefined when another version wrote it. */
export function companionFrom(ground: Ground, about: unknown): Companion | undefined {
  if (!isObject(about)) return undefined
  const { direction, eventId } = about
  if (direction !== 'rewind' && direction !== 'redo') return undefined
  if (!isEventId(eventId)) return undefined
  const entry = typeof about['entry'] === 'string' ? about['entry'] : undefined
  const own =
    about['workspace'] === undefined ? undefined : parseEntry(JSON.stringify(about['workspace']))
  const workspace = own?.kind === 'workspace-restore' ? own : undefined
  return companionFor(
    ground,
    { direction, eventId, ...defined({ entry, workspace }) },
    async () => {
      throw new Error('What is settled is not begun again')
    },
  )
}
