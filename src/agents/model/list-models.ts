/** The models that an endpoint offers, by its own list. Asked for people who choose one; no turn waits for it. */
import { defined } from '../../lib/defined.ts'
import { countIn, fieldsOf, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import { refusedIn } from '../../lib/guarded-fetch.ts'
import type { ModelConfig } from './config.ts'
import { addressOf, keyFor, networkOf } from './provider.ts'

const MOST = 500

export type ListedModel = {
  readonly name: string
  /** How many tokens it takes, where the endpoint says so. */
  readonly contextWindow?: number
}

export async function listModels(
  config: ModelConfig,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const key = await keyFor(config)
  const headers = {
    ...config.headers,
    ...(config.provider === 'anthropic'
      ? { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
      : key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const address = addressOf(config).replace(/\/$/, '')
  const url = `${address}/models`
  const response = await networkOf(config)(url, { headers, signal }).catch((cause: unknown) => {
    if (refusedIn(cause) !== undefined) throw cause
    const { host } = new URL(address)
    throw new Error(`${host} does not answer when asked for models; a name can be typed.`, {
      cause,
    })
  })
  if (!response.ok)
    throw new Error(`The endpoint answers ${response.status} when asked for models.`)
  const { data, models } = fieldsOf(await response.json())
  const listed = new Map<string, ListedModel>()
  for (const each of objectsOf(Array.isArray(data) ? data : models)) {
    const name = textIn(each, 'id')
    if (name) listed.set(name, { name, ...defined({ contextWindow: windowOf(each) }) })
  }
  return [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST)
}

/** vLLM and SGLang, OpenRouter, Groq, Mistral, llama.cpp; how long the texts were that it learned from says nothing. */
const WINDOW_KEYS = ['max_model_len', 'context_length', 'context_window', 'max_context_length']

const windowOf = (model: Fields): number | undefined =>
  [
    ...WINDOW_KEYS.map((key) => countIn(model, key)),
    countIn(fieldsOf(model['meta']), 'n_ctx'),
  ].find((size) => size !== undefined && size > 0)
