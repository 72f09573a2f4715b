/**
 * A fold point is a state without its long lists, only their lengths: small enough to keep one for every half MiB of
 * log. With a later state of the same log at hand, the state at that point can be had back without folding again.
 */
import { defined } from '../lib/defined.ts'
import { close, type Accumulator } from './accumulator.ts'
import type { SessionState } from './session-state.ts'

type Growing = 'turns' | 'skills' | 'workspaceFiles' | 'compaction'

export type FoldPoint = {
  readonly offset: number
  readonly rest: Omit<SessionState, Growing>
  readonly turns: number
  readonly skills: number
  readonly workspaceFiles: number
  readonly checkpoints: number
  readonly compacting?: SessionState['compaction']['inProgress']
}

export function pointOf(state: SessionState): FoldPoint {
  const { turns, skills, workspaceFiles, compaction, ...rest } = state
  return {
    offset: state.size,
    rest,
    turns: turns.length,
    skills: skills.length,
    workspaceFiles: workspaceFiles.length,
    checkpoints: compaction.checkpoints.length,
    ...defined({ compacting: compaction.inProgress }),
  }
}

/** The point of what is being folded, without a copy of the long lists. */
export function pointWhileFolding(accumulator: Accumulator): FoldPoint {
  const { lists } = accumulator
  const short = { turns: [], skills: new Map(), workspaceFiles: new Map(), checkpoints: [] }
  return {
    ...pointOf(close({ ...accumulator, lists: { ...lists, ...short } })),
    turns: lists.turns.length,
    skills: lists.skills.size,
    workspaceFiles: lists.workspaceFiles.size,
    checkpoints: lists.checkpoints.length,
  }
}

/** The lists only ever grow, so the beginning of the later ones is what they were. */
export function restore(point: FoldPoint, later: SessionState): SessionState {
  return {
    ...point.rest,
    turns: later.turns.slice(0, point.turns),
    skills: later.skills.slice(0, point.skills),
    workspaceFiles: later.workspaceFiles.slice(0, point.workspaceFiles),
    compaction: {
      ...defined({ inProgress: point.compacting }),
      checkpoints: later.compaction.checkpoints.slice(0, point.checkpoints),
    },
  }
}
