/**
 * When a session is idle for those who are connected here: when what they sent themselves has been answered. Messages of
 * other processes come in between; a program takes the answer before an idle for its own, so it is told of the idle
 * between two messages when the next one is not its own, and of none while one of its own waits.
 */

export interface IdleWait<Idle> {
  /** A client sends it. To be called again when it is in the log, or never will be. */
  sent(messageId: string): () => void
  /** Nothing runs. True when it is to be told now; otherwise it is kept. What is held waits for a person. */
  cameIdle(idle: Idle, next: { readonly goesOn: boolean; readonly isHeld: boolean }): boolean
  /** A message is in the log: what is to be told before it. */
  said(messageId: string | undefined): Idle | undefined
}

export function createIdleWait<Idle>(tellNow: (idle: Idle) => void): IdleWait<Idle> {
  const own = new Set<string>()
  let kept: { readonly idle: Idle; readonly goesOn: boolean } | undefined
  const take = () => {
    const idle = kept?.idle
    kept = undefined
    return idle
  }
  return {
    sent(messageId) {
      own.add(messageId)
      return () => {
        // It came to nothing, and what it had kept back is due.
        if (!own.delete(messageId) || own.size > 0 || kept?.goesOn !== false) return
        const idle = take()
        if (idle !== undefined) tellNow(idle)
      }
    },
    cameIdle(idle, { goesOn, isHeld }) {
      const isDue = !goesOn && (own.size === 0 || isHeld)
      kept = isDue ? undefined : { idle, goesOn }
      return isDue
    },
    said(messageId) {
      const isOwn = messageId !== undefined && own.delete(messageId)
      if (!isOwn && own.size > 0) return undefined
      const idle = take()
      return isOwn ? undefined : idle
    },
  }
}
