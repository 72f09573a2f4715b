/**
 * What people change in the context of the model: something is left out from here on, or given again. Each change is an
 * event at the end of the log, so an undo takes it back, a fork has it, and what was sent before stays what it was.
 */
import type { DraftOf, EventOf } from '../format/event.ts'
import type { ContextDraft, ModelMessage } from './model-context.ts'
import { preview } from './preview.ts'
import { quoted } from './quoting.ts'

/** A call needs a result: this stands in its place. */
const OMITTED_RESULT = '(The user left this result out of the context.)'

export function applyEdit(draft: ContextDraft, event: EventOf<'session.info'>): void {
  const { omitted, restored, text } = event.data.reprise?.context ?? {}
  if (omitted !== undefined) draft.omitted.add(omitted)
  if (restored === undefined) return
  if (text === undefined) draft.omitted.delete(restored)
  else draft.said.push({ role: 'user', content: text, eventId: event.id })
}

/** The results of an answer that is left out go with it: `providerValid` has no result without its call. */
export const withoutOmitted = (
  said: readonly ModelMessage[],
  omitted: ReadonlySet<string>,
): readonly ModelMessage[] => {
  if (omitted.size === 0) return said
  return said.flatMap((message): readonly ModelMessage[] => {
    if (!omitted.has(message.eventId)) return [message]
    if (message.role !== 'tool') return []
    const { attachments: _, ...rest } = message
    return [{ ...rest, content: OMITTED_RESULT }]
  })
}

type Edit = DraftOf<'session.info'>

export const omission = (message: ModelMessage): Edit =>
  edit(`The model is no longer given ${nameOf(message)}.`, { omitted: message.eventId })

/** Where it stood, when it is still held; else as a quote where the conversation is now. */
export const restoration = (message: ModelMessage, { isHeld }: { readonly isHeld: boolean }) =>
  edit(`The model is given ${nameOf(message)} again.`, {
    restored: message.eventId,
    ...(!isHeld && { text: broughtBack(message) }),
  })

type ContextEdit = NonNullable<NonNullable<Edit['data']['reprise']>['context']>

const edit = (message: string, context: ContextEdit): Edit => ({
  type: 'session.info',
  data: { infoType: 'context_edited', message, reprise: { context } },
})

const SPEAKERS = { user: 'the user', assistant: 'you', tool: 'a tool' } as const

function broughtBack(message: ModelMessage): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  const text = [
    message.content,
    ...calls.map((call) => `called ${call.name} ${JSON.stringify(call.arguments)}`),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n')
  return `This was said earlier in this conversation, and the user wants you to have it again:\n${quoted('brought_back', { by: SPEAKERS[message.role] }, text)}`
}

/** In a sentence: `the message "fix the parser"`. */
function nameOf(message: ModelMessage): string {
  const kind = { user: 'the message', assistant: 'the answer', tool: 'the result' }[message.role]
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  const words = message.content.trim() === '' ? calls.map(({ name }) => name).join(', ') : ''
  return `${kind} "${preview(words || message.content, 60)}"`
}
