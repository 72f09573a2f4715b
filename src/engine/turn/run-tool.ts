/**
 * Runs a tool because a person asked for it, not the agent: through the same hooks, rules and record of changed files.
 * It is no turn. The agent learns of it with the next message; a rewind of the turn before it takes it back as well.
 */
import type { Draft, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { settleInterrupted } from '../../state/repair.ts'
import type { AgentItem, PermissionRequest, ToolTurn, UserCall, UserTools } from '../agent.ts'
import { askPermission, mayRead, withdrawRequests } from './answer.ts'
import { answering } from './resolve-agent.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { toolHook } from './hooks.ts'
import { keepSnapshot } from '../live/folded-log.ts'
import { requireIdle, stateOf, type LiveSession } from '../live/live-session.ts'
import type { RunningTurn } from './message.ts'
import { askPerson } from './questions.ts'
import { occupy } from './acquire-session.ts'
import { sandboxFor } from './sandbox.ts'
import { observeTools } from './tool-effects.ts'
import { passItems } from './agent-items.ts'
import { whenNext } from './waiting-tools.ts'
import type { WriterOptions } from '../live/writer.ts'

export type RunToolOptions = WriterOptions & {
  /** While a turn runs: refuse (the default), or wait for its place in the order of what was sent. */
  readonly whenBusy?: 'refuse' | 'wait'
  /**
   * `person` (the default): one of the tools that every session has, which is thereby allowed. `agent`: one of those that
   * the agent of the session has, with the questions that it would ask.
   */
  readonly asThe?: 'person' | 'agent'
}

export type RanTool = {
  /** Withdrawn: a client stopped the session before it began. */
  readonly status: 'completed' | 'cancelled' | 'withdrawn'
  readonly toolCallId: string
  /** Of one that came to its end. */
  readonly completion?: Payload<'tool.execution_complete'>
}

export async function runTool(
  engine: EngineContext,
  session: LiveSession,
  call: UserCall,
  { whenBusy = 'refuse', asThe = 'person', ...options }: RunToolOptions = {},
): Promise<RanTool> {
  const isPerson = asThe === 'person'
  const userTools = isPerson ? engine.userTools : (await answering(engine, session)).callTool
  if (userTools === undefined) {
    throw new EngineError('invalid', 'No tools can be run by hand here. Nothing was done.')
  }
  const toolCallId = engine.newId()
  if (whenBusy === 'refuse') requireIdle(session, 'run a tool')
  const start = () =>
    occupy(engine, session, options, 'begin-tool', async (running): Promise<RanTool> => {
      const tools = { isPerson, run: userTools }
      const ran = await carryOut(engine, session, running, tools, { ...call, toolCallId })
      await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
      return { ...ran, toolCallId }
    })
  if (session.work.running === undefined) return start()
  return (await whenNext(session, start)) ?? { status: 'withdrawn', toolCallId }
}

async function carryOut(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  tools: { readonly isPerson: boolean; readonly run: UserTools },
  call: UserCall & { readonly toolCallId: string },
): Promise<Omit<RanTool, 'toolCallId'>> {
  const { signal } = running.abort
  const [record] = await commit(engine, session, [{ type: 'tool.user_requested', data: call }])
  if (record === undefined) throw new EngineError('internal', 'The request was not recorded.')
  // What it changes belongs to the turn that it follows.
  const turnEventId = stateOf(session).turns.at(-1)?.eventId ?? record.event.id
  const effects = observeTools(engine, session, turnEventId)
  const turn = turnOf(tools.isPerson ? askedFor(engine) : engine, session, signal)
  let completion: RanTool['completion']
  const items = seen(tools.run(turn, call, signal), (data) => (completion = data))
  let status: 'completed' | 'cancelled' = 'cancelled'
  try {
    status = await passItems(engine, session, items, effects, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await settle(engine, session, running, status)
  }
  return { status, ...defined({ completion }) }
}

async function* seen(
  items: AsyncIterable<AgentItem>,
  onEnd: (data: Payload<'tool.execution_complete'>) => void,
): AsyncGenerator<AgentItem, void, undefined> {
  for await (const item of items) {
    if ('draft' in item && item.draft.type === 'tool.execution_complete') onEnd(item.draft.data)
    yield item
  }
}

const turnOf = (engine: EngineContext, session: LiveSession, signal: AbortSignal): ToolTurn => ({
  sessionId: session.id,
  turnId: undefined,
  message: {},
  cwd: session.project.cwd,
  workspacePath: engine.fs.nativePath(session.dir),
  permit: (request) => askPermission(engine, session, request, signal),
  mayRead: (place) => mayRead(engine, session, place),
  asksToRead: engine.asksToRead,
  sandbox: sandboxFor(engine, session, signal),
  ask: (question) => askPerson(engine, session, question, signal),
  hook: (call) => toolHook(engine, session, call, signal),
  switchboard: engine.switchboard,
})

/** A client that asks for a tool allows it, in the sandbox; what the rules forbid stays forbidden. */
const askedFor = (engine: EngineContext): EngineContext => ({
  ...engine,
  policy: async (request: PermissionRequest, session) => {
    const decision = await engine.policy(request, session)
    return decision === 'ask' && session.leavesSandbox !== true
      ? { kind: 'allow', by: 'person' }
      : decision
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
