/** Our values in the shapes that the Copilot SDK reads. */
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { SessionState } from '../../state/session-state.ts'
import { contentLength } from '../../lib/json-rpc/content-length.ts'

/** An event as the SDK reads it; a notice is one that is never stored. */
export type WireEvent = {
  readonly type: string
  readonly data: unknown
  readonly id: string
  readonly timestamp: string
  readonly parentId: string | null
  readonly ephemeral?: true
  readonly agentId?: string
}

export function wireEvent(event: Event | Stranger): WireEvent {
  if (!('stranger' in event)) return event
  const { stranger: _ours, ...rest } = event
  return rest
}

/** What is told and not kept; most of it are notices. */
export type Told = {
  readonly type: string
  readonly data: unknown
  readonly agentId?: string | undefined
}

export const wireNotice = (notice: Told, parentId: EventId | null): WireEvent => ({
  type: notice.type,
  data: notice.data,
  id: crypto.randomUUID(),
  timestamp: new Date().toISOString(),
  parentId,
  ephemeral: true,
  ...defined({ agentId: notice.agentId }),
})

/** A client joined the session where it is open. The log is not told: nobody opened it again. */
export function joined(state: SessionState): Told {
  const { model: selectedModel, reasoningEffort, eventCount, size, project } = state
  return {
    type: 'session.resume',
    data: {
      resumeTime: new Date().toISOString(),
      eventCount,
      eventsFileSizeBytes: size,
      alreadyInUse: false,
      sessionWasActive: true,
      ...defined({ selectedModel, reasoningEffort, context: project }),
    },
  }
}

/** One frame for all who are told. */
export const eventFrame = (sessionId: SessionId, event: WireEvent): Buffer =>
  contentLength.encode({ jsonrpc: '2.0', method: 'session.event', params: { sessionId, event } })

type WireSession = {
  readonly sessionId: string
  readonly startTime: string
  readonly modifiedTime: string
  readonly isRemote: false
  readonly summary: string | undefined
  readonly name: string | undefined
  readonly clientName: string | undefined
  readonly context: WireContext | undefined
}

type WireContext = {
  readonly cwd: string
  readonly gitRoot: string | undefined
  readonly repository: string | undefined
  readonly hostType: string | undefined
  readonly branch: string | undefined
}

/** Every one has the same fields, also those that JSON leaves out: ten thousand of them are encoded faster so. */
export function wireSession(session: SessionSummary): WireSession {
  const { id, createdAt, modifiedAt, name, summary, clientName, cwd } = session
  const { gitRoot, repository, hostType, branch } = session
  return {
    sessionId: id,
    startTime: createdAt,
    modifiedTime: modifiedAt,
    isRemote: false,
    summary: (name ?? summary) || undefined,
    name,
    clientName,
    context: cwd === undefined ? undefined : { cwd, gitRoot, repository, hostType, branch },
  }
}
