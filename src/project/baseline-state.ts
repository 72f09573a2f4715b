/** What is known of a project's files, in one place: `baseline.ts` changes it, `baseline-file.ts` keeps it. */
import type { Stamp, UncoveredReason } from './file-state.ts'
import { knownFiles, type KnownFiles } from './known-files.ts'
import type { Known } from './observe.ts'

/** A tool call that has begun and not ended, as much as is needed to end it in another process. */
export type OpenCall = {
  readonly toolCallId: string
  readonly turnEventId: string
  readonly at: string
  readonly reach: 'paths' | 'project'
  readonly paths: readonly string[]
  /** Paths that were looked at and where nothing was. */
  readonly absent: readonly string[]
  /** False while some content had not been read yet when it began. */
  readonly isCaptured: boolean
}

export type BaselineState = {
  readonly known: KnownFiles
  /** Seen and not yet read. No path is both known and pending. */
  readonly pending: Map<string, Stamp>
  readonly calls: Map<string, OpenCall>
  uncovered: ReadonlyMap<string, UncoveredReason> | undefined
  uncoveredText: string
  treeName: string | undefined
  /** Lines to write, and paths whose lines are made when they are written. */
  news: string[]
  learnt: Set<string>
  /** False when the tree that the lines begin with is gone. */
  hasTree: boolean
  /** False after something could not be written, and when the file does not begin with its tree. */
  isWhole: boolean
  /** Of the file, in bytes and lines. */
  size: number
  lines: number
  /** What its next line is linked to. */
  link: string
}

export const emptyBaseline = (): BaselineState => ({
  known: knownFiles(),
  pending: new Map(),
  calls: new Map(),
  uncovered: undefined,
  uncoveredText: '',
  treeName: undefined,
  news: [],
  learnt: new Set(),
  hasTree: true,
  isWhole: true,
  size: 0,
  lines: 0,
  link: '',
})

export function learn(
  { known, pending, learnt }: BaselineState,
  path: string,
  now: Known | undefined,
): void {
  pending.delete(path)
  if (now === undefined ? !known.delete(path) : known.get(path) === now) return
  if (now !== undefined) known.set(path, now)
  learnt.add(path)
}
