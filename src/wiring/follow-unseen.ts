/**
 * Marks sessions whose turn ended in a terminal or in a server while nobody may have looked; who looks takes the mark
 * away. A list of sessions shows them first.
 */
import type { Engine } from '../engine/engine.ts'
import type { Change } from '../engine/sessions/home-changes.ts'
import { markSeen, markUnseen, type Unseen } from '../engine/sessions/unread.ts'
import type { SessionId } from '../format/ids.ts'
import { endsTurn } from '../state/turn-end.ts'

type FollowedUnseen = AsyncDisposable & {
  /** A person has this session before them. */
  seen(id: SessionId): void
}

export function followUnseen(engine: Engine): FollowedUnseen {
  let working: Promise<void> = Promise.resolve()
  // One after the other: what was seen is seen after it has come.
  const mark = (id: SessionId, deed: Unseen | 'seen') => {
    working = working
      .then(() => (deed === 'seen' ? markSeen(engine.fs, id) : markUnseen(engine.fs, id, deed)))
      // A mark is a help: without it the session is listed by its place.
      .catch(() => {})
  }
  const following = engine.subscribe((change) => {
    const deed = deedFor(change)
    if (deed !== undefined) mark(change.id, deed)
  })
  return {
    seen: (id) => mark(id, 'seen'),
    async [Symbol.asyncDispose]() {
      following[Symbol.dispose]()
      await working
    },
  }
}

/** The last of what a change tells counts. */
function deedFor(change: Change): Unseen | 'seen' | undefined {
  if (change.kind === 'deleted' || change.kind === 'reset') return 'seen'
  if (change.kind !== 'records') return undefined
  const isStopped = change.records.some(({ event }) => event.type === 'abort')
  return change.records.reduce<Unseen | 'seen' | undefined>((deed, { event }) => {
    if ('stranger' in event || event.agentId !== undefined) return deed
    if (event.type === 'session.error') return 'failed'
    // A person cancels a turn that they look at.
    if (event.type === 'abort' || event.type === 'user.message') return 'seen'
    return endsTurn(event) && !isStopped && deed !== 'failed' ? 'done' : deed
  }, undefined)
}
