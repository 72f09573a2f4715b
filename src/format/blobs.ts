/**
 * Our only addition to the payloads of other writers: content that was too large for the log, kept
 * beside it and named here by its hash. Readers that do not know the field lose nothing but the rest.
 */
import { z } from 'zod'
import { integer, maybeText, openEnum, optional, text } from './define.ts'

/** `path` is relative to the session's folder; `field` is where in the payload the content was, as `result.content`. */
export const BlobReference = z.object({
  path: text,
  field: maybeText,
  sha256: text,
  byteLength: integer,
  mimeType: maybeText,
})
export type BlobReference = z.output<typeof BlobReference>

/**
 * Why something stands in the log that never came to its end: a person stopped it, the connection or the agent broke,
 * it broke and was asked for again, or the process that ran it was killed.
 */
const WHY_UNFINISHED = ['stopped', 'broken', 'retried', 'killed'] as const
export type Unfinished = (typeof WHY_UNFINISHED)[number]
export const unfinished = optional(openEnum(...WHY_UNFINISHED))

export const reprise = optional(z.object({ blobs: optional(z.array(BlobReference)), unfinished }))

/** Who acts, by which surface, on which machine; `name` is what people call them, where `who` is an id. */
export const Actor = z.object({ who: text, name: optional(text), surface: text, machine: text })
export type Actor = z.output<typeof Actor>
