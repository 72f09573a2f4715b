/**
 * One session of ours and the agent behind it, over as many lives of its process as there are. The process is started
 * when it is needed and again when it died; each time the agent is brought to know the conversation before it is asked.
 */
import type {
  AgentItem,
  AgentOptions,
  BetweenTurns,
  NoticeSink,
  OptionChoice,
  Switchboard,
  Turn,
} from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { kindOf } from '../tools/paths.ts'
import { keepChosen, readChosen, readInner } from './agent-file.ts'
import type { CommandLine } from './agent-process.ts'
import { answerPrompt } from './answer.ts'
import { abilitiesOf } from './capabilities.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { Connection } from './connection.ts'
import { now } from './conversation.ts'
import type { Moment } from './conversation.ts'
import { createAgentListener } from './agent-listener.ts'
import { cannotStart, explain } from './failures.ts'
import { sessionFor, newAgentSession } from './agent-session.ts'
import type { AgentSession, Limits } from './agent-session.ts'
import { restore } from './ladder.ts'
import { createOutbox } from './outbox.ts'
import { lineTo, outsideOf, withFields } from './outside.ts'
import type { Outbox } from './outbox.ts'
import { NotStarted, startAgent } from './running-agent.ts'
import type { RunningAgent } from './running-agent.ts'
import type { Fields } from '../../lib/fields.ts'
import type { KnownAgent } from './known.ts'
import { restoredInfo } from './restored-info.ts'
import type { MemoryOddities } from './restoring.ts'
import { optionsOf } from './options.ts'
import { choose } from './settings.ts'
import type { Spare } from './spare.ts'
import { createTerminals } from './terminals.ts'
import { within } from './within.ts'

type SupervisorOptions = {
  readonly sessionId: SessionId
  readonly name: string
  readonly line: CommandLine
  /** Started before there was a session. */
  readonly spare: Spare
  readonly package?: string
  readonly memory: MemoryOddities
  readonly ownRules?: string
  readonly requiredMode?: string
  readonly plan?: KnownAgent['plan']
  /** It is not offered to have files read and written for it. */
  readonly withoutFiles?: boolean | undefined
  readonly mcpServers: readonly Fields[]
  readonly clientVersion: string
  readonly newId: () => string
  readonly limits: Limits
}

