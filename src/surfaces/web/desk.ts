/**
 * What goes on in the sessions that this server works in: which turn runs, which permission and which question
 * waits for a person. A question is told and never stored, so whoever comes later learns of it from here.
 */
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Event } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { PendingQuestion, SessionStatus } from './api.ts'
import type { Hub } from './hub.ts'

export interface Desk {
  /** Watches the session while the work is done. */
  during<T>(id: SessionId, work: () => Promise<T>): Promise<T>
  /** What goes on here; where that is nothing, what goes on elsewhere. */
  status(id: SessionId, elsewhere: (id: SessionId) => SessionStatus): SessionStatus
  /** Events `permission.requested` that this process can answer, by the id of the request. */
  requests(id: SessionId): ReadonlyMap<string, Event>
  questions(id: SessionId): readonly PendingQuestion[]
  /** Tells of every change of a status. */
  onStatus(listener: (id: SessionId) => void): Disposable
}

type Case = {
  running: number
  readonly requests: Map<string, Event>
  readonly questions: Map<string, PendingQuestion>
}

export function createDesk(hub: Hub): Desk {
  const cases = new Map<SessionId, Case>()
  const listeners = new Set<(id: SessionId) => void>()
  const changed = (id: SessionId) => {
    for (const listener of listeners) listener(id)
  }

  return {
    async during(id, work) {
      using held = await hub.hold(id)
      const open = cases.get(id) ?? { running: 0, requests: new Map(), questions: new Map() }
      cases.set(id, open)
      open.running++
      using _watch = held.channel.listen((item) => {
        const before = statusOf(open)
        if (item !== undefined) note(open, item)
        if (statusOf(open) !== before) changed(id)
      })
      changed(id)
      try {
        return await work()
      } finally {
        open.running--
        if (open.running === 0) cases.delete(id)
        changed(id)
      }
    },
    status: (id, elsewhere) => (cases.has(id) ? statusOf(cases.get(id)) : elsewhere(id)),
    requests: (id) => cases.get(id)?.requests ?? new Map(),
    questions: (id) => [...(cases.get(id)?.questions.values() ?? [])],
    onStatus(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}

function statusOf(open: Case | undefined): SessionStatus {
  if (open === undefined || open.running === 0) return 'idle'
  return open.requests.size + open.questions.size > 0 ? 'waiting' : 'running'
}

function note({ requests, questions }: Case, item: FeedItem): void {
  if (item.kind === 'event') {
    const { event } = item
    if ('stranger' in event) return
    if (event.type === 'permission.requested') requests.set(event.data.requestId, event)
    if (event.type === 'permission.completed') requests.delete(event.data.requestId)
  } else if (item.kind === 'notice') {
    const { notice } = item
    if (notice.type === 'session.idle') {
      requests.clear()
      questions.clear()
    }
    if (notice.type === 'user_input.completed') questions.delete(notice.data.requestId)
    if (notice.type === 'user_input.requested') {
      const { requestId, question, choices, toolCallId } = notice.data
      questions.set(requestId, {
        requestId,
        question,
        ...defined({ choices, toolCallId }),
      })
    }
  }
}
