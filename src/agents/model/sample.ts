/** Has the model answer messages that are no part of a session: a tool server asks for it. One call, without tools. */
import type { Sampled, SampleRequest } from '../../engine/agent.ts'
import type { EventId } from '../../format/ids.ts'
import { buildRequest } from './build-request.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { callModel } from './retry.ts'

export async function sample(
  { config, parts }: { readonly config: ModelConfig; readonly parts: ModelParts },
  { system, messages, maxTokens }: SampleRequest,
  signal: AbortSignal,
): Promise<Sampled> {
  const said = messages.map(({ role, text: content }) => ({
    role,
    content,
    eventId: '' as EventId,
  }))
  const limit = maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }
  const request = buildRequest({ system, messages: said }, { ...config, ...limit, tools: [] })
  const plan = { config, parts, model: config.model, request, callId: parts.newId }
  const call = callModel({ turnId: parts.newId(), message: { content: '' } }, plan, signal)
  for (;;) {
    const next = await call.next()
    if (!next.done) continue
    const { content: text, finishReason } = next.value
    return { model: config.model, text, isWhole: finishReason !== 'length' }
  }
}
