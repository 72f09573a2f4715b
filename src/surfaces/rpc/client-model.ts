/**
 * The model that a client brings with a session: one provider, or several with a list of their models. What is sent to
 * a provider is its own: its key, its headers, the token and the network of the client that brought it.
 */
import type { ModelConfig } from '../../agents/model/config.ts'
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import {
  fullName,
  listedIn,
  modelsIn,
  type AgentConfig,
  type BroughtProvider,
} from './agent-config.ts'
import type { AgentWish, ServerParts } from './parts.ts'
import type { NamedModel, ProviderConfig } from './session-config.ts'

type Wanted = Pick<AgentWish, 'config' | 'model'> &
  Partial<Pick<AgentWish, 'token' | 'fetchFor' | 'headers'>>

/** Undefined when the client brings none, or none of that name. */
export function clientModel(wish: Wanted): ModelConfig | undefined {
  const { config, model: current } = wish
  const { provider } = config
  const wanted = current ?? config.model
  if (provider !== undefined) {
    const said = config.model ?? provider.modelId ?? provider.wireModel
    const wire = provider.wireModel ?? provider.modelId
    return configOf(wish, provider, wanted ?? said, provider, (name) =>
      name === said ? (wire ?? name) : name,
    )
  }
  const its = providerFor(config, wanted)
  if (its === undefined) return undefined
  const entry = wanted === undefined ? listedIn(config)[0] : entryOf(config, wanted)
  const wireModel = (name: string) => {
    const { id = name, wireModel: wire = id } = entryOf(config, name) ?? {}
    return wire
  }
  return configOf(wish, its, wanted ?? entry?.id, entry ?? its, wireModel)
}

/** The provider that a model is reached at, where a client brought it. */
export function providerFor(
  config: AgentConfig,
  model: string | undefined = config.model,
): BroughtProvider | undefined {
  const { provider, providers = [] } = config
  const [only, another] = providers
  const [first] = listedIn(config)
  // One provider without a list takes every name, as a provider of its own does.
  if (provider !== undefined || (first === undefined && another === undefined))
    return provider ?? only
  const entry = model === undefined ? first : entryOf(config, model)
  return providers.find(({ name }) => name === entry?.provider)
}

/**
 * Refuses a name that belongs to none of the models that are listed, and one that belongs to two. A session whose clients
 * list nothing is not looked at: its provider knows its models.
 */
export async function requireKnown(
  parts: Pick<ServerParts, 'models'>,
  config: AgentConfig,
  name: string | undefined,
): Promise<void> {
  if (name === undefined || config.providers === undefined) return
  if (providerFor(config, name) !== undefined) return
  const own = (await parts.models()).map(({ id }) => id)
  if (!own.includes(name)) throw unknownModel(name, [...modelsIn(config), ...own])
}

export const unknownModel = (name: string, known: readonly string[]): EngineError =>
  new EngineError(
    'invalid',
    `There is no model "${name}" in this session. Nothing was sent or changed. Known: ${known.join(', ') || 'none; say in `models` which the providers have'}.`,
  )

/** Where two providers have a model of the same name, the provider is named with it. */
function entryOf(config: AgentConfig, name: string): NamedModel | undefined {
  const listed = listedIn(config)
  const exact = listed.find((each) => fullName(each) === name)
  const [first, second] = listed.filter(({ id }) => id === name)
  if (exact !== undefined || second === undefined) return exact ?? first
  throw new EngineError(
    'ambiguous',
    `The model "${name}" is at several providers. Nothing was sent or changed. Name one: ${fullName(second)} or ${fullName(first ?? second)}.`,
  )
}

function configOf(
  { token, fetchFor, headers: turnHeaders }: Wanted,
  provider: BroughtProvider,
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
  const { headers, azure = {}, hasBearerTokenProvider = false } = provider
  const { maxOutputTokens } = windows
  const contextWindow = windows.maxContextWindowTokens ?? windows.maxPromptTokens
  const isAzure = type === 'azure'
  const own = bearerToken ?? (isAzure ? undefined : apiKey)
  return {
    provider:
      type === 'anthropic' ? type : wireApi === 'responses' ? 'openai' : 'openai-compatible',
    baseUrl,
    model,
    wireModel,
    keyHint:
      'its apiKey, bearerToken or bearerTokenProvider in the provider that the client brings',
    apiKey: async () => (hasBearerTokenProvider ? await token?.(provider) : undefined) ?? own,
    ...(turnHeaders && { turnHeaders: (turn) => turnHeaders.of(turn, provider) }),
    ...(isAzure && {
      azure: {
        ...defined({ apiVersion: azure.apiVersion, apiKey }),
      },
    }),
    ...defined({ headers, contextWindow, maxOutputTokens, fetch: fetchFor?.(provider) }),
  }
}
