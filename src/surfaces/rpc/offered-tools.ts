/**
 * Tools that live with clients. A call waits for the first client that gives its result, and outlives the client that
 * was asked for it: another one may give the result. What nobody answers in time fails in words.
 */
import type { Notice } from '../../format/notice.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Member, Members, OfferedTool } from './subscribers.ts'

type ToolCall = {
  readonly requestId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments: unknown
}

export type ToolAnswer = {
  readonly text: string
  /** `rejected` ends the turn, as a person's no does. */
  readonly outcome: 'success' | 'failure' | 'denied' | 'rejected' | 'timeout'
  /** What went wrong, for people alone; the model reads the text. */
  readonly detail?: string
}

export interface OfferedTools {
  /** The tools of all clients; where two offer the same name the first that came counts. */
  list(): readonly OfferedTool[]
  call(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer>
  /** False when it was answered, or given up, before. */
  answer(requestId: string, answer: ToolAnswer): boolean
  pending(): readonly ToolCall[]
  /** A call waits, and no client that offers its tool is connected. */
  readonly isForsaken: boolean
  /** In this process; one that another left is called again when its turn goes on. */
  wasCalled(requestId: string): boolean
  /** Calls that no client here could carry out fail. */
  giveUp(): void
}

export function createOfferedTools(members: Members, tell: (notice: Notice) => void): OfferedTools {
  const waiting = new Map<string, { call: ToolCall; resolve: (answer: ToolAnswer) => void }>()
  const called = new Set<string>()
  const isForsaken = ({ call }: { call: ToolCall }) =>
    !members.some((member) => offers(member, call.toolName))

  const tools: OfferedTools = {
    list() {
      const found = new Map<string, OfferedTool>()
      for (const { tools: offered } of members.all())
        for (const tool of offered) if (!found.has(tool.name)) found.set(tool.name, tool)
      return [...found.values()]
    },
    call(call, signal) {
      const { promise, resolve } = deferred<ToolAnswer>()
      waiting.set(call.requestId, { call, resolve })
      called.add(call.requestId)
      const giveUp = () => {
        // The turn is over and its agent says nothing more: the client that runs the tool is told here.
        if (waiting.delete(call.requestId))
          tell({ type: 'external_tool.completed', data: { requestId: call.requestId } })
      }
      signal.addEventListener('abort', giveUp, { once: true })
      return promise
    },
    answer(requestId, answer) {
      const found = waiting.get(requestId)
      if (found === undefined) return false
      waiting.delete(requestId)
      found.resolve(answer)
      return true
    },
    wasCalled: (requestId) => called.has(requestId),
    pending: () => Array.from(waiting.values(), ({ call }) => call),
    get isForsaken() {
      return waiting.values().some(isForsaken)
    },
    giveUp() {
      for (const each of waiting.values())
        if (isForsaken(each)) tools.answer(each.call.requestId, gone(each.call.toolName))
    },
  }
  return tools
}

const offers = ({ tools }: Member, name: string) => tools.some((tool) => tool.name === name)

const gone = (name: string): ToolAnswer => ({
  text: `The program that offers the tool ${name} is not connected. Nothing was done.`,
  outcome: 'failure',
})
