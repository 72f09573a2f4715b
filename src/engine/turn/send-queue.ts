/**
 * What is sent to a session is taken in the order of the calls: a message first looks for the process that it belongs
 * to, a tool of a person does not, and would overtake it.
 */
import { deferred } from '../../lib/deferred.ts'
import type { UserCall } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { sendNextDoor, workNextDoor } from '../transport/at-turn.ts'
import type { Message } from './message.ts'
import { runTool, type RanTool, type RunToolOptions } from './run-tool.ts'
import { send, type SendOptions, type Sent } from './send.ts'

/** A turn that runs in another process is joined, or that process sends the message when its turn has ended. */
export function sendInOrder(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: SendOptions = {},
): Promise<Sent> {
  const { whenBusy = 'refuse' } = options
  return takeInOrder(session, async (taken) => {
    for (;;) {
      const mayJoin = whenBusy !== 'refuse' && message.prompt.trim() !== ''
      const running = mayJoin ? await workNextDoor(engine, session) : undefined
      if (running === undefined || whenBusy === 'refuse') {
        const sent = send(engine, session, message, options)
        taken()
        return sent
      }
      const sent = await sendNextDoor(engine, session, running, message, whenBusy)
      if (sent !== 'over') return sent
    }
  })
}

/** Among the messages in the order of the calls. */
export function runToolInOrder(
  engine: EngineContext,
  session: LiveSession,
  call: UserCall,
  options: RunToolOptions = {},
): Promise<RanTool> {
  return takeInOrder(session, (taken) => {
    const ran = runTool(engine, session, call, options)
    taken()
    return ran
  })
}

/** `taken` is called when it has its place. */
async function takeInOrder<T>(
  { queue }: LiveSession,
  take: (taken: () => void) => Promise<T>,
): Promise<T> {
  const { promise, resolve: taken } = deferred<void>()
  const before = queue.coming
  queue.coming = promise
  await before
  return take(taken).finally(taken)
}
