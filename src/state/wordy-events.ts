/**
 * The events that are most of a log's bytes and of which the state reads little: for each, the texts that its
 * rule reads. A fold of states that does nothing else need not read the others right.
 */
import type { EventOf } from '../format/event.ts'

export const wordyEvents = {
  'assistant.message': ({ agentId, data }: EventOf<'assistant.message'>) => [
    agentId,
    data.model,
    data.parentToolCallId,
    ...(data.toolRequests ?? []).flatMap(({ toolCallId, name }) => [toolCallId, name]),
  ],
  'tool.execution_complete': ({ data }: EventOf<'tool.execution_complete'>) => [data.toolCallId],
} as const
