/**
 * What one client is told of a session: all after its cursor, `ready`, then what happens. It is what `follow` of the
 * session gives, written to the connection: history as fast as the client reads, the rest as it happens.
 */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { EncodeFrame, Told } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'

/** Returns when the client or the session is gone. */
export async function streamSession(
  engine: Pick<Engine, 'open' | 'subscribe'>,
  { id, after }: { readonly id: SessionId; readonly after: EventId | undefined },
  connection: SseConnection,
  encode: EncodeFrame,
): Promise<void> {
  const session = await engine.open(id)
  const over = new AbortController()
  const { signal } = over
  let isDeleted = false
  const end = () => over.abort()
  const endDeleted = () => {
    isDeleted = true
    end()
  }
  using _changes = engine.subscribe((change) => {
    if (change.kind === 'deleted' && change.id === id) endDeleted()
  })
  connection.signal.addEventListener('abort', end, { once: true })
  if (connection.signal.aborted) end()

  await tellAfter(after)
  while (!signal.aborted) {
    await tell({ event: 'reset', data: {} })
    await tellAfter(undefined)
  }
  if (isDeleted) await tell({ event: 'gone', data: {} })
  connection.end()

  /** Returns early when what the client has may not be in the log any more: then it is told everything again. */
  async function tellAfter(cursor: EventId | undefined): Promise<void> {
    let lastEventId = cursor
    let isLive = false
    try {
      for await (const item of session.follow({ signal, ...defined({ after: cursor }) })) {
        if (signal.aborted || (item.kind === 'reset' && item.upToEventId === undefined)) return
        if (item.kind === 'event') lastEventId = item.event.id
        if (item.kind === 'reset') lastEventId = undefined
        if (item.kind === 'live') isLive = true
        const telling = tell(item.kind === 'live' ? ready(lastEventId) : item)
        if (telling !== undefined) await telling
        if (!isLive) await connection.room()
      }
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined
      // Its log is gone a moment before the deletion is told, or another process deleted it.
      if (code === 'not_found') endDeleted()
      else if (code !== 'expired') throw error
    }
  }

  /** Waits for nothing where nothing has to be waited for: it is called for each event and each client. */
  function tell(told: Told): Promise<void> | void {
    const bytes = encode(told)
    if (bytes instanceof Promise) return bytes.then((each) => each && connection.put(each))
    return connection.put(bytes)
  }
}

const ready = (lastEventId: EventId | undefined): Told => ({
  event: 'ready',
  data: defined({ lastEventId }),
})
