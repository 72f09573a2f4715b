/**
 * The agent for one session of a server: the provider that its client brings, else whoever answers by default. Keys
 * and addresses are used and never kept.
 */
import type { McpServer, ModelConfig } from '../agents/model/config.ts'
import type { PromptChange } from '../agents/model/prompt-sections.ts'
import { withExternalTools } from '../agents/external-tools.ts'
import { chooseAgent } from '../agents/choose.ts'
import type { Choice } from '../agents/choose.ts'
import { makeAgent } from './make-agent.ts'
import type { Config } from '../config/config-file.ts'
import type { Agent } from '../engine/agent.ts'
import { clientModel } from './client-model.ts'
import { defined } from '../lib/defined.ts'
import type { AgentWish } from '../surfaces/rpc/parts.ts'
import type { McpServerConfig } from '../surfaces/rpc/session-config.ts'
import { toolFilter } from '../surfaces/rpc/tool-filter.ts'
import type { StoreParts } from './store-tools.ts'

type Defaults = {
  readonly config: Config
  readonly instructions: readonly string[]
  readonly stores: StoreParts
  readonly agent?: string
  readonly model?: string
}

export async function agentForSession(wish: AgentWish, defaults: Defaults): Promise<Agent> {
  const brought = clientModel(wish)
  if (brought !== undefined) return modelWith(wish, defaults, brought)
  const choice = defaultChoice(defaults, wish.recorded)
  if (choice.kind === 'model') return modelWith(wish, defaults, configured(choice.model))
  return makeAgent(choice, defaults.config, defaults)
}

export const defaultChoice = ({ agent, model, config }: Defaults, recorded?: string): Choice =>
  chooseAgent(defined({ agent, model }), config, process.env, recorded)

async function modelWith(
  { config, tools, fs, headers, transform }: AgentWish,
  { config: own, instructions, stores }: Defaults,
  model: ModelConfig,
): Promise<Agent> {
  const [{ modelAgent }, { storeTools }] = await Promise.all([
    import('../agents/model/model.ts'),
    import('./store-tools.ts'),
  ])
  const { promptChange, appended } = promptOf(config.systemMessage, transform)
  const said = [...instructions, appended].filter((text) => text !== '')
  const offered = tools.list()
  const replaced = new Set(offered.filter((it) => it.isInsteadOfOurs).map(({ name }) => name))
  const isWanted = toolFilter(config)
  const offersOurs = (name: string) => isWanted(name, 'builtin') && !replaced.has(name)
  const disabled = new Set(config.disabledMcpServers)
  const servers = Object.entries({ ...own.mcpServers, ...mcpServers(config.mcpServers) })
  const price = own.prices?.[model.model]
  const theirs = offered.filter(({ name }) => isWanted(name, 'custom'))
  return withExternalTools({ tools: theirs, call: tools.call }, (external) =>
    modelAgent({
      ...model,
      extraTools: [
        ...external,
        ...storeTools({ ...stores, fs }).filter(({ name }) => offersOurs(name)),
      ],
      offers: (name, source) => (source === 'builtin' ? offersOurs(name) : isWanted(name, source)),
      turnHeaders: headers.of,
      skipsInstructionFiles: config.skipCustomInstructions ?? false,
      ...defined({ promptChange }),
      mcpServers: Object.fromEntries(servers.filter(([name]) => !disabled.has(name))) as Readonly<
        Record<string, McpServer>
      >,
      ...defined({ reasoningEffort: config.reasoningEffort }),
      ...(said.length > 0 && { instructions: said.join('\n\n') }),
      ...(price !== undefined && { price: price as NonNullable<ModelConfig['price']> }),
    }),
  )
}

function promptOf(
  message: AgentWish['config']['systemMessage'],
  transform: AgentWish['transform'],
): { readonly promptChange?: PromptChange; readonly appended: string } {
  const { mode = 'append', content = '', sections = {} } = message ?? {}
  if (mode === 'replace') return { promptChange: { kind: 'replaced', text: content }, appended: '' }
  if (mode === 'append') return { appended: content }
  return { promptChange: { kind: 'changed', sections, transform }, appended: content }
}

function configured(choice: Extract<Choice, { kind: 'model' }>['model']): ModelConfig {
  const { provider, name, apiKeyEnv, baseUrl, reasoningEffort, contextWindow, headers } = choice
  return {
    provider,
    model: name,
    apiKey: () => process.env[apiKeyEnv],
    ...defined({ baseUrl, reasoningEffort, contextWindow, headers }),
  }
}

function mcpServers(
  given: Readonly<Record<string, McpServerConfig>> = {},
): Readonly<Record<string, McpServer>> {
  const entries = Object.entries(given).flatMap(([name, server]): [string, McpServer][] => {
    const { command, args, env, cwd, url, headers, tools, timeout } = server
    const common = {
      ...(tools !== undefined && !tools.includes('*') && { tools }),
      ...defined({ timeoutMs: timeout }),
    }
    if (url !== undefined) return [[name, { url, ...(headers && { headers }), ...common }]]
    if (command === undefined) return []
    const more = { ...(args && { args }), ...(env && { env }), ...defined({ cwd }) }
    return [[name, { command, ...more, ...common }]]
  })
  return Object.fromEntries(entries)
}
