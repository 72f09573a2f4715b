/**
 * The agent of one session. It is made when it is first needed and made anew when the session's configuration has
 * changed since; a turn that runs keeps the one it began with.
 */
import type { Agent } from '../../engine/agent.ts'

export interface SessionAgent {
  readonly agent: Agent
  /** Makes the agent, so that what is asked of it at once can be answered: its context window, whether it summarises. */
  ready(): Promise<void>
  /** The configuration has changed. */
  renew(): void
  close(): Promise<void>
}

export function createSessionAgent(make: () => Promise<Agent>): SessionAgent {
  let made: Promise<Agent> | undefined
  let current: Agent | undefined
  const former = new Set<Agent>()

  const ready = async (): Promise<Agent> => {
    const making = (made ??= make())
    try {
      const agent = await making
      if (making === made) current = agent
      return agent
    } catch (error) {
      if (making === made) made = undefined
      throw error
    }
  }
  const agent: Agent = {
    get name() {
      return current?.name ?? 'session'
    },
    async *run(turn, signal) {
      yield* (await ready()).run(turn, signal)
    },
    get completesTasks() {
      return current?.completesTasks ?? false
    },
    get continues() {
      return current?.continues ?? false
    },
    contextWindow: (model) => current?.contextWindow?.(model),
    toolDefinitions: () => current?.toolDefinitions?.() ?? [],
  }
  // Present only when the agent can: without it the engine composes the summary from the log.
  Object.defineProperty(agent, 'summarise', {
    get: () => current?.summarise?.bind(current),
    enumerable: true,
  })
  // Likewise: without it the agent has no protocol of its own, and offers no commands.
  Object.defineProperty(agent, 'reach', {
    get: () => current?.reach?.bind(current),
    enumerable: true,
  })
  return {
    agent,
    ready: async () => void (await ready()),
    renew() {
      if (current !== undefined) former.add(current)
      made = undefined
      current = undefined
    },
    async close() {
      const agents = [...former, ...(current === undefined ? [] : [current])]
      await Promise.allSettled(agents.map((each) => each.close?.()))
    },
  }
}
