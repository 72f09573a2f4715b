/**
 * How much of a conversation is held for a model: more than any model takes, and no more. What is older is neither
 * held nor given, and that is said. Where reading began makes no difference.
 */
import type { ModelMessage } from './model-context.ts'

/** UTF-16 units: some four million tokens. */
export const MOST_GIVEN = 16 * 1024 * 1024

/** A little more is held, so that not every message moves all others. */
const MOST_HELD = MOST_GIVEN * 1.25

function unitsOf(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  return calls.reduce(
    (sum, { arguments: given }) => sum + (JSON.stringify(given)?.length ?? 0),
    message.content.length,
  )
}

/** How many of the oldest do not fit. The last message is always kept. */
export function tooOld(said: readonly ModelMessage[], most: number = MOST_GIVEN): number {
  let left = most
  for (let at = said.length - 1; at > 0; at--) {
    left -= unitsOf(said[at] as ModelMessage)
    if (left < 0) return at === said.length - 1 ? at : at + 1
  }
  return 0
}

interface HeldUnits {
  /** Takes note of what was added, and says how many of the oldest can be let go now. */
  after(said: readonly ModelMessage[]): number
}

/** Counts what is held, each message once. */
export function createHeldUnits(): HeldUnits {
  let counted = 0
  let units = 0
  const count = (said: readonly ModelMessage[]) => {
    for (; counted < said.length; counted++) units += unitsOf(said[counted] as ModelMessage)
  }
  return {
    after(said) {
      if (said.length < counted) [counted, units] = [0, 0]
      count(said)
      if (units <= MOST_HELD) return 0
      const gone = tooOld(said)
      ;[counted, units] = [0, 0]
      count(said.slice(gone))
      return gone
    },
  }
}

export const LEFT_OUT =
  '[The beginning of this conversation is left out: it is longer than any model takes.]'
