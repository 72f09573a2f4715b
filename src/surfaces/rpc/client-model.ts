/** The model that a client brings with a session: one provider, or several with a list of their models. */
import type { ModelConfig } from '../../agents/model/config.ts'
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import type { AgentWish } from './parts.ts'
import type { NamedModel, ProviderConfig } from './session-config.ts'

type Wanted = Pick<AgentWish, 'config' | 'model' | 'token'>

/** Undefined when the client brings none. */
export function clientModel(wish: Wanted): ModelConfig | undefined {
  const { config, model: current } = wish
  const { provider, providers = [], models = [] } = config
  const wanted = current ?? config.model
  if (provider !== undefined) {
    const said = config.model ?? provider.modelId ?? provider.wireModel
    const wire = provider.wireModel ?? provider.modelId
    return configOf(wish, provider, wanted ?? said, provider, (name) =>
      name === said ? (wire ?? name) : name,
    )
  }
  const entryOf = (name: string | undefined) => models.find((each) => isNamed(each, name))
  const entry = entryOf(wanted) ?? (wanted === undefined ? models[0] : undefined)
  const its = providers.find(({ name }) => name === entry?.provider) ?? providers[0]
  if (its === undefined) return undefined
  const wireModel = (name: string) => {
    const { id = name, wireModel: wire = id } = entryOf(name) ?? {}
    return wire
  }
  return configOf(wish, its, wanted ?? entry?.id ?? its.modelId, entry ?? its, wireModel)
}

/** Where two providers have a model of the same name, the provider is named with it. */
const isNamed = ({ id, provider }: NamedModel, name: string | undefined) =>
  name === id || name === `${provider}/${id}`

function configOf(
  { token }: Wanted,
  provider: ProviderConfig,
  model: string | undefined,
  windows: Pick<ProviderConfig, 'maxContextWindowTokens' | 'maxPromptTokens' | 'maxOutputTokens'>,
  wireModel: (name: string) => string,
): ModelConfig {
  if (model === undefined) {
    throw new EngineError(
      'invalid',
      'The session has a provider and no model. Name one in "model". Nothing was sent.',
    )
  }
  const { type = 'openai', wireApi = 'completions', baseUrl, apiKey, bearerToken } = provider
  const { headers, azure = {} } = provider
  const { maxOutputTokens } = windows
  const contextWindow = windows.maxContextWindowTokens ?? windows.maxPromptTokens
  const isAzure = type === 'azure'
  return {
    provider:
      type === 'anthropic' ? type : wireApi === 'responses' ? 'openai' : 'openai-compatible',
    baseUrl,
    model,
    wireModel,
    apiKey: () => token?.() ?? bearerToken ?? (isAzure ? undefined : apiKey),
    ...(isAzure && {
      azure: {
        ...defined({ apiVersion: azure.apiVersion, apiKey }),
      },
    }),
    ...defined({ headers, contextWindow, maxOutputTokens }),
  }
}
