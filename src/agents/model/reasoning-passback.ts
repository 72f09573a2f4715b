/**
 * What a provider wants back with the tool calls of a running turn and nobody reads: its reasoning, signed or sealed.
 * Kept with the message in the log; told again within the turn alone, also when another process goes on with it.
 */
import { z } from 'zod'
import type { Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { ProviderOptions } from './provider.ts'

export type Aside = {
  readonly reasoning: readonly Thought[]
  /** Kept by the id of the call. */
  readonly calls?: Readonly<Record<string, ProviderOptions>>
}

export type Thought = { readonly text: string; readonly options?: ProviderOptions }

/** By the id of the first tool call of their message. */
export type Asides = ReadonlyMap<string, Aside>

type Kept = Pick<Payload<'assistant.message'>, 'reasoningText' | 'reasoningOpaque'>

const sealed = z.object({
  reasoning: z.array(
    z.object({ text: z.string(), options: z.record(z.string(), z.looseObject({})).optional() }),
  ),
  calls: z.record(z.string(), z.record(z.string(), z.looseObject({}))).optional(),
})

/** What was kept with a message, for a turn that is gone on with. Undefined where another program kept it its own way. */
export function readAside(kept: string): Aside | undefined {
  try {
    const { data } = sealed.safeParse(JSON.parse(kept))
    return data as Aside | undefined
  } catch {
    // It is no JSON: the sealed words of another program.
    return undefined
  }
}

/** The words for people, and all of it as one text when a provider sealed a part of it. */
export function keepAside({ reasoning, calls }: Aside): Kept {
  const words = reasoning.map(({ text }) => text).filter((text) => text !== '')
  const isSealed = calls !== undefined || reasoning.some(({ options }) => options !== undefined)
  return {
    ...(words.length > 0 && { reasoningText: words.join('\n\n') }),
    ...(isSealed && {
      reasoningOpaque: JSON.stringify({ reasoning, ...defined({ calls }) }),
    }),
  }
}
