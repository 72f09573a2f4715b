/**
 * What was told piece by piece and is in no event yet, joined: answers, thoughts, calls of tools, and what running
 * tools printed. A stop, an error or a kill makes events of it, marked as unfinished.
 */
import type { Unfinished } from '../format/blobs.ts'
import type { Draft, Event, Stranger } from '../format/event.ts'
import type { Notice } from '../format/notice.ts'
import { defined } from '../lib/defined.ts'

type Part = {
  readonly kind: 'answer' | 'thought' | 'call' | 'output'
  readonly id: string
  readonly agentId?: string
  readonly parentToolCallId?: string
  readonly toolName?: string
  text: string
}

export interface Pieces {
  hear(notice: Notice): void
  /** What an event says whole is not unfinished any more. */
  settle(event: Event | Stranger): void
  readonly isEmpty: boolean
  /** The same as notices, each part in one: hearing them gives the same parts. */
  notices(): readonly Notice[]
  /** What the running tool of that id has printed. */
  outputOf(toolCallId: string): string | undefined
  /** What was said, thought and about to be called, as events; the output of tools comes with their end. */
  drafts(why: Unfinished, about: { readonly turnId?: string; readonly model?: string }): Draft[]
  clear(): void
}

/** Where the text of a piece stands. */
export const PIECES = {
  'assistant.message_delta': 'deltaContent',
  'assistant.reasoning_delta': 'deltaContent',
  'assistant.tool_call_delta': 'inputDelta',
  'tool.execution_partial_result': 'partialOutput',
} as const

/** A part of a text: what is secret in it may begin before it. */
export const isPiece = (notice: Notice): notice is Notice & { type: keyof typeof PIECES } =>
  Object.hasOwn(PIECES, notice.type)

/** A tool may print for hours: its last words are kept, as they are shown. */
const MOST_OUTPUT = 1024 * 1024

export function createPieces(): Pieces {
  const parts = new Map<string, Part>()

  const add = (kind: Part['kind'], id: string, more: string, about: Partial<Part>): void => {
    const key = `${kind} ${id}`
    const part = parts.get(key)
    if (part === undefined) parts.set(key, { ...about, kind, id, text: more })
    else part.text += more
  }
  const addOutput = (id: string, more: string, about: Partial<Part>): void => {
    add('output', id, more, about)
    const part = parts.get(`output ${id}`)
    if (part !== undefined && part.text.length > 2 * MOST_OUTPUT)
      part.text = part.text.slice(-MOST_OUTPUT)
  }
  const ofKind = (kind: Part['kind']) => [...parts.values()].filter((part) => part.kind === kind)

  return {
    hear({ type, data, agentId }) {
      const by = defined({ agentId })
      if (type === 'assistant.message_delta') {
        const { messageId, deltaContent, parentToolCallId } = data
        add('answer', messageId, deltaContent, { ...by, ...defined({ parentToolCallId }) })
      } else if (type === 'assistant.reasoning_delta') {
        add('thought', data.reasoningId, data.deltaContent, by)
      } else if (type === 'assistant.tool_call_delta') {
        const { toolCallId, inputDelta, toolName } = data
        add('call', toolCallId, inputDelta, { ...by, ...defined({ toolName }) })
      } else if (type === 'tool.execution_partial_result') {
        addOutput(data.toolCallId, data.partialOutput, by)
      }
    },
    settle(event) {
      if ('stranger' in event) return
      if (event.type === 'assistant.message') {
        const { messageId, toolRequests = [] } = event.data
        parts.delete(`answer ${messageId}`)
        // What a model thinks before a message is named after the message.
        for (const { id } of ofKind('thought'))
          if (id.startsWith(`${messageId}-`)) parts.delete(`thought ${id}`)
        for (const { toolCallId } of toolRequests) parts.delete(`call ${toolCallId}`)
      } else if (event.type === 'assistant.reasoning') {
        parts.delete(`thought ${event.data.reasoningId}`)
      } else if (event.type === 'tool.execution_start') {
        parts.delete(`call ${event.data.toolCallId}`)
      } else if (event.type === 'tool.execution_complete') {
        parts.delete(`output ${event.data.toolCallId}`)
      }
    },
    get isEmpty() {
      return parts.size === 0
    },
    notices: () => [...parts.values()].map(noticeOf),
    outputOf: (toolCallId) => parts.get(`output ${toolCallId}`)?.text.slice(-MOST_OUTPUT),
    drafts(why, { turnId, model }) {
      const marked = { reprise: { unfinished: why } }
      const thoughts = ofKind('thought').map(({ id, text, ...part }): Draft => ({
        type: 'assistant.reasoning',
        data: { reasoningId: id, content: text, ...marked },
        ...by(part),
      }))
      const answers = ofKind('answer').flatMap(({ id, text, ...part }): Draft[] => {
        if (text.trim() === '') return []
        const { parentToolCallId } = part
        const about = defined({ turnId, model, parentToolCallId })
        const data = { messageId: id, content: text, ...about, ...marked }
        return [{ type: 'assistant.message', data, ...by(part) }]
      })
      const calls = ofKind('call').map(({ text, toolName = 'a tool', ...part }): Draft => ({
        type: 'session.info',
        data: {
          infoType: 'unfinished_call',
          message: `${toolName} was about to be called when the answer ended, and was not run: ${text}`,
        },
        ...by(part),
      }))
      return [...thoughts, ...answers, ...calls]
    },
    clear: () => parts.clear(),
  }
}

const by = ({ agentId }: { readonly agentId?: string }) => defined({ agentId })

function noticeOf({ kind, id, text, ...part }: Part): Notice {
  const { agentId, toolName, parentToolCallId } = part
  const told = defined({ agentId })
  switch (kind) {
    case 'answer':
      return {
        type: 'assistant.message_delta',
        data: { messageId: id, deltaContent: text, ...defined({ parentToolCallId }) },
        ...told,
      }
    case 'thought':
      return {
        type: 'assistant.reasoning_delta',
        data: { reasoningId: id, deltaContent: text },
        ...told,
      }
    case 'call':
      return {
        type: 'assistant.tool_call_delta',
        data: { toolCallId: id, inputDelta: text, ...defined({ toolName }) },
        ...told,
      }
    case 'output':
      return {
        type: 'tool.execution_partial_result',
        data: { toolCallId: id, partialOutput: text },
        ...told,
      }
  }
}

/** The parts as they are now. */
export function copyOf(pieces: Pieces): Pieces {
  const copy = createPieces()
  for (const notice of pieces.notices()) copy.hear(notice)
  return copy
}
