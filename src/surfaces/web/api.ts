/**
 * What goes over the wire, for the author of a client: every answer, every frame of a stream. Requests are in
 * `requests.ts`, as schemas. Types only: a page that imports them carries nothing of the server.
 */
import type { z } from 'zod'
import type { ErrorCode } from '../../engine/errors.ts'
import type { ContextAt } from '../../engine/history/context-at.ts'
import type { ContextItem } from '../../state/context-items.ts'
import type * as changes from './change-answers.ts'
import type * as sessions from './session-answers.ts'
import type * as store from './store-answers.ts'

/** Every answer that is not 2xx. */
export type ErrorAnswer = {
  readonly error: {
    readonly code: ApiErrorCode
    /** A sentence for a person: what happened, what was left untouched, what to do. */
    readonly message: string
    readonly details: Readonly<Record<string, unknown>>
  }
}

export type ApiErrorCode =
  | ErrorCode
  /** No token, or a wrong one. */
  | 'unauthorized'
  /** A Host, an Origin or a site that is not this one; or what is not for a guest. */
  | 'forbidden'
  | 'too_large'
  /** A POST that is not application/json. */
  | 'unsupported_media_type'
  | 'method_not_allowed'
  /** This server has no session store, or it cannot be read now. */
  | 'unavailable'

export type LoginAnswer = z.output<typeof store.LoginAnswer>
export type ServerAnswer = z.output<typeof store.ServerAnswer>
export type SearchAnswer = z.output<typeof store.SearchAnswer>
export type ReportAnswer = z.output<typeof store.ReportAnswer>
export type ActivityAnswer = z.output<typeof store.ActivityAnswer>
export type BoardAnswer = z.output<typeof store.BoardAnswer>
export type SqlCell = z.output<typeof store.SqlCell>
export type SqlAnswer = z.output<typeof store.SqlAnswer>
export type SqlSchemaAnswer = z.output<typeof store.SqlSchemaAnswer>

export type SessionStatus = z.output<typeof sessions.SessionStatus>
export type SessionRow = z.output<typeof sessions.SessionRow>
export type SessionsAnswer = z.output<typeof sessions.SessionsAnswer>
export type TrashAnswer = z.output<typeof sessions.TrashAnswer>
export type QueueEntry = z.output<typeof sessions.QueueEntry>
export type PendingRequest = z.output<typeof sessions.PendingRequest>
export type SessionAnswer = z.output<typeof sessions.SessionAnswer>
export type EventsAnswer = z.output<typeof sessions.EventsAnswer>
export type TranscriptAnswer = z.output<typeof sessions.TranscriptAnswer>
export type TurnsAnswer = z.output<typeof sessions.TurnsAnswer>
export type ContextAnswer = z.output<typeof sessions.ContextAnswer>
/** The result of the command `context`. */
export type GivenContext = ContextAt
export type { ContextItem }
export type ForksAnswer = z.output<typeof sessions.ForksAnswer>
export type PlanAnswer = z.output<typeof sessions.PlanAnswer>
export type FilesAnswer = z.output<typeof sessions.FilesAnswer>
export type CheckpointsAnswer = z.output<typeof sessions.CheckpointsAnswer>
export type CheckpointAnswer = z.output<typeof sessions.CheckpointAnswer>
export type RewindPreviewAnswer = z.output<typeof sessions.RewindPreviewAnswer>
export type RewoundAnswer = z.output<typeof sessions.RewoundAnswer>
export type RedoneAnswer = z.output<typeof sessions.RedoneAnswer>
export type CreatedAnswer = z.output<typeof sessions.CreatedAnswer>
export type SentAnswer = z.output<typeof sessions.SentAnswer>
export type CancelledAnswer = z.output<typeof sessions.CancelledAnswer>
export type OkAnswer = z.output<typeof sessions.OkAnswer>
export type ForkedAnswer = z.output<typeof sessions.ForkedAnswer>
export type CompactedAnswer = z.output<typeof sessions.CompactedAnswer>
export type RenamedAnswer = z.output<typeof sessions.RenamedAnswer>
export type DeletedAnswer = z.output<typeof sessions.DeletedAnswer>
export type RestoredAnswer = z.output<typeof sessions.RestoredAnswer>
export type LinkAnswer = z.output<typeof sessions.LinkAnswer>
export type GuestLinkAnswer = z.output<typeof sessions.GuestLinkAnswer>
export type CommandsAnswer = z.output<typeof sessions.CommandsAnswer>
export type CommandAnswer = z.output<typeof sessions.CommandAnswer>
export type StreamFrame = z.output<typeof sessions.StreamFrame>
export type ActivityFrame = z.output<typeof sessions.ActivityFrame>

export type ChangesAnswer = z.output<typeof changes.ChangesAnswer>
export type ChangedFileAnswer = z.output<typeof changes.ChangedFileAnswer>
export type RestoredFileAnswer = z.output<typeof changes.RestoredFileAnswer>
export type BlameAnswer = z.output<typeof changes.BlameAnswer>
export type FindAnswer = z.output<typeof changes.FindAnswer>
export type AgentsAnswer = z.output<typeof changes.AgentsAnswer>
export type ModelsAnswer = z.output<typeof changes.ModelsAnswer>
export type ProjectsAnswer = z.output<typeof changes.ProjectsAnswer>
export type InboxAnswer = z.output<typeof changes.InboxAnswer>
