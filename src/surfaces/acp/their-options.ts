/** What can be chosen in the agent itself, as it was last told, for one client that follows the session. */
import type { AgentOptions, OptionChoice } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { reachAgent } from './agent-choices.ts'

export function openTheirOptions(
  engine: Engine,
  id: SessionId,
  signal: AbortSignal,
  onChange: () => void,
) {
  let known: AgentOptions | undefined
  return {
    now: (): AgentOptions | undefined => known,
    /** Brings the agent up. */
    async reach(): Promise<void> {
      known = await reachAgent(engine, id, signal)
      if (known !== undefined) onChange()
    },
    async choose(choice: OptionChoice): Promise<void> {
      const session = await engine.open(id)
      await session.setAgentOption(choice, signal)
      known = await session.agentOptions()
    },
    /** The agent has told of its options in a turn. */
    async refresh(): Promise<void> {
      if (known === undefined) return
      known = await (await engine.open(id)).agentOptions()
      onChange()
    },
  }
}
