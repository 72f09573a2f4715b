/**
 * The state while it is being folded: the same fields, with lists that grow, and are searched, at a
 * constant cost. It never leaves this folder; the fold that opens it is its only owner.
 */
import { defined } from '../lib/defined.ts'
import type {
  CheckpointRef,
  CompactionStart,
  InvokedSkill,
  OpenRequest,
  OpenTurn,
  PendingTool,
  SessionState,
  WorkspaceFile,
  StoredTurn,
} from './session-state.ts'
import type { Tasks } from './subagents.ts'
import { openMeter, type UsageMeter } from './usage.ts'

type Lists =
  | 'compaction'
  | 'openTurns'
  | 'pendingTools'
  | 'openRequests'
  | 'skills'
  | 'tasks'
  | 'workspaceFiles'
  | 'turns'
  | 'usage'
  | 'copied'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type Accumulator = Mutable<Omit<SessionState, Lists>> & {
  readonly lists: {
    readonly openTurns: Map<string, OpenTurn>
    readonly pendingTools: Map<string, PendingTool>
    readonly openRequests: Map<string, OpenRequest>
    readonly skills: Map<string, InvokedSkill>
    readonly tasks: Tasks
    readonly workspaceFiles: Map<string, WorkspaceFile>
    readonly turns: StoredTurn[]
    readonly checkpoints: CheckpointRef[]
    readonly usage: UsageMeter
    readonly copied: UsageMeter
    compacting: CompactionStart | undefined
  }
}

export function open(state: SessionState): Accumulator {
  const {
    compaction,
    openTurns,
    pendingTools,
    openRequests,
    skills,
    tasks,
    workspaceFiles,
    turns,
    usage,
    copied,
    ...fields
  } = state
  return {
    ...fields,
    lists: {
      openTurns: keyed(openTurns, turnKey),
      pendingTools: keyed(pendingTools, (tool) => tool.toolCallId),
      openRequests: keyed(openRequests, (request) => request.requestId),
      skills: keyed(skills, skillKey),
      tasks: keyed(tasks, (task) => task.id),
      workspaceFiles: keyed(workspaceFiles, (file) => file.path),
      turns: turns.slice(),
      checkpoints: compaction.checkpoints.slice(),
      usage: openMeter(usage),
      copied: openMeter(copied),
      compacting: compaction.inProgress,
    },
  }
}

export function close({ lists, ...fields }: Accumulator): SessionState {
  return {
    ...fields,
    compaction: {
      ...defined({ inProgress: lists.compacting }),
      checkpoints: lists.checkpoints.slice(),
    },
    openTurns: [...lists.openTurns.values()],
    pendingTools: [...lists.pendingTools.values()],
    openRequests: [...lists.openRequests.values()],
    skills: [...lists.skills.values()],
    tasks: [...lists.tasks.values()],
    workspaceFiles: [...lists.workspaceFiles.values()],
    turns: lists.turns.slice(),
    usage: lists.usage.total(),
    copied: lists.copied.total(),
  }
}

type Keyed = { readonly turnId: string; readonly agentId?: string | undefined }

export const turnKey = ({ agentId, turnId }: Keyed) =>
  agentId === undefined ? `:${turnId}` : `${agentId.length}:${agentId}${turnId}`
export const skillKey = (skill: InvokedSkill) => JSON.stringify([skill.name, skill.path])

const keyed = <T>(items: readonly T[], key: (item: T) => string): Map<string, T> =>
  new Map(items.map((item) => [key(item), item]))
