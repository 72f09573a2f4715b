/**
 * One turn: the user's message becomes durable, the agent answers, everything that it left open is settled.
 * However the turn ends, the history that remains is one that a provider accepts.
 */
import type { Draft, Payload } from '../format/event.ts'
import { orAborted } from '../lib/or-aborted.ts'
import { traced } from '../lib/telemetry.ts'
import { settleInterrupted } from '../state/repair.ts'
import type { AgentItem, Turn } from './agent.ts'
import { askPermission, withdrawRequests } from './answer.ts'
import { compactAfter, compactBefore, isContextLimit } from './auto-compact.ts'
import { goOn } from './autopilot.ts'
import { commit } from './commit.ts'
import { compact } from './compact.ts'
import type { EngineContext } from './context.ts'
import { describeTurn } from './describe.ts'
import { EngineError } from './errors.ts'
import { promptHook, toolHook } from './hooks.ts'
import { keepSnapshot } from './knowledge.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession, RunningTurn } from './live-session.ts'
import { modelContext } from './model-context.ts'
import { askPerson } from './questions.ts'
import type { Message, TurnOutcome } from './send.ts'
import { observeTools } from './tool-effects.ts'
import type { ToolEffects } from './tool-effects.ts'

export const runTurn = (
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  message: Message,
  delivery: 'idle' | 'queued',
): Promise<TurnOutcome> =>
  traced(
    'turn',
    { session_id: session.id, turn_id: running.turnId, model: stateOf(session).model },
    () => takeTurn(engine, session, running, message, delivery),
    ({ status }) => ({ outcome: status }),
  )

async function takeTurn(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  message: Message,
  delivery: 'idle' | 'queued',
): Promise<TurnOutcome> {
  const { turnId } = running
  const { prompt, notes } = await promptHook(engine, session, message.prompt, running.abort.signal)
  await compactBefore(engine, session)
  let said = userMessage(engine, session, running, { ...message, prompt }, delivery, notes)
  let outcome: TurnOutcome
  for (let round = 0; ; round++) {
    const turn = await openTurn(engine, session, running, said)
    outcome = await listen(engine, session, running, turn)
    const next = outcome.status === 'completed' ? goOn(engine, session, round) : undefined
    if (next === undefined) break
    said = userMessage(engine, session, running, { prompt: next }, 'idle', [], {
      isAutopilotContinuation: true,
    })
  }
  await settle(engine, session, running, outcome)
  await keepSnapshot(engine.fs, session.dir, session.knowledge, { always: false })
  compactAfter(engine, session)
  return { ...outcome, turnId }
}

function userMessage(
  engine: EngineContext,
  session: LiveSession,
  { turnId }: RunningTurn,
  message: Message,
  delivery: 'idle' | 'queued',
  notes: readonly string[],
  more: Partial<Payload<'user.message'>> = {},
): Payload<'user.message'> {
  return {
    content: message.prompt,
    messageId: engine.newId(),
    delivery,
    agentMode: stateOf(session).mode,
    interactionId: engine.newId(),
    turnId,
    ...(notes.length > 0 && { transformedContent: [message.prompt, ...notes].join('\n\n') }),
    ...(message.attachments?.length && { attachments: message.attachments }),
    ...(message.source !== undefined && { source: message.source }),
    ...more,
  }
}

/** Records the message and gathers what the agent needs to answer it. */
async function openTurn(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  said: Payload<'user.message'>,
): Promise<Turn> {
  const { signal } = running.abort
  const [record] = await commit(engine, session, [{ type: 'user.message', data: said }])
  if (record === undefined) throw new EngineError('internal', 'The message was not recorded.')
  await describeTurn(engine, session, said.content)
  const { interactionId } = said
  await commit(engine, session, [
    {
      type: 'assistant.turn_start',
      data: { turnId: running.turnId, ...(interactionId !== undefined && { interactionId }) },
    },
  ])
  return {
    sessionId: session.id,
    turnId: running.turnId,
    message: said,
    messageEventId: record.event.id,
    context: await modelContext(engine, session),
    state: stateOf(session),
    cwd: session.project.cwd,
    workspacePath: engine.fs.nativePath(session.dir),
    permit: (request) => askPermission(engine, session, request, signal),
    ask: (question) => askPerson(engine, session, question, signal),
    steering: () => session.steering.splice(0),
    hook: (call) => toolHook(engine, session, call, signal),
  }
}

/** Passes on what the agent yields. A context that became too long is compacted, and the turn tried once more. */
async function listen(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  turn: Turn,
): Promise<TurnOutcome> {
  const { turnId } = turn
  try {
    return await passAll(engine, session, running, turn)
  } catch (error) {
    if (running.abort.signal.aborted) return { status: 'cancelled', turnId }
    if (error instanceof EngineError) throw error
    if (!isContextLimit(error)) return { status: 'failed', turnId, error: textOf(error) }
  }
  try {
    await compact(engine, session, { trigger: 'context_limit_retry' })
    const context = await modelContext(engine, session)
    return await passAll(engine, session, running, { ...turn, context, state: stateOf(session) })
  } catch (error) {
    if (running.abort.signal.aborted) return { status: 'cancelled', turnId }
    return { status: 'failed', turnId, error: textOf(error) }
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function passAll(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  turn: Turn,
): Promise<TurnOutcome> {
  const { signal } = running.abort
  const { turnId } = turn
  const effects = observeTools(engine, session, turn.messageEventId)
  const items = engine.agent.run(turn, signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await orAborted(items.next(), signal)
      if (next === 'aborted') {
        void items.return?.().catch(() => {}) // it may be deep in an await; the turn does not wait for it
        return { status: 'cancelled', turnId }
      }
      if (next.done) return { status: signal.aborted ? 'cancelled' : 'completed', turnId }
      await pass(engine, session, next.value, effects)
    }
  } finally {
    await effects.close()
  }
}

/** Drafts go through the door, notices past it. */
async function pass(
  engine: EngineContext,
  session: LiveSession,
  item: AgentItem,
  effects: ToolEffects,
): Promise<void> {
  if ('notice' in item) {
    session.feed.tell(item.notice)
    return
  }
  const { draft } = item
  if (draft.type === 'tool.execution_start') await effects.before(draft)
  if (draft.type === 'tool.execution_complete') await effects.ended(draft.data.toolCallId)
  await commit(engine, session, [draft])
  if (draft.type === 'tool.execution_complete') {
    const changed = await effects.after()
    if (changed.length > 0) await commit(engine, session, changed)
  }
}

async function settle(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  outcome: TurnOutcome,
): Promise<void> {
  withdrawRequests(session)
  const drafts: Draft[] = []
  if (outcome.status === 'failed') {
    drafts.push({
      type: 'session.error',
      data: { errorType: 'agent', message: outcome.error ?? 'The agent failed.' },
    })
  }
  drafts.push(...settleInterrupted(stateOf(session)))
  if (outcome.status === 'cancelled')
    drafts.push({ type: 'abort', data: { reason: running.reason } })
  if (!drafts.some(({ type }) => type === 'assistant.turn_end')) {
    drafts.push({ type: 'assistant.turn_end', data: { turnId: outcome.turnId } })
  }
  await commit(engine, session, drafts)
}
