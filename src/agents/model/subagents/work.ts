/**
 * The work of one sub-agent, from its start to its rest, as items of the session that it works for. However it ends,
 * nothing of it is left open in the log.
 */
import type { AgentItem, TaskStep, Turn } from '../../../engine/agent.ts'
import type { Draft } from '../../../format/event.ts'
import { defined } from '../../../lib/defined.ts'
import { errorText } from '../../../lib/error-text.ts'
import { orAborted } from '../../../lib/or-aborted.ts'
import { INTERRUPTED } from '../../../state/provider-valid.ts'
import { converse, type Speaker } from '../agent-loop.ts'
import { sourceOf, type Outcome, type Working } from './running-tasks.ts'
import { nested } from './nested.ts'

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>

export type Prepared = Pick<
  Speaker,
  'config' | 'parts' | 'system' | 'tools' | 'model' | 'reasoningEffort'
> & {
  /** Events of skills that it begins with, and their texts. */
  readonly skills: { readonly drafts: readonly Draft[]; readonly texts: readonly string[] }
}

const MOST_STEPS = 10

/** By which its author wants people to know it; of others the task's own name says more. */
const ownNameOf = ({ name, displayName }: Working['definition']): string | undefined =>
  displayName === name ? undefined : displayName

export async function* workOf(
  turn: Turn,
  task: Working,
  prepare: (task: Working) => Promise<Prepared>,
  signal: AbortSignal,
): Items<Outcome> {
  const owner = { agentId: task.id, toolCallId: task.toolCallId }
  const begun = performance.now()
  const { model: wanted = turn.state.model, definition, mode } = task
  const about = {
    toolCallId: task.toolCallId,
    agentName: definition.name,
    agentDisplayName: ownNameOf(definition) ?? task.name,
  }
  const model = definition.model ?? wanted
  const record = (draft: Draft): AgentItem => nested({ draft }, owner)
  if (!task.isAgain)
    yield record({
      type: 'subagent.started',
      data: {
        ...about,
        agentDescription: task.description,
        ...defined({ model, parentId: task.parentId }),
        resumable: true,
        agentType: definition.name,
        executionMode: mode,
      },
    })
  yield CHANGED
  const counted = { calls: 0, tokens: 0 }
  let outcome: Outcome
  try {
    outcome = yield* rounds(turn, task, await prepare(task), signal, counted)
  } catch (error) {
    signal.throwIfAborted()
    outcome = task.stop.signal.aborted
      ? { status: 'cancelled' }
      : { status: 'failed', text: errorText(error) }
  }
  const totals = {
    totalToolCalls: counted.calls,
    totalTokens: counted.tokens,
    durationMs: Math.round(performance.now() - begun),
  }
  if (outcome.status === 'failed' || outcome.status === 'rejected')
    yield record({
      type: 'subagent.failed',
      data: { ...about, ...totals, ...defined({ model }), error: outcome.text },
    })
  else if (!task.isAgain || outcome.status === 'cancelled')
    yield record({
      type: 'subagent.completed',
      data: {
        ...about,
        ...totals,
        ...defined({ model }),
        ...(outcome.status === 'cancelled' && { cancelled: true }),
      },
    })
  yield CHANGED
  return outcome
}

async function* rounds(
  parent: Turn,
  task: Working,
  { skills, ...speaker }: Prepared,
  signal: AbortSignal,
  counted: { calls: number; tokens: number },
): Items<Outcome> {
  const owner = { agentId: task.id, toolCallId: task.toolCallId }
  const { model, parts, reasoningEffort } = speaker
  const turnId = parts.newId()
  const interactionId = parts.newId()
  const content = [...skills.texts, task.prompt].join('\n\n')
  const message = {
    content: task.prompt,
    ...(content !== task.prompt && { transformedContent: content }),
    source: sourceOf(parent),
    messageId: parts.newId(),
    delivery: 'idle' as const,
    interactionId,
    turnId,
  }
  const drafts: Draft[] = [
    ...(task.isAgain
      ? []
      : [
          {
            type: 'subagent.configured' as const,
            data: { model, multiTurn: true, ...defined({ reasoningEffort }) },
          },
        ]),
    ...skills.drafts,
    { type: 'user.message', data: message },
    { type: 'system.message', data: { content: speaker.system, role: 'system' } },
    { type: 'assistant.turn_start', data: { turnId, interactionId } },
  ]
  for (const draft of drafts) yield nested({ draft }, owner)
  const stop = AbortSignal.any([signal, task.stop.signal])
  const { left: _left, task: _task, ...rest } = parent
  const turn: Turn = {
    ...rest,
    turnId,
    message,
    context: {
      system: undefined,
      messages: [...task.before, { role: 'user', content, eventId: parent.messageEventId }],
    },
    permit: (request, asked) =>
      parent.permit(request, { ...asked, by: { agentId: task.id, signal: task.stop.signal } }),
    steering: () => task.inbox.splice(0),
  }
  const open = new Set<string>()
  let text = ''
  const items = converse(
    turn,
    {
      ...speaker,
      async more(conversation) {
        await task.coming
        return conversation.heard(turn.steering())
      },
    },
    stop,
  )
  const follow = (item: AgentItem): void => {
    if (!('draft' in item)) return
    const { draft } = item
    if (draft.type === 'assistant.message') {
      if (draft.data.content !== '') text = draft.data.content
      for (const { toolCallId } of draft.data.toolRequests ?? []) open.add(toolCallId)
    }
    if (draft.type === 'tool.execution_start') {
      counted.calls++
      task.steps.push(stepOf(draft.data.toolName))
      task.steps.splice(0, task.steps.length - MOST_STEPS)
    }
    if (draft.type === 'tool.execution_complete') open.delete(draft.data.toolCallId)
  }
  let ended: Outcome = { status: 'cancelled' }
  let failure: { readonly error: unknown } | undefined
  try {
    for (;;) {
      const next = await orAborted(items.next(), stop)
      if (next === 'aborted') {
        void items.return({ how: 'stopped', tokens: 0 }).catch(() => {}) // it may be deep in an await
        break
      }
      if (next.done) {
        counted.tokens = next.value.tokens
        ended =
          next.value.how === 'rejected'
            ? { status: 'rejected', text: 'A person denied what it wanted to do.' }
            : { status: 'idle', text }
        break
      }
      follow(next.value)
      yield nested(next.value, owner)
    }
  } catch (error) {
    failure = { error }
  }
  // Of a turn that was stopped everything is settled together.
  signal.throwIfAborted()
  for (const draft of closing(open, turnId)) yield nested({ draft }, owner)
  if (failure !== undefined) throw failure.error
  return ended
}

function* closing(open: ReadonlySet<string>, turnId: string): Generator<Draft> {
  for (const toolCallId of open)
    yield {
      type: 'tool.execution_complete',
      data: { toolCallId, success: false, error: { message: INTERRUPTED, code: 'interrupted' } },
    }
  yield { type: 'assistant.turn_end', data: { turnId } }
}

const stepOf = (toolName: string): TaskStep => ({
  message: toolName,
  timestamp: new Date().toISOString(),
})

const CHANGED: AgentItem = { notice: { type: 'session.background_tasks_changed', data: {} } }
