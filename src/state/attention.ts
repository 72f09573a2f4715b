/**
 * Which sessions want a person first: those that wait for an answer, then what has come while nobody looked, failures
 * first, then those at work, then all others as they were.
 */
export type Attention = 'waiting' | 'failed' | 'unseen' | 'running'

export const attentionGroups = {
  waiting: 'Waits for you',
  failed: 'Failed, not seen yet',
  unseen: 'Done, not seen yet',
  running: 'At work',
} as const satisfies Record<Attention, string>

/** Before the title, and in its words. */
export const attentionMarks = {
  waiting: { sign: '?', words: 'waits for you' },
  failed: { sign: '✗', words: 'failed' },
  unseen: { sign: '✓', words: 'done' },
  running: { sign: '●', words: 'working' },
} as const satisfies Record<Attention, { readonly sign: string; readonly words: string }>

const order = Object.keys(attentionGroups)

/** The order within one rank stays. */
export const byAttention = <T>(
  sessions: readonly T[],
  attentionOf: (session: T) => Attention | undefined,
): readonly T[] => {
  const rank = (session: T) => {
    const attention = attentionOf(session)
    return attention === undefined ? order.length : order.indexOf(attention)
  }
  return sessions.toSorted((one, other) => rank(one) - rank(other))
}
