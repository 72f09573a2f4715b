/** Sessions with their forks below them, from a list in which each comes after the one it was forked from. */
import type { EntryOf } from '../../../../state/transcript.ts'
import type { ForksAnswer } from '../../api.ts'

export type ForkNode = {
  readonly session: ForksAnswer['sessions'][number]
  readonly forks: readonly ForkNode[]
}

/** A chain of forks that is longer than this is drawn side by side from there on: nobody reads deeper. */
const DEEPEST = 30

export function treeOf(sessions: ForksAnswer['sessions']): readonly ForkNode[] {
  const roots: ForkNode[] = []
  const lists = new Map<string, ForkNode[]>()
  for (const session of sessions) {
    const above = session.forkedFrom === undefined ? undefined : lists.get(session.forkedFrom)
    const siblings = above ?? roots
    const own: ForkNode[] = []
    siblings.push({ session, forks: own })
    lists.set(session.id, session.depth >= DEEPEST ? siblings : own)
  }
  return roots
}

type Remark = EntryOf<'info' | 'warning' | 'error'>

/** The other session that the log tells of when one is forked. */
export function forkIn({ topic, text }: Remark): string | undefined {
  if (topic !== 'fork') return undefined
  return /session ([\w.-]*[\w-])/.exec(text)?.[1]
}
