/**
 * One message put to an agent and everything that comes back until it is done. Messages that come meanwhile are put to
 * it next, in the same turn. A cancellation is told to the agent at once; one that does not heed it is ended.
 */
import type { Turn } from '../../engine/agent.ts'
import type { Draft, Payload } from '../../format/event.ts'
import { keepInner, type GivenTurn } from './agent-file.ts'
import type { Abilities } from './capabilities.ts'
import type { Connection } from './connection.ts'
import { promptText, unheard } from './conversation.ts'
import type { TurnServices } from './turn-services.ts'
import {
  onceAnswered,
  whileAsked,
  withPrompts,
  type AgentSession,
  type Limits,
} from './agent-session.ts'
import type { Outbox } from './outbox.ts'
import type { KnownAgent } from './known.ts'
import { promptBlocks } from './prompt.ts'
import { listIn, fieldsOf, textIn, without, type Fields } from '../../lib/fields.ts'
import {
  chooseEffort,
  chooseMode,
  chooseModel,
  requireMode,
  currentModel,
  learnOffers,
} from './agent-settings.ts'
import { createSpeech, type TurnOutput } from './message-assembler.ts'
import type { Terminals } from './terminals.ts'
import { createToolCalls, type ToolCall } from './tool-calls.ts'
import { createUpdates, type Updates } from './updates.ts'
import { beforeFirstPrompt, hearUsage, usageRecord } from './usage.ts'

type Answering = {
  readonly name: string
  readonly requiredMode?: string
  readonly plan?: KnownAgent['plan']
  readonly newId: () => string
  readonly limits: Limits
  readonly turn: Turn
  readonly signal: AbortSignal
  readonly outbox: Outbox
  readonly terminals: Terminals
  readonly connection: Connection
  readonly abilities: Abilities
  readonly session: AgentSession
  /** From here on requests and updates of the agent belong to this turn. */
  hear(services: TurnServices, updates: Updates): void
  /** Ends the agent. */
  stop(): Promise<void>
}

export async function answerPrompt(answering: Answering): Promise<void> {
  const { turn, signal, outbox, terminals, session, name } = answering
  const output: TurnOutput = {
    turn,
    newId: answering.newId,
    model: () => currentModel(session.offers),
    emit: outbox.push,
  }
  const hooks: Promise<unknown>[] = []
  const speech = createSpeech(output)
  const calls = createToolCalls(output, speech, {
    terminal: terminals.end,
    // A hook that cannot be recorded has nobody to tell: the turn fails by itself then.
    ended: (call, data) => void hooks.push(afterTool(turn, outbox, call, data).catch(() => {})),
  })
  const updates = createUpdates(output, speech, calls)
  const take = (update: Fields) => {
    learnOffers(session.offers, update)
    hearUsage(session, update)
    updates.take(update)
  }
  const services: TurnServices = {
    ...answering,
    calls,
    allowedDiffs: new Set(),
    allowedCommands: new Set(),
  }
  answering.hear(services, { ...updates, take })
  if (!session.isAsked) beforeFirstPrompt(session, session.known.turns.findLast(hasCost)?.cost ?? 0)
  session.isAsked = true
  await applySettings(answering)
  using _ = tellWhenCancelled(answering)
  try {
    const known = session.known
    session.known = whileAsked(known, turn.messageEventId)
    await keepInner(turn.workspacePath, name, session.known)
    const content = known.isSettled ? unheard(turn) : promptText(turn)
    const stopReason = await promptUntilDone(answering, content, endSpeech)
    await Promise.all(hooks)
    // The agent forgets what it refused.
    if (stopReason === 'refusal') session.known = known
    else {
      const isSettled = !signal.aborted && stopReason !== 'cancelled'
      const cost = session.cost?.recorded || undefined
      session.known = onceAnswered(session.known, speech, { isSettled, cost })
    }
    await keepInner(turn.workspacePath, name, session.known)
  } finally {
    endSpeech()
    terminals.settle()
  }

  function endSpeech(): void {
    calls.beginAll()
    speech.end()
  }
}

const hasCost = ({ cost }: GivenTurn): boolean => cost !== undefined

