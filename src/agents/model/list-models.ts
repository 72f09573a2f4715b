/** The models that an endpoint offers, by its own list. Asked for people who choose one; no turn waits for it. */
import type { ModelConfig } from './config.ts'
import { addressOf, keyFor } from './provider.ts'

const MOST = 500

export async function listModels(
  config: ModelConfig,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const key = keyFor(config)
  const headers = {
    ...config.headers,
    ...(config.provider === 'anthropic'
      ? { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
      : key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const address = addressOf(config).replace(/\/$/, '')
  const response = await fetch(`${address}/models`, { headers, signal }).catch((cause: unknown) => {
    const { host } = new URL(address)
    throw new Error(`${host} does not answer when asked for models; a name can be typed.`, {
      cause,
    })
  })
  if (!response.ok)
    throw new Error(`The endpoint answers ${response.status} when asked for models.`)
  const answer = (await response.json()) as { readonly data?: unknown; readonly models?: unknown }
  const listed = [answer.data, answer.models].find(Array.isArray) ?? []
  const names = (listed as readonly unknown[]).flatMap((each) => {
    const { id } = (each ?? {}) as { readonly id?: unknown }
    return typeof id === 'string' && id !== '' ? [id] : []
  })
  return [...new Set(names)].sort().slice(0, MOST)
}
