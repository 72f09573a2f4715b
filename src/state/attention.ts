/** Which sessions want a person first: those that wait for an answer, then those at work, then all others as they were. */
type Attention = 'waiting' | 'running'

export const attentionGroups = { waiting: 'Waits for you', running: 'At work' } as const

const ranks = { waiting: 0, running: 1 } as const
const LAST = 2

/** The order within one rank stays. */
export const byAttention = <T>(
  sessions: readonly T[],
  attentionOf: (session: T) => Attention | undefined,
): readonly T[] => {
  const rank = (session: T) => {
    const attention = attentionOf(session)
    return attention === undefined ? LAST : ranks[attention]
  }
  return sessions.toSorted((one, other) => rank(one) - rank(other))
}
