/**
 * What the agent of a session is made of, put together from all that its clients said. What one of them brings stays
 * marked as theirs: credentials are asked of that client alone, and only that client may carry what is sent with them.
 */
import { defined } from '../../lib/defined.ts'
import type { Client } from './client.ts'
import type {
  McpServerConfig,
  NamedModel,
  ProviderConfig,
  SessionConfig,
} from './session-config.ts'

/** The client that brought it; undefined where that was none. */
type Brought = { readonly by?: symbol | undefined }
export type BroughtProvider = ProviderConfig & Brought
export type BroughtServer = McpServerConfig & Brought

const AGENT_FIELDS = [
  'model',
  'reasoningEffort',
  'systemMessage',
  'availableTools',
  'excludedTools',
  'provider',
  'providers',
  'models',
  'mcpServers',
  'disabledMcpServers',
  'envValueMode',
  'skipCustomInstructions',
  'customAgents',
  'agent',
  'defaultAgent',
  'instructionDirectories',
  'skillDirectories',
  'disabledSkills',
  'enableSkills',
  'requestMcpApps',
] as const satisfies readonly (keyof SessionConfig)[]

export type AgentConfig = Omit<
  Pick<SessionConfig, (typeof AGENT_FIELDS)[number]>,
  'provider' | 'providers' | 'mcpServers'
> & {
  readonly provider?: BroughtProvider | undefined
  readonly providers?: readonly BroughtProvider[] | undefined
  readonly mcpServers?: Readonly<Record<string, BroughtServer>> | undefined
}

/** What its clients brought, by the names under which it can be chosen. */
export function modelsIn(config: AgentConfig): readonly string[] {
  const { provider, model } = config
  const one = provider === undefined ? undefined : (model ?? provider.modelId ?? provider.wireModel)
  return [...(one === undefined ? [] : [one]), ...listedIn(config).map(fullName)]
}

/** A provider may say its only model itself. */
export const listedIn = ({ models = [], providers = [] }: AgentConfig): readonly NamedModel[] => [
  ...models,
  ...providers.flatMap(({ name = '', modelId: id, wireModel }) =>
    id === undefined || models.some(({ provider }) => provider === name)
      ? []
      : [{ id, provider: name, ...defined({ wireModel }) }],
  ),
]

export const fullName = ({ provider, id }: NamedModel) => `${provider}/${id}`

/**
 * What was said before stays as long as nothing else is said. A provider of its own and a list of providers stand for
 * each other: nothing of the one is left beside the other.
 */
export function mergedConfig(
  before: AgentConfig,
  said: SessionConfig,
  client: Client | undefined,
): AgentConfig {
  const { provider, providers, mcpServers, ...told } = Object.fromEntries(
    AGENT_FIELDS.flatMap((field) => (said[field] === undefined ? [] : [[field, said[field]]])),
  ) as AgentConfig
  const marked = <T extends object>(given: T & Brought): T & Brought => ({
    ...given,
    // No symbol comes over the wire: one that is there was put on here, when it was brought.
    by: typeof given.by === 'symbol' ? given.by : client?.key,
  })
  const { provider: _one, providers: _all, models: _listed, ...others } = before
  return {
    ...(provider === undefined && providers === undefined ? before : others),
    ...told,
    ...(provider !== undefined && { provider: marked(provider) }),
    ...(providers !== undefined && { providers: providers.map(marked) }),
    ...(mcpServers !== undefined && {
      mcpServers: Object.fromEntries(
        Object.entries(mcpServers).map(([name, server]) => [name, marked(server)]),
      ),
    }),
  }
}
