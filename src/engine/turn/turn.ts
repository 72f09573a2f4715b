/**
 * One turn: the user's message becomes durable, the agent answers, everything that it left open is settled.
 * However the turn ends, the history that remains is one that a provider accepts.
 */
import type { Draft, Payload } from '../../format/event.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { traced } from '../../lib/telemetry.ts'
import { lostQuestions, settleInterrupted } from '../../state/repair.ts'
import type { LeftWork } from '../../state/pending-work.ts'
import type { TaskRequest, Turn } from '../agent.ts'
import { permitWhenRecorded, mayRead, withdrawRequests } from './answer.ts'
import { sandboxFor } from './sandbox.ts'
import { passItems, runAgent } from './agent-items.ts'
import { answering } from './resolve-agent.ts'
import { readBlob } from '../sessions/artifacts.ts'
import { compactAfter, compactBefore, isContextLimit } from './auto-compact.ts'
import { goOn } from './autopilot.ts'
import { commit } from '../live/commit.ts'
import { leaveForNext } from '../live/recover.ts'
import { compact } from '../history/compact.ts'
import type { EngineContext } from '../engine-context.ts'
import { describeTurn } from '../live/describe.ts'
import { EngineError } from '../errors.ts'
import { promptHook, stopHook, toolHook, transformHook } from './hooks.ts'
import { keepSnapshot } from '../live/folded-log.ts'
import { modeOf, stateOf, type LiveSession } from '../live/live-session.ts'
import { idsOf, readLeftWork } from '../live/read-pending-work.ts'
import { stateWithUnwritten } from '../live/pending-events.ts'
import { modelContext } from '../live/model-context.ts'
import { askPerson } from './questions.ts'
import { failed, type Message, type RunningTurn, type TurnOutcome } from './message.ts'
import { advance } from './acquire-session.ts'
import { alongWith } from './mentions.ts'
import { enqueue } from './queue.ts'
import { ended } from './rounds.ts'
import { comingSteering, saidBy, takeLate, takeSteering, type Late } from './steering.ts'
import { awaitMessage } from './await-message.ts'
import { contextOf } from '../live/subagent-context.ts'
import { tellBetween, titleAfter } from './title.ts'
import { observeTools } from './tool-effects.ts'

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
  running.mode = message.mode
  const agent = await answering(engine, session)
  const { prompt, notes, next } = await promptHook(
    engine,
    session,
    message.prompt,
    running.abort.signal,
  )
  await compactBefore(engine, session, agent)
  const along = await alongWith(engine, session, agent, { ...message, prompt })
  const told = { ...message, prompt, attachments: [...along.attachments] }
  const said = userMessage(engine, session, running, told, delivery, [...along.notes, ...notes])
  const given = await transformHook(engine, session, said, running.abort.signal)
  const turn = await openTurn(engine, session, running, given)
  for (const each of next) {
    // Nobody waits for how it ends: the log and the feed tell.
    enqueue(session, { prompt: each, source: 'hook' }).catch(() => {})
  }
  return answerAll(engine, session, running, turn).catch(leaveForNext(session))
}

/** The turn that another process began: its calls that had not begun are carried out, and the agent goes on. */
export async function continueTurn(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  { message, eventId, calls: left }: LeftWork,
): Promise<TurnOutcome> {
  await commit(engine, session, [])
  const turn = await turnFor(engine, session, running, { message, eventId })
  return answerAll(engine, session, running, { ...turn, left })
}

/** A turn without a message: a sub-agent is set to work, and the agent hears what came of it. */
export async function taskTurn(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  task: TaskRequest,
): Promise<TurnOutcome> {
  const { turnId } = running
  const [record] = await commit(engine, session, [
    { type: 'assistant.turn_start', data: { turnId } },
  ])
  // What it changes belongs to the turn that it follows.
  const eventId = stateOf(session).turns.at(-1)?.eventId ?? record?.event.id
  if (eventId === undefined) throw new EngineError('internal', 'The task was not recorded.')
  const message = { content: '', turnId }
  const turn = await turnFor(engine, session, running, { message, eventId })
  return answerAll(engine, session, running, { ...turn, task })
}

/** Until the agent has nothing more to say, and nobody has anything more to say to it. */
async function answerAll(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  first: Turn,
): Promise<TurnOutcome> {
  const { turnId } = running
  const agent = await answering(engine, session)
  let turn = first
  let outcome: TurnOutcome
  for (let round = 0, blocks = 0; ;) {
    outcome = await listen(engine, session, running, turn)
    const isCompleted = outcome.status === 'completed'
    advance(session, isCompleted ? 'reopen' : 'shut')
    if (!isCompleted) break
    const more = goOn(engine, agent, session, round)
    const { signal } = running.abort
    const insisted = more ?? (await stopHook(engine, session, blocks, signal))
    if (signal.aborted) {
      outcome = { status: 'cancelled', turnId }
      break
    }
    for (let coming = comingSteering(session); coming; coming = comingSteering(session))
      await coming
    // From here nothing is waited for until the door is shut: no message can fall between.
    const late = takeLate(session)
    const next = late === undefined ? insisted : undefined
    if (late === undefined && more === undefined) blocks += 1
    else if (late === undefined) round += 1
    advance(session, late !== undefined || next !== undefined ? 'reopen' : 'shut')
    running.begun = deferred()
    if (late !== undefined) turn = await turnFor(engine, session, running, late)
    else if (next === undefined) break
    else {
      const by = more === undefined ? { source: 'agent-stop' } : { isAutopilotContinuation: true }
      const asked = userMessage(engine, session, running, { prompt: next }, 'idle', [], by)
      turn = await openTurn(engine, session, running, asked)
    }
  }
  await settle(engine, session, running, outcome)
  await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
  void session.writing.writer?.log.cover()
  compactAfter(engine, session, agent)
  if (outcome.status === 'completed') titleAfter(engine, session, agent)
  return { ...outcome, turnId }
}

