/**
 * Tools that live with a connected program, for any agent that takes tools. A call goes out as an event, durable
 * before the program sees it, and its result comes in from outside; between the two the agent waits.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Agent, AgentItem, Turn, UserTools } from '../engine/agent.ts'
import type { SessionId } from '../format/ids.ts'
import { runTool } from './run-tool.ts'
import {
  ToolFailure,
  type FailureCode,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tools/tool.ts'
import { deferred } from '../lib/deferred.ts'
import { together } from '../lib/merge-async.ts'
import type { LeftCall } from '../state/pending-work.ts'
import { modelText } from '../state/outcome-text.ts'

type ExternalTool = {
  readonly name: string
  readonly description: string
  /** The JSON schema of its arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly skipPermission: boolean
}

type ExternalCall = {
  readonly requestId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments: unknown
}

type ExternalAnswer = {
  readonly text: string
  /** `rejected` ends the turn, as a person's no does. */
  readonly outcome: 'success' | 'failure' | 'denied' | 'rejected' | 'timeout'
  /** What went wrong, for people alone; the model reads the text. */
  readonly detail?: string
}

type ToolProvider = {
  readonly tools: readonly ExternalTool[]
  call(call: ExternalCall, signal: AbortSignal): Promise<ExternalAnswer>
}

type Items = AsyncGenerator<AgentItem, void, undefined>

/** `make` is given the tools; what it returns runs with them. */
export function withExternalTools(
  provider: ToolProvider,
  make: (tools: readonly Tool[]) => Agent,
): Agent {
  let desk: ExternalCalls | undefined
  const agent = make(provider.tools.map((tool) => toolOf(tool, provider, () => desk)))

  async function* run(asked: Turn, signal: AbortSignal): Items {
    const turn = yield* takeResults(provider, asked, signal)
    yield* withCalls(turn, agent.run(turn, signal))
  }

  /** What the agent says, with what the calls of our tools have to say beside it. */
  async function* withCalls(turn: CallingTurn, said: AsyncIterable<AgentItem>): Items {
    const mine = openDesk(turn)
    desk = mine
    const items = said[Symbol.asyncIterator]()
    let next = items.next()
    next.catch(() => {}) // its failure is met by the race below, perhaps a while later
    try {
      for (;;) {
        const first = await Promise.race([next, mine.waiting()])
        for (const item of mine.take()) yield item
        if (first === undefined) continue
        if (first.done) return
        yield first.value
        next = items.next()
        next.catch(() => {}) // as above
      }
    } finally {
      await items.return?.()
    }
  }
  const { callTool } = agent
  const byHand: UserTools | undefined =
    callTool && ((turn, call, signal) => withCalls(turn, callTool(turn, call, signal)))
  return Object.create(agent, {
    run: { value: run, enumerable: true },
    callTool: { value: byHand, enumerable: true },
  }) as Agent
}

/**
 * Calls that an earlier process gave to a connected program, of tools that are not there any more: their results are
 * waited for under the ids that the program knows. Gives the turn as it is with them.
 */
