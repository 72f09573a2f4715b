/** The tools that a person may have run in a session, loaded with the first that is. */
import type { UserTools } from '../engine/agent.ts'

export function lazyUserTools(): UserTools {
  let tools: UserTools | undefined
  return async function* (...call) {
    tools ??= (await import('../agents/user-tools.ts')).userTools()
    yield* tools(...call)
  }
}