function userMessage(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  message: Message,
  delivery: 'idle' | 'queued',
  notes: readonly string[],
  more: Partial<Payload<'user.message'>> = {},
): Payload<'user.message'> {
  return {
    content: message.displayPrompt ?? message.prompt,
    messageId: message.messageId ?? engine.newId(),
    delivery,
    agentMode: running.mode ?? stateWithUnwritten(session).mode,
    interactionId: engine.newId(),
    turnId: running.turnId,
    ...((notes.length > 0 || message.displayPrompt !== undefined) && {
      transformedContent: [message.prompt, ...notes].join('\n\n'),
    }),
    ...saidBy(message),
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
  const { turnId } = running
  const { interactionId } = said
  // In one step: a process that sees the message sees the turn that answers it, and can join or stop it.
  const [record] = await commit(engine, session, [
    { type: 'user.message', data: said },
    { type: 'assistant.turn_start', data: { turnId, ...defined({ interactionId }) } },
  ])
  if (record === undefined) throw new EngineError('internal', 'The message was not recorded.')
  await describeTurn(engine, session, record)
  return turnFor(engine, session, running, { message: said, eventId: record.event.id })
}

/** What the agent needs to answer a message that is in the log. From here on it can be given more. */
async function turnFor(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  { message, eventId }: Late,
): Promise<Turn> {
  const { signal } = running.abort
  const context = await modelContext(engine, session)
  running.begun.resolve()
  return {
    sessionId: session.id,
    turnId: running.turnId,
    message,
    messageEventId: eventId,
    context,
    state: { ...stateOf(session), mode: modeOf(session) },
    cwd: session.project.cwd,
    workspacePath: engine.fs.nativePath(session.dir),
    permit: (request, asked) => permitWhenRecorded(engine, session, request, signal, asked),
    mayRead: (place) => mayRead(engine, session, place),
    asksToRead: engine.asksToRead,
    sandbox: sandboxFor(engine, session, signal),
    ask: (question) => askPerson(engine, session, question, signal),
    steering: () => takeSteering(session),
    awaitMessage: (given) => awaitMessage(engine, session, running, given),
    contextOf: (agentId) => contextOf(engine, session, agentId),
    // A picture that is missing, damaged or too large is named to the model in words.
    readBlob: (sha256, limit) => readBlob(engine, session.id, sha256, limit).catch(() => undefined),
    hook: (call) => toolHook(engine, session, call, signal),
    switchboard: engine.switchboard,
    later: { tell: (notice) => tellBetween(engine, session, notice) },
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
    // Nothing more can be written, so nothing can be settled either: the process that opens the session next does it.
    if (error instanceof EngineError && error.code === 'not_durable') throw error
    if (running.abort.signal.aborted) return { status: 'cancelled', turnId }
    if (error instanceof EngineError) throw error
    if (!isContextLimit(error)) return failed(turnId, error)
  }
  try {
    await comingSteering(session)
    running.begun = deferred()
    await compact(engine, session, { trigger: 'context_limit_retry' })
    const { message, messageEventId: eventId } = turn
    const again = await turnFor(engine, session, running, { message, eventId })
    // They are in the context already.
    takeSteering(session)
    return await passAll(engine, session, running, again)
  } catch (error) {
    if (running.abort.signal.aborted) return { status: 'cancelled', turnId }
    return failed(turnId, error)
  }
}

async function passAll(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  turn: Turn,
): Promise<TurnOutcome> {
  const { signal } = running.abort
  const effects = observeTools(engine, session, turn.messageEventId)
  const status = await passItems(
    engine,
    session,
    runAgent(await answering(engine, session), turn, signal),
    effects,
    signal,
    new Set(turn.left?.flatMap(({ toolCallId, isStarted }) => (isStarted ? [toolCallId] : []))),
  )
  if (status === 'cancelled' && !signal.aborted) {
    // A person's no stops this turn; what waits behind it was not refused.
    running.afterCancel = 'go-on'
    running.abort.abort()
  }
  return { status, turnId: turn.turnId }
}

/** What is settled of a turn that is left at its questions. Undefined when it waits for nothing. */
async function leftOpen(
  engine: EngineContext,
  session: LiveSession,
): Promise<readonly Draft[] | undefined> {
  if ((await answering(engine, session)).continues !== true) return undefined
  const left = await readLeftWork(engine, session)
  if (left === undefined) return undefined
  const { pieces } = session.work
  return settleInterrupted(stateOf(session), { pieces, why: 'stopped' }, idsOf(left))
}

async function settle(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  outcome: TurnOutcome,
): Promise<void> {
  withdrawRequests(session)
  if (running.leavesQuestions && outcome.status === 'cancelled') {
    const left = await leftOpen(engine, session)
    if (left !== undefined) return void (await commit(engine, session, left))
  }
  const drafts: Draft[] = []
  if (outcome.status === 'failed') {
    const { error: message = 'The agent failed.', errorType = 'agent', statusCode } = outcome
    const data = { errorType, message, ...defined({ statusCode }) }
    drafts.push({ type: 'session.error', data })
    drafts.push(...lostQuestions(stateOf(session)))
  }
  const why = outcome.status === 'cancelled' ? 'stopped' : 'broken'
  drafts.unshift(...settleInterrupted(stateOf(session), { pieces: session.work.pieces, why }))
  await commit(engine, session, ended(drafts, running, outcome))
}
