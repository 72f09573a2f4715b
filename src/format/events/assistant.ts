/** What the agent payload and thinks, and where its turns begin and end. */
import { z } from 'zod'
import {
  maybeAnything,
  maybeFlag,
  maybeInteger,
  maybeText,
  openEnum,
  maybeTexts,
  optional,
  payload,
  text,
} from '../define.ts'
import { unfinished } from '../blobs.ts'
import { fusion } from './fusion.ts'

export const toolRequestType = optional(openEnum('function', 'custom'))

const AssistantMessageToolRequest = z.object({
  toolCallId: text,
  name: text,
  arguments: maybeAnything,
  type: toolRequestType,
  toolTitle: maybeText,
  mcpServerName: maybeText,
  mcpToolName: maybeText,
  intentionSummary: optional(text.nullable()),
  caller: optional(z.object({ type: openEnum('program'), callerId: text })),
})
export type AssistantMessageToolRequest = z.output<typeof AssistantMessageToolRequest>

export const assistantEvents = {
  'assistant.turn_start': payload('The model begins one round of work.', {
    turnId: text,
    model: maybeText,
    interactionId: maybeText,
    parentToolCallId: maybeText,
  }),
  'assistant.message': payload('What the model said, and the tools that it asks for.', {
    messageId: text,
    originatingMessageId: maybeText,
    model: maybeText,
    content: text,
    toolRequests: optional(z.array(AssistantMessageToolRequest)),
    reasoningOpaque: maybeText,
    reasoningText: maybeText,
    reasoningWireField: maybeText,
    reasoningBlocks: maybeAnything,
    encryptedContent: maybeText,
    phase: maybeText,
    chunkIndex: maybeInteger,
    chunkCount: maybeInteger,
    outputTokens: maybeInteger,
    interactionId: maybeText,
    requestId: maybeText,
    clientRequestId: maybeText,
    serviceRequestId: maybeText,
    rte: maybeFlag,
    apiCallId: maybeText,
    serverTools: maybeAnything,
    citations: maybeAnything,
    turnId: maybeText,
    parentToolCallId: maybeText,
    fusion,
    reprise: optional(z.object({ unheard: maybeTexts, unfinished })),
  }),
  'assistant.reasoning': payload(
    'What the model thought aloud; shown to people, never sent back.',
    {
      reasoningId: text,
      content: text,
      rte: maybeFlag,
      reprise: optional(z.object({ unfinished })),
    },
  ),
  'assistant.turn_end': payload('The round of work is over.', {
    turnId: text,
    model: maybeText,
    parentToolCallId: maybeText,
    reprise: optional(
      z.object({
        goesOn: maybeFlag.describe('The model is called again in the same turn: it is not over.'),
      }),
    ),
  }),
} as const
