/**
 * What was said in a turn that runs: the context that it began with, and what came since. Made valid by the same rules
 * as the context that is projected from the log, so that a later turn sends again what this one sent.
 */
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { ModelContext, ModelMessage, ToolMessage } from '../../state/model-context.ts'
import { providerValid } from '../../state/provider-valid.ts'
import { notificationText } from '../../state/quoting.ts'
import type { Turn } from '../../engine/agent.ts'
import { readAside, type Aside, type Asides } from './reasoning-passback.ts'
import { readOnce, withPictures } from './pictures.ts'
import type { StepResult } from './model-call.ts'

export interface Conversation {
  readonly asides: Asides
  answered(step: Pick<StepResult, 'content' | 'calls' | 'aside'>): void
  gave(results: readonly ToolMessage[]): void
  /** False when nothing was said. */
  heard(messages: readonly Payload<'user.message'>[]): boolean
  /** Something that happened beside the conversation. */
  told(notification: Payload<'system.notification'>): void
  context(system: string): Promise<ModelContext>
  /** The id as given, or a new one when it is empty or was used before: the context holds every id once. */
  callId(given: string): string
}

const here = '' as EventId

export function startConversation(turn: Turn, newId: () => string): Conversation {
  const left = new Set(turn.left?.map(({ toolCallId }) => toolCallId))
  // The results that stand in for those of calls that are still to be carried out are left out.
  const said: ModelMessage[] = turn.context.messages.filter(
    (message) => message.role !== 'tool' || !left.has(message.toolCallId),
  )
  const asides = new Map<string, Aside>()
  for (const { sealed } of turn.left ?? []) {
    const aside = sealed && readAside(sealed.reasoning)
    if (sealed !== undefined && aside !== undefined) asides.set(sealed.firstCallId, aside)
  }
  const readBlob = readOnce(turn.readBlob)
  const used = new Set(
    said.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
    ),
  )
  return {
    asides,
    answered({ content, calls, aside }) {
      said.push({
        role: 'assistant',
        content,
        ...(calls.length > 0 && { toolCalls: calls }),
        eventId: here,
      })
      const [first] = calls
      if (first !== undefined) asides.set(first.id, aside)
    },
    gave: (results) => void said.push(...results),
    heard(messages) {
      for (const { content, transformedContent, attachments } of messages) {
        said.push({
          role: 'user',
          content: transformedContent ?? content,
          ...defined({ attachments }),
          eventId: here,
        })
      }
      return messages.length > 0
    },
    told: (notification) =>
      void said.push({ role: 'user', content: notificationText(notification), eventId: here }),
    context: (system) =>
      withPictures({ system: system.toWellFormed(), messages: providerValid(said) }, readBlob),
    callId(given) {
      const id = given.trim() === '' || used.has(given) ? `call_${newId()}` : given
      used.add(id)
      return id
    },
  }
}
