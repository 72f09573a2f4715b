/**
 * The inbox of a session: what one process asks of another that is at work in it, what it is told, and what is asked
 * of people meanwhile. The files live as long as the work does; nothing in them is history.
 */
import { z } from 'zod'
import { maybeText, maybeTexts, optional, text } from './define.ts'
import { Actor } from './blobs.ts'
import { Attachment } from './events/attachment.ts'

/** The size of one file. A longer message is sent by the process that holds the session, or when it is idle. */
export const MOST_REQUEST_BYTES = 64 * 1024

const version = z.literal(1)
const id = z.string().min(1).max(200)

const position = z.number().int().min(0)

/** What can be done with the messages that wait for the running turn to end. */
export const queueChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('edit'), messageId: id, prompt: text }),
  /** Positions beyond the end mean the end. */
  z.strictObject({ kind: z.literal('move'), messageId: id, position }),
  z.strictObject({ kind: z.literal('remove'), messageId: id }),
  z.strictObject({ kind: z.literal('clear') }),
  /** Joins the running turn, with all that came with it. */
  z.strictObject({ kind: z.literal('send-now'), messageId: id }),
  z.strictObject({ kind: z.literal('hold') }),
  z.strictObject({ kind: z.literal('release') }),
])

/** One operation (docs/operations.md), with what the release before this one could ask. */
export const inboxRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    version,
    kind: z.literal('operation'),
    operation: id,
    params: z.unknown(),
    /** The turn or the tool call that it is about; nothing is done in another. */
    running: optional(id),
  }),
  z.strictObject({
    version,
    kind: z.literal('answer'),
    requestId: id,
    decision: z.enum(['allow', 'allow-for-session', 'deny']),
    /** What the agent is told with a refusal. */
    feedback: maybeText,
    /** One of the agent's own answers. */
    option: maybeText,
  }),
  z.strictObject({
    version,
    kind: z.literal('answer-question'),
    requestId: id,
    /** Without it the question is declined. */
    answer: maybeText,
  }),
  z.strictObject({
    version,
    kind: z.literal('cancel'),
    /** The turn or the tool call that is to end; nothing else does. */
    running: id,
    queue: optional(z.enum(['hold', 'clear', 'go-on'])),
  }),
  z.strictObject({ version, kind: z.literal('queue'), change: optional(queueChangeSchema) }),
  z.strictObject({
    version,
    kind: z.literal('set'),
    model: optional(z.strictObject({ model: text, reasoningEffort: maybeText })),
    mode: optional(z.enum(['interactive', 'plan', 'autopilot'])),
  }),
  z.strictObject({
    version,
    kind: z.literal('send'),
    running: id,
    whenBusy: z.enum(['steer', 'enqueue']),
    /** Who sent it, when that is not the person at the process that is at work. */
    actor: optional(Actor),
    message: z.strictObject({
      prompt: text,
      messageId: id,
      displayPrompt: maybeText,
      source: maybeText,
      mode: optional(z.enum(['interactive', 'plan', 'autopilot'])),
      attachments: optional(z.array(Attachment)),
    }),
  }),
])

const inboxReplySchema = z.discriminatedUnion('status', [
  /** By the process that is at work: no other acts on the request any more. */
  z.strictObject({ version, status: z.literal('taken') }),
  /** By the process that wrote it: none acts on it. */
  z.strictObject({ version, status: z.literal('withdrawn') }),
  z.strictObject({
    version,
    status: z.literal('done'),
    /** Of an operation. The others are of the requests of the release before. */
    result: z.unknown().optional(),
    how: optional(z.enum(['steered', 'queued'])),
    changed: optional(z.number().int().min(0)),
    queue: optional(
      z.strictObject({
        isHeld: z.boolean(),
        entries: z.array(z.strictObject({ id, prompt: text })),
      }),
    ),
  }),
  /** What it was meant for has ended; nothing was done. */
  z.strictObject({ version, status: z.literal('over') }),
  z.strictObject({ version, status: z.literal('refused'), code: text, message: text }),
])

/** A question that waits for a person. */
const shownQuestionSchema = z.strictObject({
  version,
  requestId: id,
  question: text,
  choices: maybeTexts,
  toolCallId: maybeText,
})

export type InboxRequest = Readonly<z.output<typeof inboxRequestSchema>>
export type OperationRequest = Extract<InboxRequest, { readonly kind: 'operation' }>
export type FormerRequest = Exclude<InboxRequest, OperationRequest>
export type InboxReply = Readonly<z.output<typeof inboxReplySchema>>
export type QueueChange = Readonly<z.output<typeof queueChangeSchema>>
export type ShownQuestion = Readonly<z.output<typeof shownQuestionSchema>>

export const readRequest = (text: string): InboxRequest | undefined =>
  parsed(inboxRequestSchema, text)
export const readReply = (text: string): InboxReply | undefined => parsed(inboxReplySchema, text)
export const readShownQuestion = (text: string): ShownQuestion | undefined =>
  parsed(shownQuestionSchema, text)

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    // Not JSON: the caller treats it as what the schema refuses.
    return undefined
  }
}