export interface AgentSupervisor {
  answer(turn: Turn, signal: AbortSignal): AsyncGenerator<AgentItem, void, undefined>
  /** Brings it so far that it can be spoken with, without a message. */
  reach(between: BetweenTurns & NoticeSink, signal: AbortSignal): Promise<void>
  options(): AgentOptions | undefined
  setOption(
    between: BetweenTurns & NoticeSink,
    choice: OptionChoice,
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

const START_ATTEMPTS = 3

export function createAgentSupervisor(options: SupervisorOptions): AgentSupervisor {
  const { name, limits } = options
  const terminals = createTerminals()
  let switchboard: Switchboard | undefined
  let notices: NoticeSink | undefined
  let line: Disposable | undefined
  const listener = createAgentListener(
    terminals,
    outsideOf(
      options.sessionId,
      () => switchboard,
      () => notices,
    ),
  )
  let agent: RunningAgent | undefined
  let session: AgentSession | undefined
  /** How often it died or did not come up since it last answered. */
  let failures = 0
  let idle: NodeJS.Timeout | undefined
  /** What people chose among its options. */
  let chosen: Readonly<Record<string, string | boolean>> = {}
  /** The turn before, which may still be on its way out. */
  let last: Promise<void> = Promise.resolve()
  let isAnswering = false
  const ending = new AbortController()
  const meeting = {}

  async function* answer(
    turn: Turn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentItem, void, undefined> {
    clearTimeout(idle)
    await last
    isAnswering = true
    const outbox = createOutbox()
    const work = run(turn, signal, outbox).finally(() => outbox.end())
    last = work.then(rest, rest)
    signal.addEventListener('abort', () => outbox.end(), { once: true })
    yield* outbox.items()
    await work
  }

  async function reach(between: BetweenTurns & NoticeSink, wanted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([wanted, ending.signal])
    await inTurn(meeting, async () => {
      if (session !== undefined && agent?.isGone === false) return tellOffered(between)
      signal.throwIfAborted()
      clearTimeout(idle)
      switchboard = between.switchboard
      notices = between
      try {
        const running = await ensureAgent(between.cwd, signal, () => {})
        await ensureSession(running, now(between)).catch((error: unknown) => {
          throw explain(name, running, error)
        })
      } finally {
        if (!isAnswering) rest()
      }
    })
  }

  async function setOption(
    between: BetweenTurns & NoticeSink,
    choice: OptionChoice,
    signal: AbortSignal,
  ): Promise<void> {
    await reach(between, signal)
    if (session === undefined || agent === undefined) throw new Error(`${name} is not there.`)
    const { known, offers } = session
    await choose(agent.connection, known.innerSessionId, offers, choice).catch((error: unknown) => {
      throw agent === undefined ? error : explain(name, agent, error)
    })
    chosen = { ...chosen, [choice.id]: choice.value }
    await keepChosen(between.workspacePath, name, chosen)
  }

  /** An agent tells its commands once; who asks later is told what it said. */
  function tellOffered({ tell }: NoticeSink): void {
    const commands = listener.offered
    if (commands !== undefined) tell({ type: 'commands.changed', data: { commands } })
  }

  function rest(): void {
    isAnswering = false
    listener.rest()
    idle = setTimeout(() => void stop(), limits.idleMs)
    idle.unref()
  }

  async function run(turn: Turn, signal: AbortSignal, outbox: Outbox): Promise<void> {
    signal.throwIfAborted()
    switchboard = turn.switchboard
    const { turnId } = turn
    const running = await inTurn(meeting, () =>
      ensureAgent(turn.cwd, signal, (retry) =>
        outbox.push({ notice: { type: 'assistant.turn_retry', data: { turnId, ...retry } } }),
      ),
    )
    try {
      const mine = await inTurn(meeting, () => ensureSession(running, turn))
      if (mine.untold !== undefined) outbox.push({ draft: mine.untold })
      mine.untold = undefined
      signal.throwIfAborted()
      if (Object.keys(chosen).length > 0) await keepChosen(turn.workspacePath, name, chosen)
      await answerPrompt({
        ...options,
        turn,
        signal,
        outbox,
        terminals,
        connection: running.connection,
        abilities: abilitiesOf(running.about.capabilities),
        session: mine,
        hear: (services, updates) => listener.hear(mine.known.innerSessionId, services, updates),
        stop,
      })
      failures = 0
    } catch (error) {
      if (!running.isGone || signal.aborted) throw explain(name, running, error)
      failures += 1
      throw new Error(
        `${name} ended in the middle of its work. ${await running.farewell()} ` +
          'What it said and did until then is kept. ' +
          'The next message starts it again and gives it the conversation.',
        { cause: error },
      )
    }
  }

  async function ensureAgent(
    cwd: string,
    signal: AbortSignal,
    onRetry: (retry: { readonly reason: string; readonly attempt: number }) => void,
  ): Promise<RunningAgent> {
    if (agent !== undefined && !agent.isGone) return agent
    session = undefined
    if ((await kindOf(cwd)) !== 'folder') {
      throw new Error(`The directory of this session is gone: ${cwd}. Nothing was sent.`)
    }
    for (let attempt = 1; ; attempt++) {
      await pause(retryDelay(failures, limits), signal)
      try {
        agent = await options.spare.take(cwd, listener.handlers)
        agent ??= await startAgent(options.line, listener.handlers, {
          ...limits,
          cwd,
          clientVersion: options.clientVersion,
          withoutFiles: options.withoutFiles,
        })
        return agent
      } catch (error) {
        failures += 1
        const mayRetry = error instanceof NotStarted && error.mayRetry && attempt < START_ATTEMPTS
        if (!mayRetry || signal.aborted) throw cannotStart(options, error)
        onRetry({ reason: `${name} did not come up. ${error.message} It is tried again.`, attempt })
      }
    }
  }

  async function ensureSession(running: RunningAgent, turn: Moment): Promise<AgentSession> {
    const mine = session === undefined ? undefined : sessionFor(session, turn)
    if (mine !== undefined) return (session = mine)
    const isKnown = session !== undefined && session.unasked === undefined
    const known = isKnown ? session?.known : await readInner(turn.workspacePath, name)
    session = undefined
    const restored = await restore({
      ...options,
      ...options.memory,
      ...limits,
      env: { ...process.env, ...options.line.env },
      connection: withFields(patient(running.connection, limits.startMs), turn),
      abilities: abilitiesOf(running.about.capabilities),
      turn,
      known,
      replaying: listener.replaying,
    })
    session = newAgentSession(restored, turn, running.about)
    chosen = { ...(await readChosen(turn.workspacePath, name)), ...chosen }
    await chooseAgain(running, session)
    session.untold = restoredInfo(options, running.about, restored)
    line?.[Symbol.dispose]()
    line = switchboard?.connect(
      options.sessionId,
      lineTo(running.connection, restored.innerSessionId),
    )
    return session
  }

  async function chooseAgain(
    running: RunningAgent,
    { known, offers }: AgentSession,
  ): Promise<void> {
    for (const [id, value] of Object.entries(chosen))
      // What it does not have any more is shown as it is, among its options.
      await choose(running.connection, known.innerSessionId, offers, { id, value }).catch(() => {})
  }

  async function stop(): Promise<void> {
    line?.[Symbol.dispose]()
    terminals.stopAll()
    await agent?.stop()
  }

  return {
    answer,
    reach,
    setOption,
    options: () =>
      session === undefined || agent?.isGone !== false ? undefined : optionsOf(session.offers),
    async close() {
      ending.abort()
      await stop()
      await last
      await inTurn(meeting, stop)
      clearTimeout(idle)
    },
  }
}

/** A step that takes too long fails like one that was refused: another way may be open. */
const patient = (connection: Connection, ms: number): Connection => ({
  ...connection,
  request: (method, params) =>
    within(
      ms,
      connection.request(method, params),
      () => new RpcFailure(rpcCodes.cancelled, `no answer within ${ms} ms`),
    ),
})

const retryDelay = (failures: number, { firstRetryMs, maxRetryMs }: Limits): number =>
  failures === 0 ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1))

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
