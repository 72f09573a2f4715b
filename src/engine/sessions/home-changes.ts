/**
 * What followers of a whole home are told: that something changed in a session, and what kind of thing. The engine
 * does not know who listens, and a listener that fails harms nobody.
 */
import type { SessionId } from '../../format/ids.ts'
import type { LogRecord } from '../../log/record.ts'

export type Change =
  | { readonly kind: 'records'; readonly id: SessionId; readonly records: readonly LogRecord[] }
  | { readonly kind: 'reset'; readonly id: SessionId; readonly cutAt: number }
  | {
      /** `closed`: nothing of it is open in this process any more; its log is as it was. */
      readonly kind: 'deleted' | 'restored' | 'forked' | 'imported' | 'renamed' | 'closed'
      readonly id: SessionId
    }

export type Listener = (change: Change) => void

/** Takes every word of these sessions out of what it holds; those whose log is still there are then read anew. */
export type Eraser = (ids: readonly SessionId[]) => Promise<void>

export interface Changes {
  tell(change: Change): void
  subscribe(listener: Listener): Disposable
  /** Resolves when no follower holds a word of these sessions; throws when one could not let go of them. */
  erase: Eraser
  onErase(eraser: Eraser): Disposable
}

export function createChanges(): Changes {
  const listeners = new Set<Listener>()
  const erasers = new Set<Eraser>()
  return {
    tell(change) {
      for (const listener of listeners) {
        try {
          listener(change)
        } catch {
          // a follower rebuilds itself; the session goes on
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async erase(ids) {
      for (const eraser of erasers) await eraser(ids)
    },
    onErase(eraser) {
      erasers.add(eraser)
      return { [Symbol.dispose]: () => void erasers.delete(eraser) }
    },
  }
}
