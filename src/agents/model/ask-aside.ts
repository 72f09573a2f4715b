/** Answers a question beside the conversation, in one call without tools. */
import type { AsideRequest } from '../../engine/agent.ts'
import type { EventId } from '../../format/ids.ts'
import { providerValid } from '../../state/provider-valid.ts'
import { buildRequest } from './build-request.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { callModel } from './retry.ts'

const SYSTEM =
  'The user of a coding agent asks a quick question beside their conversation with it, which follows. Answer from what ' +
  'was said, in a few sentences. You have no tools, and the user cannot ask back.'

export async function askAside(
  { config, parts }: { readonly config: ModelConfig; readonly parts: ModelParts },
  { context, question }: AsideRequest,
  signal: AbortSignal,
): Promise<string> {
  const asked = { role: 'user', content: question, eventId: '' as EventId } as const
  const messages = providerValid([...context.messages, asked])
  const request = buildRequest({ system: SYSTEM, messages }, { ...config, tools: [] })
  const plan = { config, parts, model: config.model, request, callId: parts.newId }
  const call = callModel({ turnId: parts.newId(), message: { content: '' } }, plan, signal)
  for (;;) {
    const next = await call.next()
    if (next.done) return next.value.content
  }
}
