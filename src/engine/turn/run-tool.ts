/**
 * Runs a tool because a person asked for it, not the agent: through the same hooks, rules and record of changed files.
 * It is no turn. The agent learns of it with the next message; a rewind of the turn before it takes it back as well.
 */
import type { Draft } from '../../format/event.ts'
import { settleInterrupted } from '../../state/repair.ts'
import type { PermissionRequest, ToolTurn, UserCall, UserTools } from '../agent.ts'
import { askPermission, mayRead, withdrawRequests } from './answer.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { toolHook } from './hooks.ts'
import { keepSnapshot } from '../live/folded-log.ts'
import { requireIdle, stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { RunningTurn } from './message.ts'
import { askPerson } from './questions.ts'
import { occupy } from './occupy.ts'
import { observeTools } from './tool-effects.ts'
import { passItems } from './turn.ts'
import { whenNext } from './waiting-tools.ts'
import type { WriterOptions } from '../live/writer.ts'

export type RunToolOptions = WriterOptions & {
  /** While a turn runs: refuse (the default), or wait for its place in the order of what was sent. */
  readonly whenBusy?: 'refuse' | 'wait'
}

export type RanTool = {
  /** Withdrawn: a client stopped the session before it began. */
  readonly status: 'completed' | 'cancelled' | 'withdrawn'
  readonly toolCallId: string
}

export async function runTool(
  engine: EngineContext,
  session: LiveSession,
  call: UserCall,
  { whenBusy = 'refuse', ...options }: RunToolOptions = {},
): Promise<RanTool> {
  const { userTools } = engine
  if (userTools === undefined) {
    throw new EngineError('invalid', 'No tools can be run by hand here. Nothing was done.')
  }
  const toolCallId = engine.newId()
  if (whenBusy === 'refuse') requireIdle(session, 'run a tool')
  const start = () =>
    occupy(engine, session, options, 'begin-tool', async (running): Promise<RanTool> => {
      const status = await carryOut(engine, session, running, userTools, { ...call, toolCallId })
      await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
      return { status, toolCallId }
    })
  if (session.work.running === undefined) return start()
  return (await whenNext(session, start)) ?? { status: 'withdrawn', toolCallId }
}

async function carryOut(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  userTools: UserTools,
  call: UserCall & { readonly toolCallId: string },
): Promise<'completed' | 'cancelled'> {
  const { signal } = running.abort
  const [record] = await commit(engine, session, [{ type: 'tool.user_requested', data: call }])
  if (record === undefined) throw new EngineError('internal', 'The request was not recorded.')
  // What it changes belongs to the turn that it follows.
  const turnEventId = stateOf(session).turns.at(-1)?.eventId ?? record.event.id
  const effects = observeTools(engine, session, turnEventId)
  const items = userTools(turnOf(engine, session, signal), call, signal)
  let status: 'completed' | 'cancelled' = 'cancelled'
  try {
    status = await passItems(engine, session, items, effects, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await settle(engine, session, running, status)
  }
  return status
}

const turnOf = (engine: EngineContext, session: LiveSession, signal: AbortSignal): ToolTurn => ({
  sessionId: session.id,
  turnId: undefined,
  message: {},
  cwd: session.project.cwd,
  workspacePath: engine.fs.nativePath(session.dir),
  permit: (request) => askPermission(askedFor(engine), session, request, signal),
  mayRead: (place) => mayRead(engine, session, place),
  ask: (question) => askPerson(engine, session, question, signal),
  hook: (call) => toolHook(engine, session, call, signal),
  switchboard: engine.switchboard,
})

/** A client that asks for a tool allows it; what the rules forbid stays forbidden. */
const askedFor = (engine: EngineContext): EngineContext => ({
  ...engine,
  policy: async (request: PermissionRequest, session) => {
    const decision = await engine.policy(request, session)
    return decision === 'ask' ? { kind: 'allow', by: 'person' } : decision
  },
})

async function settle(
  engine: EngineContext,
  session: LiveSession,
  { abort, reason }: RunningTurn,
  status: 'completed' | 'cancelled',
): Promise<void> {
  withdrawRequests(session)
  const { pieces } = session.work
  const drafts: Draft[] = settleInterrupted(stateOf(session), { pieces, why: 'stopped' })
  if (status === 'cancelled' && abort.signal.aborted)
    drafts.push({ type: 'abort', data: { reason } })
  if (drafts.length > 0) await commit(engine, session, drafts)
}
