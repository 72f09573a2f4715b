/**
 * Letters: what one process asks of another that is at work in a session, what it is told, and what is asked of
 * people meanwhile. They live as long as the work does; nothing in them is history.
 */
import { z } from 'zod'
import { maybeText, maybeTexts, optional, text } from './define.ts'
import { Attachment } from './events/attachment.ts'

/** Of a file of an inbox. A longer message is sent by whoever holds the session, or when it is idle. */
export const MOST_LETTER_BYTES = 64 * 1024

const version = z.literal(1)
const id = z.string().min(1).max(200)

export const letterSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    version,
    kind: z.literal('answer'),
    requestId: id,
    decision: z.enum(['allow', 'allow-for-session', 'deny']),
    /** What the agent is told with a refusal. */
    feedback: maybeText,
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
  }),
  z.strictObject({
    version,
    kind: z.literal('send'),
    running: id,
    whenBusy: z.enum(['steer', 'enqueue']),
    message: z.strictObject({
      prompt: text,
      messageId: id,
      displayPrompt: maybeText,
      source: maybeText,
      attachments: optional(z.array(Attachment)),
    }),
  }),
])

export const replySchema = z.discriminatedUnion('status', [
  /** By the process that is at work: nobody else acts on the letter any more. */
  z.strictObject({ version, status: z.literal('taken') }),
  /** By whoever wrote it: nobody acts on it. */
  z.strictObject({ version, status: z.literal('withdrawn') }),
  z.strictObject({
    version,
    status: z.literal('done'),
    how: optional(z.enum(['steered', 'queued'])),
  }),
  /** What it was meant for has ended; nothing was done. */
  z.strictObject({ version, status: z.literal('over') }),
  z.strictObject({ version, status: z.literal('refused'), code: text, message: text }),
])

/** A question that waits for a person. */
export const shownQuestionSchema = z.strictObject({
  version,
  requestId: id,
  question: text,
  choices: maybeTexts,
  toolCallId: maybeText,
})

export type Letter = Readonly<z.output<typeof letterSchema>>
export type LetterOf<K extends Letter['kind']> = Extract<Letter, { kind: K }>
export type Reply = Readonly<z.output<typeof replySchema>>
export type ShownQuestion = Readonly<z.output<typeof shownQuestionSchema>>

export const readLetter = (text: string): Letter | undefined => parsed(letterSchema, text)
export const readReply = (text: string): Reply | undefined => parsed(replySchema, text)
export const readShownQuestion = (text: string): ShownQuestion | undefined =>
  parsed(shownQuestionSchema, text)

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
