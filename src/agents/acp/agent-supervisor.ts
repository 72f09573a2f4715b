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
  Turn,
} from '../../engine/agent.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { keepChosen } from './agent-file.ts'
import { answerPrompt } from './answer.ts'
import { abilitiesOf } from './capabilities.ts'
import { now } from './conversation.ts'
import { ensureAgent } from './ensure-agent.ts'
import { ensureSession } from './ensure-session.ts'
import { explain } from './failures.ts'
import { endIfBehind } from './stale-session.ts'
import { optionsOf } from './options.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { choose } from './agent-settings.ts'
import { notStarted, type SupervisorOptions } from './supervised.ts'

export interface AgentSupervisor {
  answer(turn: Turn, signal: AbortSignal): AsyncGenerator<AgentItem, void, undefined>
  /** Brings it so far that it can be spoken with, without a message. */
  start(between: BetweenTurns & NoticeSink, signal: AbortSignal): Promise<void>
  options(): AgentOptions | undefined
  setOption(
    between: BetweenTurns & NoticeSink,
    choice: OptionChoice,
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

export function createAgentSupervisor(options: SupervisorOptions): AgentSupervisor {
  const { name, limits } = options
  const supervised = notStarted(options)
  const { terminals, listener } = supervised
  let idle: NodeJS.Timeout | undefined
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

  async function start(between: BetweenTurns & NoticeSink, wanted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([wanted, ending.signal])
    await inTurn(meeting, async () => {
      await endIfBehind(supervised, now(between))
      if (supervised.session !== undefined && supervised.agent?.isGone === false)
        return tellOffered(between)
      signal.throwIfAborted()
      clearTimeout(idle)
      supervised.switchboard = between.switchboard
      supervised.notices = between
      try {
        const running = await ensureAgent(supervised, between.cwd, signal, () => {})
        await ensureSession(supervised, running, now(between)).catch((error: unknown) => {
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
    await start(between, signal)
    const { session, agent } = supervised
    if (session === undefined || agent === undefined) throw new Error(`${name} is not there.`)
    const { known, offers } = session
    await choose(agent.connection, known.innerSessionId, offers, choice).catch((error: unknown) => {
      throw explain(name, agent, error)
    })
    supervised.chosen = { ...supervised.chosen, [choice.id]: choice.value }
    await keepChosen(between.workspacePath, name, supervised.chosen)
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
    supervised.switchboard = turn.switchboard
    supervised.notices = turn.later ?? supervised.notices
    const { turnId } = turn
    const running = await inTurn(meeting, async () => {
      await endIfBehind(supervised, turn)
      return ensureAgent(supervised, turn.cwd, signal, (retry) =>
        outbox.push({ notice: { type: 'assistant.turn_retry', data: { turnId, ...retry } } }),
      )
    })
    try {
      const mine = await inTurn(meeting, () => ensureSession(supervised, running, turn))
      if (mine.untold !== undefined) outbox.push({ draft: mine.untold })
      mine.untold = undefined
      signal.throwIfAborted()
      if (Object.keys(supervised.chosen).length > 0)
        await keepChosen(turn.workspacePath, name, supervised.chosen)
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
      supervised.failures = 0
    } catch (error) {
      if (!running.isGone || signal.aborted) throw explain(name, running, error)
      supervised.failures += 1
      throw new Error(
        `${name} ended in the middle of its work. ${await running.farewell()} ` +
          'What it said and did until then is kept. ' +
          'The next message starts it again and gives it the conversation.',
        { cause: error },
      )
    }
  }

  async function stop(): Promise<void> {
    supervised.line?.[Symbol.dispose]()
    terminals.stopAll()
    await supervised.agent?.stop()
  }

  return {
    answer,
    start,
    setOption,
    options() {
      const { session, agent } = supervised
      return session === undefined || agent?.isGone !== false
        ? undefined
        : optionsOf(session.offers)
    },
    async close() {
      ending.abort()
      await stop()
      await last
      await inTurn(meeting, stop)
      clearTimeout(idle)
    },
  }
}
