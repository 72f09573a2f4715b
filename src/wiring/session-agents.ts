/**
 * Makes the agent for one session of a server: with the provider that its client brings, else the one that answers by
 * default. Keys and addresses are used and never kept.
 */
import { chooseAgent, type Choice } from '../agents/choose.ts'
import { withExternalTools } from '../agents/external-tools.ts'
import type { McpServer, ModelConfig } from '../agents/model/config.ts'
import { serversIn, type Config } from '../config/config-file.ts'
import type { Tool } from '../agents/tools/tool.ts'
import type { Agent } from '../engine/agent.ts'
import { defined } from '../lib/defined.ts'
import { clientModel, unknownModel } from '../surfaces/rpc/client-model.ts'
import { modelsIn } from '../surfaces/rpc/agent-config.ts'
import { clientSettings } from '../surfaces/rpc/client-settings.ts'
import type { AgentWish } from '../surfaces/rpc/parts.ts'
import { openStoreTools } from './home-services.ts'
import { guidanceFor, makeAgent, modelOf, named, pricesIn, type AgentParts } from './make-agent.ts'

type Defaults = AgentParts & {
  readonly config: Config
  /** Where the server works. */
  readonly cwd: string
  readonly agent?: string
  readonly model?: string
}

export async function agentForSession(wish: AgentWish, defaults: Defaults): Promise<Agent> {
  const brought = clientModel(wish)
  if (brought !== undefined) return modelWith(wish, defaults, brought)
  const choice = defaultChoice(defaults, wish.recorded)
  const own = choice.kind === 'model' ? await named(choice.model) : undefined
  const { config, headers, model = config.model } = wish
  if (config.providers !== undefined && model !== undefined && model !== own?.name)
    throw unknownModel(model, [...modelsIn(config), ...(own === undefined ? [] : [own.name])])
  const turnHeaders: ModelConfig['turnHeaders'] = (turn) => headers.of(turn, {})
  if (own !== undefined) return modelWith(wish, defaults, { ...modelOf(own), turnHeaders })
  return makeAgent(choice, defaults.config, { ...defaults, isHeadless: true })
}

export const defaultChoice = ({ agent, model, config }: Defaults, recorded?: string): Choice =>
  chooseAgent(defined({ agent, model }), config, process.env, recorded)

async function modelWith(
  wish: AgentWish,
  { config, instructions, services, cwd }: Defaults,
  model: ModelConfig,
): Promise<Agent> {
  const [{ modelAgent }, storeTools] = await Promise.all([
    import('../agents/model/model.ts'),
    openStoreTools(services, wish.fs),
  ])
  const mcpServers = serversIn(config) as Readonly<Record<string, McpServer>>
  const { tools, settings } = clientSettings(wish, {
    instructions,
    cwd,
    guidance: guidanceFor(config, wish.fs),
    mcpServers,
  })
  const panels = (await openPanels(wish)).filter(({ name }) => settings.offers(name, 'builtin'))
  const ours = storeTools.filter(({ name }) => settings.offers(name, 'builtin'))
  const { mcpServers: wanted, ...others } = settings
  const servers = await wish.servers.have(wanted, async () => {
    const { toolServers } = await import('../agents/model/mcp.ts')
    return toolServers(wanted)
  })
  return withExternalTools({ tools, call: wish.tools.call }, (external) => {
    const extraTools = [...external, ...panels, ...ours]
    const whole = { ...others, servers, ...pricesIn(config), extraTools }
    // A sub-agent may have a model of another provider than the session.
    const at = (name: string): ModelConfig => {
      const its = name === model.model ? model : clientModel({ ...wish, model: name })
      if (its === undefined) throw unknownModel(name, modelsIn(wish.config))
      return { ...its, ...whole, at }
    }
    return modelAgent({ ...model, ...whole, ...(modelsIn(wish.config).length > 1 && { at }) })
  })
}

async function openPanels({ canvases }: AgentWish): Promise<readonly Tool[]> {
  const { canBeShown, providers, open, invoke } = canvases
  if (!canBeShown || providers.list().length === 0) return []
  const { canvasTools } = await import('../agents/canvas-tools.ts')
  return canvasTools({ list: providers.list, open, invoke })
}
