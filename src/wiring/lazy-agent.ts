/**
 * An agent that is chosen and made when it is first needed: to list, read, rename, fork or rewind nobody has to
 * answer, so a wish that cannot be met must not stand in the way. What its kind can do is known without making it.
 */
import { windowIn } from '../agents/model/windows.ts'
import type { Agent } from '../engine/agent.ts'
import type { Choice } from './choose-agent.ts'

export interface LazyAgent extends Agent {
  /** Chooses and makes it now. */
  ready(): Promise<Agent>
}

export function lazyAgent(
  choose: () => Choice,
  make: (choice: Choice) => Promise<Agent>,
): LazyAgent {
  let choice: Choice | undefined
  let made: Promise<Agent> | undefined
  const chosen = (): Choice => (choice ??= choose())
  const ready = async (): Promise<Agent> => (made ??= make(chosen()))

  const lazy: { readonly [K in keyof LazyAgent]-?: LazyAgent[K] | undefined } = {
    ready,
    get name() {
      return nameOf(chosen())
    },
    async *run(turn, signal) {
      yield* (await ready()).run(turn, signal)
    },
    get summarise(): Agent['summarise'] {
      if (chosen().kind !== 'model') return undefined
      return async (request, signal) => (await ready()).summarise?.(request, signal) ?? ''
    },
    contextWindow(model) {
      const its = modelIn(possible(chosen))
      return its === undefined ? undefined : windowIn(its, model)
    },
    get completesTasks() {
      return possible(chosen)?.kind === 'model'
    },
    get reach(): Agent['reach'] {
      const { kind = 'offline' } = possible(chosen) ?? {}
      if (kind === 'offline' || kind === 'model') return undefined
      return async (between, signal) => (await ready()).reach?.(between, signal)
    },
    async close() {
      // One that could not be made has nothing to end; whoever asked it was told.
      await (await made?.catch(() => undefined))?.close?.()
    },
  }
  // What is undefined for its kind is as good as not there.
  return lazy as LazyAgent
}

/** Undefined when nobody can be chosen: that is told when somebody has to answer, and not before. */
function possible(chosen: () => Choice): Choice | undefined {
  try {
    return chosen()
  } catch {
    return undefined
  }
}

const modelIn = (choice: Choice | undefined) =>
  choice?.kind === 'model' ? choice.model : undefined

const nameOf = (choice: Choice): string => {
  if (choice.kind === 'model') return `${choice.model.provider}/${choice.model.name}`
  if (choice.kind === 'command') return choice.words[0] ?? ''
  return choice.kind === 'known' ? choice.name : 'offline'
}
