/**
 * Reads what machines sent into the stores before a question asks for it: who has just sent thousands of sessions finds
 * them at once. One person after the other, a little at a time. What waits is not written down: a node that stops has
 * lost nothing, because every question reads what is missing first.
 */
import type { Asker } from '../people/scopes.ts'
import type { Audience, Behind, Stores } from './stores.ts'

type Whose = Pick<Asker, 'tenant' | 'person'>

export interface Backfill {
  /** From now on until they are read. */
  queue(whose: Whose, sessions: readonly string[]): void
  /** Sessions of this person that wait. */
  waiting(whose: Whose): number
  settled(): Promise<void>
}

const AUDIENCES: readonly Audience[] = ['mine', 'team']

export function openBackfill(
  stores: Stores,
  {
    stopping,
    onTrouble,
  }: { readonly stopping: AbortSignal; readonly onTrouble: (cause: unknown) => void },
): Backfill {
  const waiting = new Map<string, { readonly whose: Whose; readonly sessions: Set<string> }>()
  let work: Promise<void> | undefined

  async function readAll(): Promise<void> {
    for (;;) {
      const [next] = waiting
      if (next === undefined || stopping.aborted) return
      const [key, { whose }] = next
      // What comes while this is read waits for another round.
      const before = new Set(next[1].sessions)
      try {
        for (const audience of AUDIENCES) await readOf(whose, audience)
      } catch (cause) {
        onTrouble(cause)
      }
      for (const session of before) next[1].sessions.delete(session)
      if (next[1].sessions.size === 0) waiting.delete(key)
    }
  }

  async function readOf(whose: Whose, audience: Audience): Promise<void> {
    let left: Behind
    let before = Number.POSITIVE_INFINITY
    do {
      left = await stores.use(whose, audience, async (_, behind) => behind)
      if (left.events >= before) return
      before = left.events
    } while (left.sessions > 0 && !stopping.aborted)
  }

  return {
    queue(whose, sessions) {
      const key = JSON.stringify([whose.tenant, whose.person])
      const entry = waiting.get(key) ?? { whose, sessions: new Set<string>() }
      for (const session of sessions) entry.sessions.add(session)
      waiting.set(key, entry)
      work ??= readAll().finally(() => (work = undefined))
    },
    waiting: ({ tenant, person }) =>
      waiting.get(JSON.stringify([tenant, person]))?.sessions.size ?? 0,
    settled: async () => work,
  }
}