async function promptUntilDone(
  answering: Answering,
  content: string,
  endSpeech: () => void,
): Promise<string> {
  const { turn, signal, outbox, connection, session, abilities } = answering
  const sessionId = session.known.innerSessionId
  const blocks = (message: Pick<Payload<'user.message'>, 'content' | 'attachments'>) =>
    promptBlocks(message, { cwd: turn.cwd, workspacePath: turn.workspacePath, abilities })
  const put = turn.switchboard?.promptFields(turn.message.messageId)
  // What an editor put in the agent's own words is not paraphrased, unless something was added to it here.
  const isPlain = put !== undefined && content === turn.message.content
  const said = isPlain ? listIn(put, 'prompt') : blocks({ ...turn.message, content })
  let fields: Fields = put === undefined ? {} : without(put, 'sessionId', 'prompt')
  let prompt: readonly Fields[] = [...session.preamble, ...said]
  session.preamble = []
  for (;;) {
    const params = { ...fields, sessionId, prompt }
    const result = fieldsOf(await connection.request('session/prompt', params))
    turn.switchboard?.answered(turn.message.messageId, result)
    fields = {}
    endSpeech()
    const stopReason = textIn(result, 'stopReason') ?? 'end_turn'
    for (const draft of closing(answering, result, stopReason)) outbox.push({ draft })
    // What was said is recorded first: it answers nothing that comes after it.
    await outbox.taken()
    const more = signal.aborted ? [] : turn.steering()
    if (more.length === 0) return stopReason
    session.known = withPrompts(session.known, 1)
    prompt = more.flatMap((message) => blocks({ ...message, content: promptText({ message }) }))
  }
}

/** What is recorded when the agent has ended its answer. */
function closing({ session, name }: Answering, result: Fields, stopReason: string): Draft[] {
  const usage = usageRecord(session, result, {
    name,
    model: currentModel(session.offers) ?? name,
  })
  const why = stops[stopReason]
  const warning: Draft = {
    type: 'session.warning',
    data: { warningType: `agent_${stopReason}`, message: `${name} stopped: ${why}.` },
  }
  return [...(usage === undefined ? [] : [usage]), ...(why === undefined ? [] : [warning])]
}

const stops: Readonly<Record<string, string>> = {
  max_tokens: 'its answer reached the most tokens that it may have',
  max_turn_requests: 'it made as many requests to its model as one turn may have',
  refusal: 'it refuses to go on with this',
}

async function applySettings(answering: Answering): Promise<void> {
  const { turn, connection, session, outbox, name, requiredMode } = answering
  const { innerSessionId } = session.known
  const { model, mode, reasoningEffort } = turn.state
  if (requiredMode !== undefined && mode !== 'plan')
    await requireMode(connection, innerSessionId, session.offers, { name, mode: requiredMode })
  else await setMode(answering, mode)
  const warn = (message: string) =>
    outbox.push({
      draft: { type: 'session.warning', data: { warningType: 'agent_model', message } },
    })
  if (model !== undefined && model !== session.modelTold) {
    session.modelTold = model
    // A model may come with an effort of its own.
    delete session.effortTold
    const isChosen = await chooseModel(connection, innerSessionId, session.offers, model).catch(
      () => false,
    )
    const now = currentModel(session.offers) ?? 'its own choice'
    if (!isChosen) warn(`${name} has no model "${model}" and answers with ${now}.`)
  }
  if (reasoningEffort === undefined || reasoningEffort === session.effortTold) return
  session.effortTold = reasoningEffort
  const isSet = await chooseEffort(
    connection,
    innerSessionId,
    session.offers,
    reasoningEffort,
  ).catch(() => false)
  if (!isSet) warn(`${name} cannot be told to think with effort "${reasoningEffort}".`)
}

/** An agent that cannot be set otherwise still answers; what was asked for and is not so is said. */
async function setMode(answering: Answering, mode: string): Promise<void> {
  const { connection, session, outbox, name, plan } = answering
  const { innerSessionId } = session.known
  const isSet = await chooseMode(connection, innerSessionId, session.offers, { mode, plan }).catch(
    () => false,
  )
  if (isSet) return
  const message = `${name} has no plan mode of its own. What it asks for is refused; what it does without asking is not held back.`
  outbox.push({ draft: { type: 'session.warning', data: { warningType: 'agent_mode', message } } })
}

function tellWhenCancelled({ signal, connection, session, limits, stop }: Answering): Disposable {
  let late: NodeJS.Timeout | undefined
  const onAbort = () => {
    connection.notify('session/cancel', { sessionId: session.known.innerSessionId })
    late = setTimeout(() => void stop(), limits.cancelMs)
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    [Symbol.dispose]() {
      clearTimeout(late)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

async function afterTool(
  turn: Turn,
  outbox: Outbox,
  { toolCallId, toolName, raw }: ToolCall,
  { success, result, error }: Payload<'tool.execution_complete'>,
): Promise<void> {
  await outbox.taken()
  await turn.hook({
    type: 'postToolUse',
    toolName,
    toolCallId,
    arguments: raw['rawInput'] ?? {},
    success,
    result: result?.content ?? error?.message ?? '',
  })
}
