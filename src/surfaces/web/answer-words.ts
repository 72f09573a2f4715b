/** The words in which the answers are written, as schemas. An answer has no field that its schema does not name. */
import { z } from 'zod'
import { optional } from '../../format/define.ts'

export const text = z.string()
export const flag = z.boolean()
/** A count or a size. */
export const count = z.int().min(0)
export const amount = z.number()
/** ISO 8601, in UTC. */
export const time = z.string()
export const maybe = optional
export const list = <T extends z.ZodType>(of: T) => z.array(of).readonly()
export const object = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape).readonly()
export const map = z.record(z.string(), z.unknown()).readonly()

/** What is described elsewhere in full: here its type is believed, and what every client needs is named. */
export const partly = <T>(description: string, shape: z.core.$ZodLooseShape) =>
  z.looseObject(shape).meta({ description }) as unknown as z.ZodType<T>
