/** Parameters that several operations take. */
import { z } from 'zod'
import { Attachment } from '../../format/events/attachment.ts'
import { Actor } from '../../format/blobs.ts'
import { EventIdSchema } from '../../format/id-schemas.ts'

export const text = z.string()
export const nothing = z.strictObject({})
export const path = text.min(1).max(4096)
export const eventId = text.min(1).max(500).pipe(EventIdSchema)
export const waitMs = z.int().min(0).max(30_000).optional()
export const rewindMode = z.enum(['conversation', 'conversation-and-files', 'files']).optional()
export const mode = z.enum(['interactive', 'plan', 'autopilot'])
export const whenBusy = z.enum(['refuse', 'enqueue', 'steer']).optional()

export const message = z.strictObject({
  prompt: text,
  messageId: text.min(1).max(200).optional(),
  displayPrompt: text.optional(),
  source: text.optional(),
  mode: mode.optional(),
  attachments: z.array(Attachment).optional(),
  actor: Actor.optional(),
})

/** Bytes of a file: base64 on every wire. */
export const bytes = z.codec(
  z.base64(),
  z.instanceof<typeof Uint8Array<ArrayBufferLike>>(Uint8Array),
  {
    decode: (base64) => new Uint8Array(Buffer.from(base64, 'base64')),
    encode: (content) => Buffer.from(content).toString('base64'),
  },
)
