/**
 * What models used in turns that were taken back: kept beside the log, because it was spent all the same. One record a
 * call, without a word of what was said.
 */
import { z } from 'zod'

const amount = z.number().optional()

export const SpentSchema = z.object({
  /** The message that began the turn; absent when it stayed in the log, or the call came before the first. */
  turn: z.string().optional(),
  at: z.string(),
  model: z.string(),
  /** 1 for a call that was recorded; absent for output that only its message told of. */
  requests: amount,
  inputTokens: amount,
  outputTokens: amount,
  cacheReadTokens: amount,
  cacheWriteTokens: amount,
  reasoningTokens: amount,
  cost: amount,
  dollars: amount,
  durationMs: amount,
  nanoAiu: amount,
})
export type Spent = z.output<typeof SpentSchema>
