/**
 * One connection on which a browser follows any number of sessions: a browser gives a host six connections, and people
 * open more tabs than that. Who holds the stream says which sessions to add and to leave out while it is open.
 */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { WebFailure } from './failure.ts'
import { encodeJoined } from './frames.ts'
import { streamSession } from './session-stream.ts'
import type { SseConnection } from './sse-connection.ts'

type Followed = {
  /** Chosen by the client; the frames of this session carry it. */
  readonly key: string
  readonly sessionId: SessionId
  readonly after?: EventId | undefined
}

export interface JointStreams {
  /** Known by the id that is answered until its client is gone. */
  open(connection: SseConnection): string
  follow(streamId: string, followed: Followed): void
  /** Says nothing when it was not followed: the session may have ended first. */
  unfollow(streamId: string, key: string): void
}

type JointStream = {
  readonly connection: SseConnection
  readonly follows: Map<string, AbortController>
}

/** More than any person has tabs; each costs a place in the feed of its session. */
const MOST_FOLLOWED = 500

export function createJointStreams(
  engine: Pick<Engine, 'open' | 'subscribe'>,
  onFault?: (error: unknown) => void,
): JointStreams {
  const streams = new Map<string, JointStream>()
  const streamOf = (id: string): JointStream => {
    const stream = streams.get(id)
    if (stream === undefined)
      throw new WebFailure('not_found', 'This stream has ended. Open a new one.')
    return stream
  }
  return {
    open(connection) {
      const id = randomUUID()
      streams.set(id, { connection, follows: new Map() })
      connection.signal.addEventListener('abort', () => streams.delete(id), { once: true })
      return id
    },
    follow(streamId, { key, sessionId, after }) {
      const { connection, follows } = streamOf(streamId)
      if (follows.size >= MOST_FOLLOWED)
        throw new WebFailure('too_large', `A stream follows at most ${MOST_FOLLOWED} sessions.`)
      follows.get(key)?.abort()
      const over = new AbortController()
      follows.set(key, over)
      const leave = () => {
        over.abort()
        if (follows.get(key) === over) follows.delete(key)
      }
      streamSession(
        engine,
        { id: sessionId, after },
        partOf(connection, over),
        encodeJoined(key),
      ).then(leave, (error: unknown) => {
        // The connection has begun, so it can only end; the client comes back and is told then.
        onFault?.(error)
        leave()
        connection.end()
      })
    },
    unfollow(streamId, key) {
      streamOf(streamId).follows.get(key)?.abort()
    },
  }
}

/** What one session has of the connection: when it ends, the others go on. */
function partOf(connection: SseConnection, over: AbortController): SseConnection {
  const end = () => over.abort()
  connection.signal.addEventListener('abort', end, { once: true, signal: over.signal })
  if (connection.signal.aborted) end()
  return {
    signal: over.signal,
    put: (bytes) => connection.put(bytes),
    room: () => connection.room(),
    end,
    [Symbol.dispose]: end,
  }
}
