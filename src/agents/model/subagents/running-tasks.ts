/**
 * The sub-agents that are at work in one turn: set to work, spoken with, stopped, and asked for what came of them. Their
 * items join those of the turn; each has a conversation of its own.
 */
import type { AgentItem, TaskStart, TaskStep, Turn } from '../../../engine/agent.ts'
import type { Payload } from '../../../format/event.ts'
import type { CustomAgent } from '../../../guidance/custom-agents.ts'
import { deferred, type Deferred } from '../../../lib/deferred.ts'
import type { Merging } from '../../../lib/merging.ts'
import type { ModelMessage } from '../../../state/model-context.ts'

export type Working = {
  readonly id: string
  readonly toolCallId: string
  readonly definition: CustomAgent
  readonly name: string
  readonly description: string
  readonly prompt: string
  readonly model?: string
  readonly reasoningEffort?: string
  /** The sub-agent that gave it its task, where it was one. */
  readonly parentId?: string
  /** 1 for those of the agent that people speak with. */
  readonly depth: number
  /** Of an earlier round, when it goes on. */
  readonly before: readonly ModelMessage[]
  readonly isAgain: boolean
  readonly stop: AbortController
  /** Resolves when it rests, or when nobody waits for it any more. */
  readonly done: Deferred<Outcome>
  /** Messages that are in the log and that it has not heard. */
  readonly inbox: Payload<'user.message'>[]
  /** Resolves when what was said to it is in the log. */
  coming: Promise<unknown>
  /** The latest things that it did. */
  readonly steps: TaskStep[]
  mode: 'sync' | 'background'
  /** Undefined while it works. */
  outcome: Outcome | undefined
}

export type Outcome =
  | { readonly status: 'idle'; readonly text: string }
  | { readonly status: 'failed' | 'rejected'; readonly text: string }
  | { readonly status: 'cancelled' | 'moved' }

export interface RunningTasks {
  start(request: TaskStart, definition: CustomAgent, how: How): Working
  /** One that rests goes on. */
  goOn(id: string, message: string, of: Before): Working
  /** At work now. */
  find(id: string): Working | undefined
  /** Those of this turn, at work or not. */
  all(): readonly Working[]
  isBusy(): boolean
  say(task: Working, text: string): void
  promote(task: Working): void
  /** Those in the background that came to their end since it was last asked. */
  takeEnded(): readonly { readonly task: Working; readonly outcome: Outcome }[]
  /** Resolves when another one came to its end. */
  changed(): Promise<void>
}

type Before = Pick<Working, 'definition' | 'before' | 'toolCallId' | 'name' | 'description'>
type How = Pick<Working, 'toolCallId' | 'mode'> & Partial<Pick<Working, 'parentId' | 'depth'>>
type Work = (task: Working) => AsyncGenerator<AgentItem, Outcome, undefined>

export function openDesk(turn: Turn, items: Merging<AgentItem>, work: Work): RunningTasks {
  const all = new Map<string, Working>()
  let ended: { task: Working; outcome: Outcome }[] = []
  let bell = deferred<void>()

  function put(task: Working): Working {
    all.set(task.id, task)
    items.add(carriedOut(task))
    return task
  }

  async function* carriedOut(task: Working): AsyncGenerator<AgentItem, void, undefined> {
    let outcome: Outcome = { status: 'cancelled' }
    try {
      outcome = yield* work(task)
    } finally {
      task.outcome = outcome
      task.done.resolve(outcome)
      if (task.mode === 'background') ended.push({ task, outcome })
      bell.resolve()
    }
  }

  /** It is recorded before the sub-agent hears it. */
  async function* recorded(
    task: Working,
    data: Payload<'user.message'>,
    isIn: () => void,
  ): AsyncGenerator<AgentItem, void, undefined> {
    try {
      yield { draft: { type: 'user.message', data, agentId: task.id } }
      task.inbox.push(data)
    } finally {
      isIn()
    }
  }

  const working = (
    given: Pick<Working, 'id' | 'definition' | 'prompt' | 'name' | 'description' | 'mode'> &
      Partial<Working> &
      Pick<Working, 'toolCallId'>,
  ): Working => ({
    depth: 1,
    before: [],
    isAgain: false,
    stop: new AbortController(),
    done: deferred<Outcome>(),
    inbox: [],
    coming: Promise.resolve(),
    steps: [],
    outcome: undefined,
    ...given,
  })

  const at = (id: string) => {
    const task = all.get(id)
    return task?.outcome === undefined ? task : undefined
  }

  return {
    start({ agentType, ...request }, definition, how) {
      const { name = agentType, description = request.prompt.slice(0, 80) } = request
      return put(working({ ...request, ...how, definition, name, description }))
    },
    goOn(id, message, of) {
      const { toolCallId, name, description, ...more } = of
      return put(
        working({
          ...more,
          id,
          name,
          description,
          toolCallId,
          prompt: message,
          mode: 'background',
          isAgain: true,
        }),
      )
    },
    find: (id) => at(id),
    all: () => [...all.values()],
    isBusy: () => [...all.values()].some(({ outcome }) => outcome === undefined),
    say(task, text) {
      const { promise, resolve } = deferred<void>()
      task.coming = Promise.all([task.coming, promise])
      const data = { content: text, messageId: crypto.randomUUID(), delivery: 'steering' as const }
      items.add(recorded(task, { ...data, source: sourceOf(turn) }, resolve))
    },
    promote(task) {
      task.mode = 'background'
      task.done.resolve({ status: 'moved' })
    },
    takeEnded() {
      const taken = ended
      ended = []
      return taken
    },
    async changed() {
      if (ended.length > 0) return
      bell = deferred()
      await bell.promise
    },
  }
}

/** Who speaks with a sub-agent: the agent of the session. */
export const sourceOf = ({ sessionId }: Pick<Turn, 'sessionId'>): string => `agent-${sessionId}`
