/** What a provider would be sent. */
import { createHash } from 'node:crypto'
import type { ModelConfig } from '../../src/agents/model/config.ts'
import { openModel, type CallOptions } from '../../src/agents/model/provider.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The body that would be sent for these options, byte for byte. Nothing is sent. */
export async function bodyOf(
  config: ModelConfig,
  model: string,
  options: CallOptions,
): Promise<string> {
  let body: string | undefined
  const caught = new Error('caught')
  const catching: typeof fetch = (_input, init) => {
    if (typeof init?.body === 'string') body = init.body
    return Promise.reject(caught)
  }
  const opened = await openModel({ ...config, apiKey: () => 'none' }, model, catching)
  await Promise.resolve(opened.doStream(options)).catch((error: unknown) => {
    if (body === undefined) throw error
  })
  return body ?? ''
}
