/** Custom agents of a session: which there are, which one answers, what it is told. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { namedAgent, type CustomAgent } from '../../../guidance/custom-agents.ts'
import { OWN_AGENTS } from '../../../guidance/own-agents.ts'
import { defined } from '../../../lib/defined.ts'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { configure } from '../join-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'

export const agentMethods: Methods = {
  'session.agent.list': passOn('guidance', {
    summary: 'Custom agents that a session can have.',
    takes: {
      includeBuiltInAgents: z.boolean().optional().describe('Those that every session has, too.'),
      includePrompt: z.boolean().optional(),
    },
    needsAgent: true,
    from: ({ agents }, { includeBuiltInAgents = false, includePrompt = false }) => ({
      agents: [
        ...agents.map((agent) => agentInfo(agent, { includePrompt })),
        ...(includeBuiltInAgents ? OWN_AGENTS : []).map((agent) => ({
          ...agentInfo(agent, { includePrompt }),
          source: 'builtin',
          userInvocable: false,
        })),
      ],
    }),
  }),
  'session.agent.getCurrent': sessionMethod(
    'The custom agent that answers; null when it is the usual one.',
    async (session) => {
      const { agentName } = await session.ops.state()
      const agent = namedAgent(await agentsOf(session), agentName)
      return { agent: agent === undefined ? null : agentInfo(agent) }
    },
  ),
  'session.agent.select': passOn('selectAgent', {
    summary: 'Has a custom agent answer from the next message on.',
    takes: { name: z.string().min(1) },
    needsAgent: true,
    to: ({ name }) => [name],
    from: (agent) => ({ agent: agent === undefined ? null : agentInfo(agent) }),
  }),
  'session.agent.deselect': passOn('selectAgent', {
    summary: 'Has the usual agent answer from the next message on.',
    to: () => [undefined],
    answer: {},
  }),
  'session.agent.reload': sessionMethod(
    'Looks for custom agents again, and tells which there are.',
    async (session) => {
      const agents = await agentsOf(session)
      tell(session, {
        type: 'session.custom_agents_updated',
        data: {
          agents: agents.map((agent) => ({
            source: 'user',
            tools: null,
            ...agentInfo(agent),
            userInvocable: agent.userInvocable,
          })),
          warnings: [],
          errors: [],
        },
      })
      return { agents: agents.map((agent) => agentInfo(agent)) }
    },
  ),
  'session.agent.setPrompt': sessionMethod(
    'Gives a custom agent other words, in this session.',
    { id: z.string(), prompt: z.string() },
    async (session, { id, prompt }, { client }) => {
      const agent = (await agentsOf(session)).find(({ name }) => name === id)
      if (agent === undefined)
        throw new EngineError(
          'not_found',
          `Agent '${id}' is not available in this session. Nothing was changed.`,
        )
      const others = (session.config.customAgents ?? []).filter(({ name }) => name !== id)
      const { name, displayName, description, tools, model, reasoningEffort, skills } = agent
      const changed = {
        name,
        displayName,
        description,
        prompt,
        infer: !agent.disableModelInvocation,
        ...defined({
          tools: tools && [...tools],
          model,
          reasoningEffort,
          skills: skills && [...skills],
          mcpServers: session.config.customAgents?.find((each) => each.name === id)?.mcpServers,
        }),
      }
      configure(session, client, { customAgents: [...others, changed] })
      return {}
    },
  ),
}

async function agentsOf({ agent, ops }: HostedSession): Promise<readonly CustomAgent[]> {
  await agent.ready()
  return (await ops.guidance()).agents
}

export function agentInfo(agent: CustomAgent, { includePrompt = false } = {}) {
  const { name, displayName, description, path, source, tools, model, skills, prompt } = agent
  return {
    name,
    id: name,
    displayName,
    description,
    ...(!agent.userInvocable && { userInvocable: false }),
    ...(agent.disableModelInvocation && { disableModelInvocation: true }),
    ...defined({ path, source, tools, model, skills }),
    ...(includePrompt && { prompt }),
  }
}
