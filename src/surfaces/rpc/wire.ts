/** Our values in the shapes that the Copilot SDK reads. */
import type { SessionSummary } from '../../engine/catalogue.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { encodeFrame } from './frames.ts'

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

export const wireNotice = (notice: Notice, parentId: EventId | null): WireEvent => ({
  type: notice.type,
  data: notice.data,
  id: crypto.randomUUID(),
  timestamp: new Date().toISOString(),
  parentId,
  ephemeral: true,
  ...(notice.agentId !== undefined && { agentId: notice.agentId }),
})

/** One frame for all who are told. */
export const eventFrame = (sessionId: SessionId, event: WireEvent): Buffer =>
  encodeFrame({ jsonrpc: '2.0', method: 'session.event', params: { sessionId, event } })

export type WireSession = {
  readonly sessionId: string
  readonly startTime: string
  readonly modifiedTime: string
  readonly isRemote: false
  readonly summary?: string
  readonly name?: string
  readonly clientName?: string
  readonly context?: WireContext
}

export type WireContext = {
  readonly cwd: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly hostType?: string
  readonly branch?: string
}

export function wireSession(session: SessionSummary): WireSession {
  const { id, createdAt, modifiedAt, name, summary, clientName, cwd } = session
  const { gitRoot, repository, hostType, branch } = session
  const title = name ?? summary
  return {
    sessionId: id,
    startTime: createdAt,
    modifiedTime: modifiedAt,
    isRemote: false,
    ...(title !== '' && { summary: title }),
    ...(name !== undefined && { name }),
    ...(clientName !== undefined && { clientName }),
    ...(cwd !== undefined && {
      context: {
        cwd,
        ...(gitRoot !== undefined && { gitRoot }),
        ...(repository !== undefined && { repository }),
        ...(hostType !== undefined && { hostType }),
        ...(branch !== undefined && { branch }),
      },
    }),
  }
}
