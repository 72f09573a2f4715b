/** What a client says of sub-agents, in the words of the model agent. */
import type { SubagentSettings } from '../../agents/model/config.ts'
import { defined } from '../../lib/defined.ts'
import type { SubagentConfig } from './session-config.ts'

export function subagentSettingsOf(given: SubagentConfig | undefined): SubagentSettings {
  const { agents = {}, disabledSubagents: disabled, maxConcurrency, maxDepth } = given ?? {}
  const choices = Object.entries(agents).map(([name, { model, effortLevel, autoInvoke }]) => [
    name,
    defined({ model, reasoningEffort: effortLevel, autoInvoke }),
  ])
  return {
    agents: Object.fromEntries(choices) as NonNullable<SubagentSettings['agents']>,
    ...defined({ disabled, maxConcurrency, maxDepth }),
  }
}