async function* takeResults(
  provider: ToolProvider,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, Turn, undefined> {
  const results = new Map<string, { content: string; isError: boolean }>()
  async function* take(
    { toolCallId, toolName, arguments: args }: LeftCall,
    requestId: string,
  ): AsyncGenerator<AgentItem, void, undefined> {
    const call = { requestId, toolCallId, toolName, arguments: args }
    const tool = heldTool(toolName, () => provider.call(call, signal))
    for await (const item of runTool(turn, tool, call, signal)) {
      yield item
      if (!('draft' in item) || item.draft.type !== 'tool.execution_complete') continue
      const { data } = item.draft
      results.set(toolCallId, { content: modelText(data) ?? '', isError: !data.success })
    }
    yield { notice: { type: 'external_tool.completed', data: { requestId } } }
  }
  yield* together(
    (turn.left ?? []).flatMap((left) =>
      left.externalId === undefined || provider.tools.some(({ name }) => name === left.toolName)
        ? []
        : [take(left, left.externalId)],
    ),
  )
  if (results.size === 0) return turn
  const messages = turn.context.messages.map((message) =>
    message.role === 'tool' ? { ...message, ...results.get(message.toolCallId) } : message,
  )
  const left = turn.left?.filter(({ toolCallId }) => !results.has(toolCallId)) ?? []
  return { ...turn, left, context: { ...turn.context, messages } }
}

/** Leave was given before it was called. */
const heldTool = (name: string, result: () => Promise<ExternalAnswer>): Tool => ({
  name,
  description: '',
  args: z.unknown(),
  permission: async () => undefined,
  run: async (_args, { signal }) => resultOf(await orCancelled(result(), signal)),
})

function resultOf({ text, outcome, detail }: ExternalAnswer): ToolResult {
  if (outcome === 'success') return { content: text }
  if (outcome === 'failure' && detail !== undefined)
    throw new ToolFailure('failure', detail, { content: text })
  throw new ToolFailure(CODES[outcome], text)
}

/** What the calls of one turn have to say beside what its agent says. */
interface ExternalCalls {
  readonly sessionId: SessionId
  /** The id under which the program was given this call by an earlier process: it is not given it again. */
  heldId(toolCallId: string | undefined): string | undefined
  put(item: AgentItem): void
  take(): AgentItem[]
  /** Resolves, to nothing, when something was put. */
  waiting(): Promise<undefined>
}

type CallingTurn = Pick<Turn, 'sessionId'> & Partial<Pick<Turn, 'left'>>

function openDesk({ sessionId, left = [] }: CallingTurn): ExternalCalls {
  let items: AgentItem[] = []
  let bell = deferred<undefined>()
  return {
    sessionId,
    heldId: (id) => left.find(({ toolCallId }) => toolCallId === id)?.externalId,
    put(item) {
      items.push(item)
      bell.resolve(undefined)
    },
    take() {
      const taken = items
      items = []
      bell = deferred()
      return taken
    },
    waiting: () => bell.promise,
  }
}

function toolOf(
  { name, description, parameters, skipPermission }: ExternalTool,
  provider: ToolProvider,
  desk: () => ExternalCalls | undefined,
): Tool {
  async function run(
    args: unknown,
    { cwd, signal, toolCallId = randomUUID() }: ToolContext,
  ): Promise<ToolResult> {
    const at = desk()
    if (at === undefined) throw new ToolFailure('failed', 'No turn runs.')
    const held = at.heldId(toolCallId)
    const requestId = held ?? randomUUID()
    const call = { requestId, toolCallId, toolName: name, arguments: args }
    const answer = provider.call(call, signal)
    const data = { ...call, sessionId: at.sessionId, workingDirectory: cwd }
    if (held === undefined) at.put({ draft: { type: 'external_tool.requested', data } })
    const given = await orCancelled(answer, signal)
    at.put({ notice: { type: 'external_tool.completed', data: { requestId: call.requestId } } })
    return resultOf(given)
  }
  return {
    name,
    description,
    isElsewhere: true,
    args: z.unknown(),
    schema: parameters ?? { type: 'object', properties: {} },
    // Leave was given before it was called.
    permission: (args, { toolCallId }) =>
      Promise.resolve(
        skipPermission || desk()?.heldId(toolCallId) !== undefined
          ? undefined
          : { kind: 'custom-tool', toolName: name, toolDescription: description, args },
      ),
    run,
  }
}

const CODES: Readonly<Record<'failure' | 'denied' | 'rejected' | 'timeout', FailureCode>> = {
  failure: 'failed',
  denied: 'denied',
  rejected: 'rejected',
  timeout: 'timeout',
}

function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = deferred<never>()
  if (signal.aborted) reject(signal.reason as Error)
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return Promise.race([work, promise])
}
