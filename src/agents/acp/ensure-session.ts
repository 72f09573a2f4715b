/** The agent's own session, brought to know our conversation, with what people chose in it chosen again. */
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { readChosen, readInner } from './agent-file.ts'
import { newAgentSession, sessionFor, type AgentSession } from './agent-session.ts'
import { abilitiesOf } from './capabilities.ts'
import type { Connection } from './connection.ts'
import type { Moment } from './conversation.ts'
import { restore } from './context-restore-strategies.ts'
import { lineTo, withFields } from './acp-passthrough.ts'
import { restoredInfo } from './restored-info.ts'
import type { RunningAgent } from './running-agent.ts'
import { choose } from './agent-settings.ts'
import type { Supervised } from './supervised.ts'
import { within } from './with-timeout.ts'

export async function ensureSession(
  supervised: Supervised,
  running: RunningAgent,
  turn: Moment,
): Promise<AgentSession> {
  const { options, listener, session } = supervised
  const { name, limits } = options
  const mine = session === undefined ? undefined : sessionFor(session, turn)
  if (mine !== undefined) return (supervised.session = mine)
  const isKnown = session !== undefined && session.unasked === undefined
  const known = isKnown ? session?.known : await readInner(turn.workspacePath, name)
  supervised.session = undefined
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
  const fresh = newAgentSession(restored, turn, running.about)
  supervised.session = fresh
  supervised.chosen = { ...(await readChosen(turn.workspacePath, name)), ...supervised.chosen }
  await chooseAgain(supervised.chosen, running, fresh)
  fresh.untold = restoredInfo(options, running.about, restored)
  supervised.line?.[Symbol.dispose]()
  supervised.line = supervised.switchboard?.connect(
    options.sessionId,
    lineTo(running.connection, restored.innerSessionId),
  )
  return fresh
}

/** Choosing one may put another back, as a model does with its effort: what is not so then is chosen once more. */
async function chooseAgain(
  chosen: Supervised['chosen'],
  running: RunningAgent,
  { known, offers }: AgentSession,
): Promise<void> {
  for (let round = 1; round <= 2; round += 1)
    for (const [id, value] of Object.entries(chosen))
      // What it does not have any more is shown as it is, among its options.
      await choose(running.connection, known.innerSessionId, offers, { id, value }).catch(() => {})
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
