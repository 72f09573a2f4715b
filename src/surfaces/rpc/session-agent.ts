/**
 * The agent of one session. It is made when it is first needed and made anew when the session's configuration has
 * changed since; a turn that runs keeps the one it began with.
 */
import type { Agent, Subagents } from '../../engine/agent.ts'

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
      return current?.name ?? ''
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
    async guidance(of) {
      return (await (await ready()).guidance?.(of)) ?? { instructions: [], agents: [], skills: [] }
    },
    contextWindow: (model) => current?.contextWindow?.(model),
    toolDefinitions: () => current?.toolDefinitions?.() ?? [],
  }
  // Present only when the agent can: without it the engine composes the summary from the log.
  Object.defineProperty(agent, 'summarise', {
    get: () => current?.summarise?.bind(current),
    enumerable: true,
  })
  Object.defineProperty(agent, 'subagents', {
    get: () => current?.subagents && allOf([current, ...former]),
    enumerable: true,
  })
  Object.defineProperty(agent, 'askAside', {
    get: () => current?.askAside?.bind(current),
    enumerable: true,
  })
  Object.defineProperty(agent, 'callTool', {
    get: () => current?.callTool?.bind(current),
    enumerable: true,
  })
  Object.defineProperty(agent, 'stopCommand', {
    get: () => current?.stopCommand?.bind(current) ?? [...former].at(-1)?.stopCommand,
    enumerable: true,
  })
  Object.defineProperty(agent, 'sample', {
    get: () => current?.sample?.bind(current),
    enumerable: true,
  })
  // Likewise: without it the agent has no protocol of its own, and offers no commands.
  Object.defineProperty(agent, 'start', {
    get: () => current?.start?.bind(current),
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

/** A turn that runs keeps the agent that it began with: each is asked whether it has the sub-agent. */
function allOf(agents: readonly Agent[]): Subagents {
  const all = agents.flatMap(({ subagents }) => subagents ?? [])
  return {
    async start(session, request) {
      for (const each of all) if (await each.start(session, request)) return true
      return false
    },
    check: async (of, request) => all[0]?.check(of, request),
    message: (session, id, text) => all.some((each) => each.message(session, id, text)),
    cancel: (session, id) => all.some((each) => each.cancel(session, id)),
    promote: (session, id) => all.some((each) => each.promote(session, id)),
    progress: (session, id) =>
      all.map((each) => each.progress(session, id)).find((steps) => steps.length > 0) ?? [],
  }
}
