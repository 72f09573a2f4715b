/** The handle of a session that is reached from this machine: the table of operations, and what is bound by hand. */
import type { SessionId } from '../format/ids.ts'
import type { EngineContext } from './engine-context.ts'
import * as artifacts from './sessions/artifacts.ts'
import { close } from './live/close.ts'
import { save } from './live/create.ts'
import { eventItems, rawLog } from './live/events.ts'
import { follow } from './live/follow.ts'
import { requireIdle, type LiveSession } from './live/live-session.ts'
import { holderOf, open } from './live/open.ts'
import { setAgent } from './live/session-settings.ts'
import { transcript } from './live/transcript.ts'
import { yieldWriter } from './live/writer.ts'
import { translated, withOpen } from './operations/operation.ts'
import { bindOperations, rowOf, type OperationName } from './operations/table.ts'
import type { Session } from './session.ts'
import { withParts } from './session-parts.ts'
import { activity } from './turn/activity.ts'
import { setAgentOption } from './turn/agent-options.ts'
import { startAgent } from './turn/start-agent.ts'
import { runToolInOrder } from './turn/send-queue.ts'

export function sessionHandle(engine: EngineContext, id: SessionId): Session {
  const onOpen = <T>(action: (session: LiveSession) => Promise<T> | T): Promise<T> =>
    withOpen({ engine, id }, action)
  const perform = (name: OperationName, params: object): Promise<unknown> =>
    rowOf(name).run({ engine, id, name }, params as never)

  return {
    ...bindOperations(perform),
    id,
    perform,
    get now() {
      const session = engine.live.get(id)
      return session && activity(session)
    },
    with: (parts) => sessionHandle(withParts(engine, parts), id),
    resume: (given) => open(engine, id, given),
    save: () => onOpen((session) => save(engine, session)),
    close: (given) => close(engine, id, given),
    releaseLease: () =>
      onOpen((session) => {
        requireIdle(session, 'let go of it')
        return yieldWriter(engine, session)
      }),
    holder: () => holderOf(engine, id),
    runTool: (call, given) => onOpen((session) => runToolInOrder(engine, session, call, given)),
    startAgent: (signal) => onOpen((session) => startAgent(engine, session, signal)),
    setAgent: (agent) => onOpen((session) => setAgent(engine, session, agent)),
    setAgentOption: (choice, signal) =>
      onOpen((session) => setAgentOption(engine, session, choice, signal)),
    follow: (given) => follow(engine, () => onOpen((session) => session), given),
    eventItems: () => eventItems(engine, id),
    raw: () => rawLog(engine, id),
    transcript: () => transcript(engine, id),
    readBlob: (sha256, given) => translated(() => artifacts.readBlob(engine, id, sha256, given)),
  }
}
