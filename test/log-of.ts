/** Events at their places, from drafts: ids, times, parents and offsets as one writer would have given them. */
import type { Draft, Event, Stranger } from '../src/format/event.ts'
import type { EventId } from '../src/format/ids.ts'
import type { Placed } from '../src/state/positioned-event.ts'

export type StrangerDraft = { readonly stranger: string; readonly data?: unknown }

export const SESSION = '11111111-1111-4111-8111-111111111111'

export const eventId = (number: number): EventId =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as EventId

/** The first event is `eventId(1)`; each next one is a second later. */
export function logOf(drafts: readonly (Draft | StrangerDraft)[]): Placed[] {
  const encoder = new TextEncoder()
  let start = 0
  return drafts.map((draft, index) => {
    const event = eventOf(draft, index)
    const line = JSON.stringify(event)
    const placed = { event, start, end: start + encoder.encode(line).length + 1 }
    start = placed.end
    return placed
  })
}

function eventOf(draft: Draft | StrangerDraft, index: number): Event | Stranger {
  const envelope = {
    id: eventId(index + 1),
    timestamp: new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString(),
    parentId: index === 0 ? null : eventId(index),
  }
  if ('stranger' in draft) {
    return { type: draft.stranger, data: draft.data ?? {}, ...envelope, stranger: true }
  }
  const { type, data, agentId } = draft
  return { type, data, ...envelope, ...(agentId !== undefined && { agentId }) } as Event
}

export const started = (
  fields: Partial<Extract<Draft, { type: 'session.start' }>['data']> = {},
): Draft => ({
  type: 'session.start',
  data: {
    sessionId: SESSION,
    version: 1,
    producer: 'reprise',
    copilotVersion: '0.1.0',
    startTime: '2025-01-01T00:00:00.000Z',
    ...fields,
  },
})

export const said = (content: string): Draft => ({ type: 'user.message', data: { content } })

export const answered = (content: string, ...calls: readonly string[]): Draft => ({
  type: 'assistant.message',
  data: {
    messageId: 'm',
    content,
    ...(calls.length > 0 && {
      toolRequests: calls.map((toolCallId) => ({
        toolCallId,
        name: 'bash',
        arguments: { command: `echo ${toolCallId}` },
      })),
    }),
  },
})

export const ran = (toolCallId: string): Draft => ({
  type: 'tool.execution_start',
  data: { toolCallId, toolName: 'bash', arguments: { command: `echo ${toolCallId}` } },
})

export const gave = (toolCallId: string, content: string): Draft => ({
  type: 'tool.execution_complete',
  data: { toolCallId, success: true, result: { content } },
})
