/**
 * One session of ours and the agent behind it, over as many lives of its process as there are. The process is started
 * when it is needed and again when it died; each time the agent is brought to know the conversation before it is asked.
 */
import type { AgentItem, BetweenTurns, Switchboard, Turn } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { kindOf } from '../tools/paths.ts'
import { readInner } from './agent-file.ts'
import type { CommandLine } from './agent-process.ts'
import { answerPrompt } from './answer.ts'
import { abilitiesOf } from './capabilities.ts'
import { RpcFailure } from '../../lib/rpc-lines.ts'
import { CANCELLED } from './connection.ts'
import type { Connection } from './connection.ts'
import { now } from './conversation.ts'
import type { Moment } from './conversation.ts'
import { createEar } from './ear.ts'
import { cannotStart, explain } from './failures.ts'
import { heldFor, newlyHeld } from './held.ts'
import type { Held, Limits } from './held.ts'
import { restore } from './ladder.ts'
import { createOutbox } from './outbox.ts'
import { lineTo, outsideOf, withFields } from './outside.ts'
import type { Outbox } from './outbox.ts'
import { NotStarted, startPeer } from './peer.ts'
import type { Peer } from './peer.ts'
import type { Raw } from './raw.ts'
import { restoredInfo } from './restored-info.ts'
import { createTerminals } from './terminals.ts'
import { within } from './within.ts'

export type LifeOptions = {
  readonly sessionId: SessionId
  readonly name: string
  readonly line: CommandLine
  readonly package?: string
  readonly hidesResources: boolean
  readonly mcpServers: readonly Raw[]
  readonly clientVersion: string
  readonly newId: () => string
  readonly limits: Limits
}

export interface Life {
  answer(turn: Turn, signal: AbortSignal): AsyncGenerator<AgentItem, void, undefined>
  /** Brings it so far that it can be spoken with, without a message. */
  reach(between: BetweenTurns, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const START_ATTEMPTS = 3

export function createLife(options: LifeOptions): Life {
  const { name, limits } = options
  const terminals = createTerminals()
  let switchboard: Switchboard | undefined
  let line: Disposable | undefined
  const ear = createEar(
    terminals,
    outsideOf(options.sessionId, () => switchboard),
  )
  let peer: Peer | undefined
  let held: Held | undefined
  /** How often it died or did not come up since it last answered. */
  let failures = 0
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

  async function reach(between: BetweenTurns, wanted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([wanted, ending.signal])
    await inTurn(meeting, async () => {
      if (held !== undefined && peer?.isGone === false) return
      signal.throwIfAborted()
      clearTimeout(idle)
      switchboard = between.switchboard
      try {
        const running = await ensurePeer(between.cwd, signal, () => {})
        await ensureHeld(running, now(between)).catch((error: unknown) => {
          throw explain(name, running, error)
        })
      } finally {
        if (!isAnswering) rest()
      }
    })
  }

  function rest(): void {
    isAnswering = false
    ear.rest()
    idle = setTimeout(() => void stop(), limits.idleMs)
    idle.unref()
  }

  async function run(turn: Turn, signal: AbortSignal, outbox: Outbox): Promise<void> {
    signal.throwIfAborted()
    switchboard = turn.switchboard
    const { turnId } = turn
    const running = await inTurn(meeting, () =>
      ensurePeer(turn.cwd, signal, (retry) =>
        outbox.push({ notice: { type: 'assistant.turn_retry', data: { turnId, ...retry } } }),
      ),
    )
    try {
      const session = await inTurn(meeting, () => ensureHeld(running, turn))
      if (session.untold !== undefined) outbox.push({ draft: session.untold })
      session.untold = undefined
      signal.throwIfAborted()
      await answerPrompt({
        ...options,
        turn,
        signal,
        outbox,
        terminals,
        connection: running.connection,
        abilities: abilitiesOf(running.about.capabilities),
        held: session,
        hear: (desk, updates) => ear.hear(session.known.innerSessionId, desk, updates),
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

  async function ensurePeer(
    cwd: string,
    signal: AbortSignal,
    onRetry: (retry: { readonly reason: string; readonly attempt: number }) => void,
  ): Promise<Peer> {
    if (peer !== undefined && !peer.isGone) return peer
    held = undefined
    if ((await kindOf(cwd)) !== 'folder') {
      throw new Error(`The directory of this session is gone: ${cwd}. Nothing was sent.`)
    }
    for (let attempt = 1; ; attempt++) {
      await pause(retryDelay(failures, limits), signal)
      try {
        peer = await startPeer(options.line, ear.listener, {
          ...limits,
          cwd,
          clientVersion: options.clientVersion,
        })
        return peer
      } catch (error) {
        failures += 1
        const mayRetry = error instanceof NotStarted && error.mayRetry && attempt < START_ATTEMPTS
        if (!mayRetry || signal.aborted) throw cannotStart(options, error)
        onRetry({ reason: `${name} did not come up. ${error.message} It is tried again.`, attempt })
      }
    }
  }

  async function ensureHeld(running: Peer, turn: Moment): Promise<Held> {
    const mine = held === undefined ? undefined : heldFor(held, turn)
    if (mine !== undefined) return (held = mine)
    const isKnown = held !== undefined && held.unasked === undefined
    const known = isKnown ? held?.known : await readInner(turn.workspacePath, name)
    held = undefined
    const restored = await restore({
      ...options,
      ...limits,
      connection: withFields(patient(running.connection, limits.startMs), turn),
      abilities: abilitiesOf(running.about.capabilities),
      turn,
      known,
      replaying: ear.replaying,
    })
    held = newlyHeld(restored, turn, running.about, known)
    held.untold = restoredInfo(name, running.about, restored)
    line?.[Symbol.dispose]()
    line = switchboard?.connect(
      options.sessionId,
      lineTo(running.connection, restored.innerSessionId),
    )
    return held
  }

  async function stop(): Promise<void> {
    line?.[Symbol.dispose]()
    terminals.stopAll()
    await peer?.stop()
  }

  return {
    answer,
    reach,
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
      () => new RpcFailure(CANCELLED, `no answer within ${ms} ms`),
    ),
})

const retryDelay = (failures: number, { firstRetryMs, maxRetryMs }: Limits): number =>
  failures === 0 ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1))

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
