/** What a client says of the guidance of its session: custom agents, folders of skills and instructions, what is off. */
import type { CustomAgent } from '../../guidance/custom-agents.ts'
import type { GuidanceConfig } from '../../guidance/guidance.ts'
import { defined } from '../../lib/defined.ts'
import { mcpServersOf } from './client-servers.ts'
import type { AgentConfig } from './agent-config.ts'
import type { CustomAgentConfig } from './session-config.ts'

/** It adds to what every session of this home has. */
export function clientGuidance(
  config: AgentConfig,
  own: GuidanceConfig,
  here: string,
): GuidanceConfig {
  const { skipCustomInstructions, instructionDirectories = [], skillDirectories = [] } = config
  const { disabledSkills = [], enableSkills = true, customAgents = [] } = config
  return {
    ...own,
    instructionsOff: skipCustomInstructions === true ? 'all' : (own.instructionsOff ?? []),
    instructionDirectories: [...(own.instructionDirectories ?? []), ...instructionDirectories],
    skillDirectories: [...(own.skillDirectories ?? []), ...skillDirectories],
    skillsOff:
      enableSkills && own.skillsOff !== 'all'
        ? [...(own.skillsOff ?? []), ...disabledSkills]
        : 'all',
    customAgents: customAgents.map((each) => agentOf(each, here)),
  }
}

function agentOf(given: CustomAgentConfig, here: string): CustomAgent {
  const { name, displayName = name, description = '', prompt, tools, infer = true } = given
  const { model, reasoningEffort, skills } = given
  const mcpServers = given.mcpServers && mcpServersOf(here, given.mcpServers)
  return {
    name,
    displayName,
    description,
    prompt,
    userInvocable: true,
    disableModelInvocation: !infer,
    ...defined({ tools: tools ?? undefined, model, reasoningEffort, skills, mcpServers }),
  }
}
