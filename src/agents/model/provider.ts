/**
 * The three dialects behind one door. A provider is loaded when it is first called; the address and the key come from
 * the configuration alone, never from variables that a library finds by itself.
 */
import { createHash } from 'node:crypto'
import type { createAnthropic } from '@ai-sdk/anthropic'
import { defined } from '../../lib/defined.ts'
import { guardedFetch } from '../../lib/guarded-fetch.ts'
import { azureAddress, azureFetch } from './azure.ts'
import type { ModelConfig, Provider } from './config.ts'
import { Unsent } from '../../engine/errors.ts'
import { ModelError } from './errors.ts'

export type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>['languageModel']>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
type Streamed = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never
type Prompt = CallOptions['prompt']
export type PromptMessage = Prompt[number]
export type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]
export type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
export type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>

type Fetch = typeof globalThis.fetch

const ADDRESSES: Readonly<Record<Provider, string | undefined>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': undefined,
}

export async function openModel(
  config: ModelConfig,
  named: string,
  given: Fetch = networkOf(config),
): Promise<LanguageModel> {
  const { azure } = config
  const model = config.wireModel?.(named) ?? named
  const address = addressOf(config)
  const dialect = config.provider === 'openai' ? 'responses' : 'completions'
  const baseURL = azure === undefined ? address : azureAddress(address, model, azure, dialect)
  const fetch = azure === undefined ? given : azureFetch(given, azure)
  const apiKey = await keyFor(config)
  const headers = { ...config.headers }
  if (config.provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey: apiKey ?? '', headers, fetch }).languageModel(model)
  }
  if (config.provider === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL, apiKey: apiKey ?? '', headers, fetch }).responses(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: COMPATIBLE,
    baseURL,
    headers,
    fetch,
    includeUsage: true,
    ...defined({ apiKey }),
  }).chatModel(model)
}

export function addressOf({ baseUrl, provider }: ModelConfig): string {
  const address = baseUrl ?? ADDRESSES[provider]
  if (address !== undefined) return address
  throw new ModelError('configuration', 'No address of a model is set. Set the base URL of one.')
}

/** The name under which options for it are given. */
export const COMPATIBLE = 'compatible'

export async function keyFor(config: ModelConfig): Promise<string | undefined> {
  const { provider, baseUrl, apiKey } = config
  const key = await apiKey?.()
  const found = key?.trim() === '' ? undefined : key?.trim()
  if (found !== undefined || baseUrl !== undefined || provider === 'openai-compatible') return found
  throw new ModelError(
    'authentication',
    `There is no API key for ${provider}. Set ${keyHintOf(config)} in the environment, or name another variable with "reprise config set model.apiKeyEnv". Nothing was sent.`,
    { cause: new Unsent('There is no key.') },
  )
}

/** What is to be set where a key is missing or wrong. */
export const keyHintOf = ({ keyHint, provider }: ModelConfig): string =>
  keyHint ?? KEY_VARIABLES[provider]

const KEY_VARIABLES: Readonly<Record<Provider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  'openai-compatible': 'the API key of the endpoint',
}

/** Streamed, a long answer takes some hundred bytes a token. */
export const networkOf = ({ fetch }: Pick<ModelConfig, 'fetch'>): Fetch =>
  guardedFetch({ ...MOST_ANSWER, ...defined({ fetch }) })

const MOST_ANSWER = { mostBytes: 32 * 1024 * 1024, mostStreamBytes: 128 * 1024 * 1024 }

/** A fetch that remembers the hash of the last body that went through it. */
export function hashingFetch(fetch: Fetch): {
  readonly fetch: Fetch
  readonly sha256: () => string | undefined
} {
  let hash: string | undefined
  return {
    fetch: (input, init) => {
      if (typeof init?.body === 'string') hash = sha256(init.body)
      return fetch(input, init)
    },
    sha256: () => hash,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
