/**
 * What a model was given for one call, item by item: each by the event that said it, with the turn that it is of, and
 * whether it was given or why not.
 */
import type { EventId } from '../format/ids.ts'
import { messageTokens } from './token-estimate.ts'
import { createContextFolder } from './context-folder.ts'
import type { ModelContext, ModelMessage, WhyDropped } from './model-context.ts'
import { isStranger, type Placed } from './positioned-event.ts'
import { preview } from './preview.ts'
import { startsTurn } from './turns.ts'
import { agentIn, SAYS_WHO } from './who-answers.ts'

export type ContextItem = {
  readonly eventId: EventId
  readonly kind: 'message' | 'answer' | 'result' | 'summary'
  /** Its words, in one line. */
  readonly what: string
  /** Estimated. */
  readonly tokens: number
  /** As it is shown, from 1 on; 0 before the first. */
  readonly turn: number
  readonly status: 'given' | 'omitted' | WhyDropped
}

type ContextItems = {
  readonly context: ModelContext
  /** Of what is no longer given the latest; `notShown` are as many before them. */
  readonly items: readonly ContextItem[]
  readonly notShown: number
}

/** More is no help to anybody, and a log of years has more. */
const MOST_DROPPED = 2000

export interface ItemsFolder {
  push(record: Placed): void
  /** What was given to say this; without it, what would be given now. Undefined when it does not stand there. */
  items(answer?: EventId): ContextItems | undefined
  /** The agent that answered last, where the log says it. */
  answeredBy(): string | undefined
  /** The words of one that is held, or that `wanted` names. */
  message(eventId: EventId): (ModelMessage & { readonly isHeld: boolean }) | undefined
}

/** `wanted`: the one whose words are kept although it is no longer given. */
export function createItemsFolder(wanted?: EventId): ItemsFolder {
  const turns = new Map<EventId, number>()
  let turn = 0
  let answeredBy: string | undefined
  let dropped: ContextItem[] = []
  let notShown = 0
  let kept: ModelMessage | undefined
  const names = new Map<string, string>()
  const itemOf = (message: ModelMessage, status: ContextItem['status']): ContextItem => {
    const what = wordsOf(message, names)
    return {
      eventId: message.eventId,
      kind: message.role === 'user' ? 'message' : message.role === 'tool' ? 'result' : 'answer',
      what: preview(what, 100),
      tokens: messageTokens(message),
      turn: turns.get(message.eventId) ?? turn,
      status,
    }
  }
  const folder = createContextFolder({
    onDropped(messages, why) {
      kept = messages.find(({ eventId }) => eventId === wanted) ?? kept
      dropped.push(...messages.map((message) => itemOf(message, why)))
      notShown += Math.max(0, dropped.length - MOST_DROPPED)
      dropped = dropped.slice(-MOST_DROPPED)
    },
  })
  return {
    push(record) {
      const { event } = record
      if (!isStranger(event)) {
        if (event.type === 'user.message' && startsTurn(event)) turn++
        if (event.type === 'assistant.message')
          for (const { toolCallId, name } of event.data.toolRequests ?? [])
            names.set(toolCallId, name)
        turns.set(event.id, turn)
        if (SAYS_WHO.has(event.type)) answeredBy = agentIn(event.data) ?? answeredBy
      }
      folder.push(record)
    },
    items(answer) {
      const given = answer === undefined ? folder.given() : folder.contextBefore(answer)
      if (given === undefined) return undefined
      const held = given.said.map(({ message, status, isSummary }) => ({
        ...itemOf(message, status),
        ...(isSummary && { kind: 'summary' as const }),
      }))
      return { context: given.context, items: [...dropped, ...held], notShown }
    },
    answeredBy: () => answeredBy,
    message(eventId) {
      const held = folder.given().said.find(({ message }) => message.eventId === eventId)
      if (held !== undefined) return { ...held.message, isHeld: true }
      return kept && { ...kept, isHeld: false }
    },
  }
}

function wordsOf(message: ModelMessage, names: ReadonlyMap<string, string>): string {
  if (message.role === 'tool')
    return `${names.get(message.toolCallId) ?? 'tool'}: ${message.content}`
  if (message.role === 'user') return message.content
  const calls = (message.toolCalls ?? []).map(
    ({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`,
  )
  return [message.content, ...calls].filter((part) => part.trim() !== '').join(' · ')
}
