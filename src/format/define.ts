/** The words in which the schemas of this folder are written. Shared instances keep start-up short. */
import { z } from 'zod'

export const text = z.string()
export const integer = z.int()
export const number = z.number()
export const flag = z.boolean()
export const anything = z.unknown()
export const texts = z.array(text)
export const fields = z.record(z.string(), z.unknown())

/** A field that may be missing. It is never there and undefined, so what was written equals what is read. */
export const optional = <T extends z.core.SomeType>(schema: T) => z.exactOptional(schema)

export const maybeText = optional(text)
export const maybeInteger = optional(integer)
export const maybeNumber = optional(number)
export const maybeFlag = optional(flag)
export const maybeAnything = optional(anything)
export const maybeTexts = optional(texts)
export const maybeFields = optional(fields)

/** The data of one event or notice: its fields, and one sentence on what it payload. */
export function payload<Shape extends z.core.$ZodShape>(description: string, shape: Shape) {
  return z.object(shape).meta({ description })
}

/** Editors offer the known values; any other string is let through, for a later version may write it. */
type Open<Known extends string> = Known | (string & {})

export function openEnum<Known extends string>(...known: Known[]) {
  return text.meta({ examples: known }) as unknown as z.ZodType<Open<Known>>
}

/**
 * One of several shapes, told apart by one field. When reading, a shape of a later version is let
 * through though its type is not in the union: code that switches over it needs a default.
 */
export const oneOf = z.discriminatedUnion

/** The data of a notice that we pass on without looking into it. */
export function opaque(description: string) {
  return fields.meta({ description })
}
