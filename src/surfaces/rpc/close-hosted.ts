/** Closes a session that is open here: by wish, when nobody uses it any more, or because its files went away. */
import type { CloseOptions } from '../../engine/live/close.ts'
import type { Client } from './client.ts'
import { end, tell, waits } from './follow-session.ts'
import type { HostedSession } from './hosted-session.ts'
import { oneAtATime, type Hosted } from './hosted.ts'

export const isUsed = (session: HostedSession, leaving?: Client) =>
  // Extensions are there for the others and keep no session open.
  session.members.some(({ client }) => client !== leaving && client.extension === undefined) ||
  session.isPreloaded ||
  // A client asked for this work; it is done before the session is closed.
  session.ops.now?.isRunning === true ||
  waits(session)

export async function closeIfUnused(
  hosted: Hosted,
  session: HostedSession,
  leaving?: Client,
): Promise<void> {
  const isKept = () => isUsed(session, leaving)
  if (isKept()) return
  await closeNow(hosted, session, {}, isKept).catch((error: unknown) =>
    hosted.parts.log('error', `Session ${session.id} could not be closed: ${String(error)}`),
  )
}

/** The client that owned its files has gone: nothing of it can be kept any more, so it ends here, whatever runs. */
export function closeWithoutFiles(hosted: Hosted, session: HostedSession): void {
  tell(session, {
    type: 'session.error',
    data: {
      errorType: 'persistence',
      message:
        'The client that owns the files of this session has gone. Everything acknowledged is intact. Resume the session from a client that has its files.',
    },
  })
  void closeNow(hosted, session).catch((error: unknown) =>
    hosted.parts.log('warning', `Session ${session.id} ended without its files: ${String(error)}`),
  )
}

/** `isKept` is asked when it is its turn: a client may have come meanwhile. */
export const closeNow = (
  hosted: Hosted,
  session: HostedSession,
  options: CloseOptions = {},
  isKept: () => boolean = () => false,
) =>
  oneAtATime(hosted, session.id, async () => {
    if (hosted.sessions.get(session.id) === session && !isKept())
      await letGo(hosted, session, options)
  })

/** Ends it, and nothing of it is known any more. */
export async function letGo(
  hosted: Hosted,
  session: HostedSession,
  options: CloseOptions = {},
): Promise<void> {
  const { sessions, clientHosts } = hosted
  try {
    await end(session, options)
  } finally {
    sessions.delete(session.id)
    if (hosted.foreground === session.id) hosted.foreground = undefined
    const own = clientHosts.get(session.id)
    clientHosts.delete(session.id)
    await own?.engine.stop()
  }
}
