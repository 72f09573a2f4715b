/**
 * Our only addition to the payloads of other writers: content that was too large for the log, kept
 * beside it and named here by its hash. Readers that do not know the field lose nothing but the rest.
 */
import { z } from 'zod'
import { integer, maybeText, optional, text } from './define.ts'

/** `path` is relative to the session's folder; `field` is where in the payload the content was, as `result.content`. */
export const BlobReference = z.object({
  path: text,
  field: maybeText,
  sha256: text,
  byteLength: integer,
  mimeType: maybeText,
})
export type BlobReference = z.output<typeof BlobReference>

export const reprise = optional(z.object({ blobs: optional(z.array(BlobReference)) }))

/** Who acts, by which surface, on which machine. */
export const Actor = z.object({ who: text, surface: text, machine: text })
export type Actor = z.output<typeof Actor>
