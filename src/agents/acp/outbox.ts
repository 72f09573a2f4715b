/** What an agent yields, from callbacks to a generator: in order, and with a way to know that it has been taken. */
import type { AgentItem } from '../../engine/agent.ts'
import { deferred } from '../../lib/deferred.ts'

export interface Outbox {
  push(item: AgentItem): void
  /** Resolves when everything pushed so far was taken: drafts among it are durable then. */
  taken(): Promise<void>
  /** Nothing more comes; what is there is still given. */
  end(): void
  items(): AsyncGenerator<AgentItem, void, undefined>
}

export function createOutbox(): Outbox {
  const queue: (AgentItem | (() => void))[] = []
  let wake = deferred<void>()
  let isEnded = false

  const add = (entry: AgentItem | (() => void)) => {
    queue.push(entry)
    wake.resolve()
  }

  return {
    push: add,
    taken: () => new Promise((resolve) => (isEnded ? resolve() : add(resolve))),
    end() {
      isEnded = true
      wake.resolve()
    },
    async *items() {
      try {
        for (;;) {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            if (typeof next === 'function') next()
            else yield next
          }
          if (isEnded) return
          await wake.promise
          wake = deferred()
        }
      } finally {
        // A writer must not wait for ever when the turn takes no more.
        isEnded = true
        for (const entry of queue.splice(0)) if (typeof entry === 'function') entry()
      }
    },
  }
}
