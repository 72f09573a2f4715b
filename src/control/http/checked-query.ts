/** What stands behind the question mark of a request, or a sentence that refuses it. */
import type { z } from 'zod'
import { ControlError } from '../control-error.ts'

export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw new ControlError(
    'invalid',
    `The query is not as it should be: ${first?.path.map(String).join('.')} ${first?.message}.`,
  )
}
