/**
 * What a process left of its last turn: the calls that nothing was done for yet. A call that waits for permission, for the
 * answer of a person, or for the result of a connected program can be gone on with; one that had begun cannot.
 */
import type { Event, Payload, Stranger } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { interruptsWork } from './interrupts.ts'
import { isRoot, isStranger } from './positioned-event.ts'

export type LeftWork = {
  readonly turnId: string
  readonly message: Payload<'user.message'>
  readonly eventId: EventId
  readonly calls: readonly LeftCall[]
}

export type LeftCall = {
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments: unknown
  /** Its start is in the log. */
  readonly isStarted: boolean
  /** What it asked leave for and was not answered. */
  readonly requests: readonly Payload<'permission.requested'>[]
  /** Under this id a connected program was asked to carry it out, and may still give the result. */
  readonly externalId?: string
  /** What the provider sealed with the answer that made the call, and by which call the answer is known. */
  readonly sealed?: { readonly firstCallId: string; readonly reasoning: string }
}

/** Given the events from the user's message on. Undefined when no call is left that can be gone on with. */
export function leftWork(events: Iterable<Event | Stranger>): LeftWork | undefined {
  let said: Pick<LeftWork, 'message' | 'eventId'> | undefined
  let turnId: string | undefined
  const calls = new Map<string, LeftCall>()
  const change = (id: unknown, by: (call: LeftCall) => Partial<LeftCall>) => {
    const call = typeof id === 'string' ? calls.get(id) : undefined
    if (call !== undefined) calls.set(call.toolCallId, { ...call, ...by(call) })
  }
  for (const event of events) {
    if (isStranger(event) || !isRoot(event)) continue
    switch (event.type) {
      case 'user.message':
        said = { message: event.data, eventId: event.id }
        break
      case 'assistant.turn_start':
        turnId = event.data.turnId
        break
      case 'assistant.turn_end':
        turnId = undefined
        break
      case 'session.resume':
        if (!interruptsWork(event.data)) break
        turnId = undefined
        calls.clear()
        break
      case 'assistant.message': {
        const { toolRequests = [], reasoningOpaque: reasoning } = event.data
        const firstCallId = toolRequests[0]?.toolCallId
        for (const { toolCallId, name, arguments: args } of toolRequests)
          calls.set(toolCallId, {
            toolCallId,
            toolName: name,
            arguments: args ?? {},
            isStarted: false,
            requests: [],
            ...(reasoning !== undefined &&
              firstCallId !== undefined && { sealed: { firstCallId, reasoning } }),
          })
        break
      }
      case 'tool.execution_start':
        change(event.data.toolCallId, () => ({ isStarted: true }))
        break
      case 'tool.execution_complete':
        calls.delete(event.data.toolCallId)
        break
      case 'external_tool.requested':
        change(event.data.toolCallId, () => ({ externalId: event.data.requestId }))
        break
      case 'permission.requested': {
        const { data } = event
        if (data.resolvedByHook === true) break
        change(data.permissionRequest.toolCallId, ({ requests }) => ({
          requests: [...requests, data],
        }))
        break
      }
      case 'permission.completed': {
        const { requestId, toolCallId } = event.data
        change(toolCallId, ({ requests }) => ({
          requests: requests.filter((request) => request.requestId !== requestId),
        }))
        break
      }
      default:
    }
  }
  const left = [...calls.values()].filter(hasNotBegun)
  if (said === undefined || turnId === undefined || left.length === 0) return undefined
  return { turnId, ...said, calls: left }
}

/** What the calls that only ask had asked a person. A question is known by its call: nothing else of it is in a log. */
export const leftQuestions = ({ calls }: LeftWork) =>
  calls.flatMap(({ toolName, toolCallId, arguments: args }) => {
    const { question, choices } = (args ?? {}) as { question?: unknown; choices?: unknown }
    if (!ONLY_ASK.has(toolName) || typeof question !== 'string') return []
    const isList = Array.isArray(choices) && choices.every((each) => typeof each === 'string')
    return [{ requestId: toolCallId, toolCallId, question, ...(isList && { choices }) }]
  })

/** The only thing that these do is to ask. */
const ONLY_ASK: ReadonlySet<string> = new Set(['ask_user'])

/** A call asks for all the leave that it needs before it does anything. */
const hasNotBegun = ({ toolName, isStarted, requests, externalId }: LeftCall): boolean =>
  !isStarted || requests.length > 0 || externalId !== undefined || ONLY_ASK.has(toolName)
