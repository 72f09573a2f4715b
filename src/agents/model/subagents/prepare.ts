/** What a sub-agent works with. It has a shell of its own, and nobody to ask. */
import type { Turn } from '../../../engine/agent.ts'
import type { Guidance } from '../../../guidance/guidance.ts'
import type { Tool } from '../../tools/tool.ts'
import type { agentServers } from '../agent-servers.ts'
import type { ModelConfig, ModelParts, SubagentSettings } from '../config.ts'
import { promptFacts } from '../prompt-for.ts'
import { invoked, skillText } from '../skill-tool.ts'
import { subagentPrompt } from '../system-prompt.ts'
import { byName } from '../tool-set.ts'
import { mayUse } from './definitions.ts'
import type { Working } from './running-tasks.ts'
import type { Prepared } from './work.ts'

type Around = {
  readonly config: ModelConfig
  readonly parts: ModelParts
  readonly servers: Pick<ReturnType<typeof agentServers>, 'broughtBy'>
  /** Made anew for each: a shell is in them. */
  own(): readonly Tool[]
  settings(): SubagentSettings
}

/** What only the agent that people speak with can do. */
const NOT_NESTED: ReadonlySet<string> = new Set(['ask_user', 'task_complete', 'plan'])

export async function prepareSubagent(
  { config, parts, servers, own, settings }: Around,
  turn: Turn,
  { definition, model, reasoningEffort }: Working,
  guidance: Guidance,
  given: readonly Tool[],
  signal: AbortSignal,
): Promise<Prepared> {
  const chosen = settings().agents?.[definition.name]
  const more: Tool[] = []
  const found = servers.broughtBy(definition)?.tools(signal)
  for (let next = await found?.next(); next !== undefined; next = await found?.next()) {
    if (next.done) more.push(...next.value)
    if (next.done) break
  }
  const all = [...own(), ...(config.extraTools ?? []), ...given, ...more]
  const tools = byName(all.filter((tool) => !NOT_NESTED.has(tool.name) && mayUse(definition, tool)))
  const begins = guidance.skills.filter(({ name }) => definition.skills?.includes(name))
  const spoken = model ?? chosen?.model ?? definition.model ?? turn.state.model ?? config.model
  return {
    config: config.at?.(spoken) ?? config,
    parts,
    system: subagentPrompt(promptFacts(config, turn, guidance), definition),
    tools,
    model: spoken,
    reasoningEffort:
      reasoningEffort ??
      chosen?.reasoningEffort ??
      definition.reasoningEffort ??
      turn.state.reasoningEffort ??
      config.reasoningEffort,
    skills: {
      drafts: begins.map((skill) => invoked(skill, 'context-load')),
      texts: begins.map(skillText),
    },
  }
}
