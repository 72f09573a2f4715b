/**
 * What a tool changed, whatever it says of itself: the session's own folder and the user's project are looked at
 * before it runs and after. Changes of either are kept with their contents, durable before the tool's end is told,
 * so that a rewind can take them back; those of plan and files become events too.
 */
import type { Draft, DraftOf } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import {
  diffWorkspace,
  type WorkspaceChange,
  type WorkspaceSnapshot,
} from '../../workspace/detect.ts'
import { pathInEvents } from '../../workspace/files.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { underLease } from '../live/under-lease.ts'
import { projectFiles, workspaceHistory } from '../history/session-files.ts'

export interface ToolEffects {
  before(start: DraftOf<'tool.execution_start'>): Promise<void>
  /** Called before the end of the tool is recorded. */
  ended(toolCallId: string): Promise<void>
  /** Events about the session's own files, to be recorded after the end of the tool. */
  after(toolCallId: string): readonly Draft[]
  /** Ends the calls that have no end. */
  close(): Promise<void>
}

export function observeTools(
  engine: EngineContext,
  session: LiveSession,
  turnEventId: EventId,
): ToolEffects {
  let known: WorkspaceSnapshot | undefined
  const open = new Set<string>()
  /** Calls that may change the session's own files. */
  const writing = new Set<string>()
  const changed = new Map<string, readonly WorkspaceChange[]>()
  const isOurs = underLease(session)

  async function ended(toolCallId: string): Promise<void> {
    if (!(await isOurs())) return
    if (writing.delete(toolCallId) && known !== undefined) {
      const history = await workspaceHistory(engine, session)
      const now = await history.look({ turnEventId, toolCallId })
      changed.set(toolCallId, diffWorkspace(known, now))
      known = now
    }
    if (!open.delete(toolCallId)) return
    const files = await projectFiles(engine, session)
    await files?.after(toolCallId)
  }

  /** What differs before the first tool of a turn was changed since the turn before. */
  async function first(): Promise<WorkspaceSnapshot> {
    const { turns } = stateOf(session)
    const index = turns.findLastIndex(({ eventId }) => eventId === turnEventId)
    const before = index === -1 ? turns.at(-1) : turns[index - 1]
    const history = await workspaceHistory(engine, session)
    return history.look({ turnEventId: before?.eventId })
  }

  return {
    async before({ data: { toolCallId, toolName, arguments: given } }) {
      if (!READS.has(toolName) || toolName === PLAN) {
        writing.add(toolCallId)
        known ??= await first()
      }
      if (READS.has(toolName)) return
      const files = await projectFiles(engine, session)
      if (files === undefined) return
      open.add(toolCallId)
      const reach = WRITES_WHAT_IT_NAMES.has(toolName) ? 'paths' : 'project'
      await files.before({ toolCallId, turnEventId, paths: pathsIn(given), reach })
    },
    ended,
    after(toolCallId) {
      const changes = changed.get(toolCallId) ?? []
      changed.delete(toolCallId)
      return changes.map(draftOf)
    },
    async close() {
      for (const toolCallId of new Set([...writing, ...open])) await ended(toolCallId)
    },
  }
}

/** Changes nothing in the project, and the plan of the session. */
const PLAN = 'plan'
const READS: ReadonlySet<string> = new Set([
  'view',
  'grep',
  'glob',
  PLAN,
  'ask_user',
  'task_complete',
  'sql',
  'session_store_sql',
  'context_board',
  // What a sub-agent changes is seen with its own calls.
  'task',
  'read_agent',
  'list_agents',
  'write_agent',
  'skill',
])
const WRITES_WHAT_IT_NAMES: ReadonlySet<string> = new Set(['create', 'append', 'edit'])

const MOST_PATHS = 100
const DEPTH = 4

/** Strings that stand where tools put paths, and the files that a patch names. */
function pathsIn(given: unknown): string[] {
  const paths: string[] = []
  const visit = (value: unknown, isPath: boolean, depth: number): void => {
    if (paths.length >= MOST_PATHS || depth > DEPTH) return
    if (typeof value === 'string') {
      if (isPath) paths.push(value)
      for (const [, path] of value.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm))
        if (path) paths.push(path)
      return
    }
    if (Array.isArray(value)) for (const each of value) visit(each, isPath, depth + 1)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value))
        visit(each, /path|file/i.test(key), depth + 1)
    }
  }
  visit(given, false, 0)
  return paths.filter((path) => path.length < 4096 && !path.includes('\n'))
}

function draftOf(change: WorkspaceChange): Draft {
  if (change.path === layout.session.plan.path) {
    return { type: 'session.plan_changed', data: { operation: change.operation } }
  }
  const operation = change.operation === 'create' ? 'create' : 'update'
  return {
    type: 'session.workspace_file_changed',
    data: { path: pathInEvents(change.path), operation },
  }
}
