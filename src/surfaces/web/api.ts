/**
 * What goes over the wire, for whoever writes a client: every answer, every frame of a stream. Requests are in
 * `requests.ts`, as schemas. Types only: a page that imports them carries nothing of the server.
 */
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { TranscriptEntry } from '../../state/transcript.ts'
import type { Usage } from '../../state/usage.ts'
import type { RewindPoint } from '../../state/turns.ts'
import type { Bucket } from '../../state/relevance.ts'

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
  | 'not_found'
  | 'ambiguous'
  | 'invalid'
  | 'in_use'
  | 'busy'
  | 'conflict'
  | 'expired'
  | 'corrupt'
  | 'legacy'
  | 'not_durable'
  | 'cancelled'
  | 'internal'
  /** No token, or a wrong one. */
  | 'unauthorized'
  /** A Host, an Origin or a site that is not this one. */
  | 'forbidden'
  | 'too_large'
  /** A POST that is not application/json. */
  | 'unsupported_media_type'
  | 'method_not_allowed'
  /** This server has no session store, or it cannot be read now. */
  | 'unavailable'

/** `POST /api/login`: the code of the link becomes a cookie. */
export type LoginAnswer = { readonly ok: true }

/** `GET /api/server`. */
export type ServerAnswer = {
  readonly version: string
  readonly home: string
  readonly cwd: string
  /** False: search, chronicle, usage, board and SQL answer `unavailable`. */
  readonly hasStore: boolean
}

export type SessionRow = {
  readonly id: SessionId
  readonly name?: string
  readonly userNamed: boolean
  /** The beginning of the first prompt, on one line. */
  readonly summary: string
  readonly cwd?: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly branch?: string
  readonly clientName?: string
  readonly createdAt: string
  readonly modifiedAt: string
  readonly turns?: number
  readonly checkpoints: number
  readonly forkCount: number
  readonly bytes: number
  /** How near it is to the directory that the server was started in. */
  readonly bucket: Bucket
  readonly status: SessionStatus
}

/** What this server does with it: a turn runs, a person is asked, or neither. */
export type SessionStatus = 'idle' | 'running' | 'waiting'

/** `GET /api/sessions`, nearest and then newest first. */
export type SessionsAnswer = {
  readonly sessions: readonly SessionRow[]
  /** All that fit, on all pages. */
  readonly total: number
  readonly more: boolean
}

/** `GET /api/trash`. */
export type TrashAnswer = {
  readonly sessions: readonly { readonly id: SessionId; readonly deletedAt: string }[]
}

/** `GET /api/sessions/:id`. */
export type SessionAnswer = {
  readonly metadata: Metadata
  /** Without `turns`: `GET /api/sessions/:id/turns` gives them. */
  readonly state: Omit<SessionState, 'turns' | 'usage'> & { readonly turnCount: number }
  readonly usage: Usage
  readonly status: SessionStatus
  readonly queue: readonly QueueEntry[]
  readonly requests: readonly PendingRequest[]
  readonly questions: readonly PendingQuestion[]
}

export type Metadata = Omit<SessionRow, 'bucket' | 'status'> & {
  readonly path: string
  readonly folderBytes: number
  /** Who has it open for writing now. */
  readonly holder?: {
    readonly pid: number
    readonly host: string
    readonly label: string
    readonly since: string
  }
  /** How many rewinds can be redone. */
  readonly rewound: number
}

export type QueueEntry = { readonly id: string; readonly prompt: string }

/** A permission that was asked for. Answer it with `POST …/answer`. */
export type PendingRequest = {
  readonly requestId: string
  /** The event `permission.requested`; its `data.permissionRequest` says what is wanted. */
  readonly event: Event
  /** False: the turn runs in another process, which alone can take the answer. */
  readonly answerable: boolean
}

/** A question of the agent. Answer it with `POST …/answer-question`. */
export type PendingQuestion = {
  readonly requestId: string
  readonly question: string
  readonly choices?: readonly string[]
  readonly toolCallId?: string
}

/** `GET /api/sessions/:id/events`. Backward pages are newest first. */
export type EventsAnswer = {
  readonly events: readonly (Event | Stranger)[]
  readonly more: boolean
  /** Damage that was met on the way, for people. */
  readonly findings: readonly unknown[]
}

/** `GET /api/sessions/:id/transcript`: whole turns, oldest first, that end before the cursor or with the log. */
export type TranscriptAnswer = {
  readonly entries: readonly TranscriptEntry[]
  /** Give it as `before` for the page that comes before this one. Absent at the beginning of the log. */
  readonly before?: EventId
  /** The last event of this page: give it as `after` to the stream. */
  readonly lastEventId?: EventId
}

/** `GET /api/sessions/:id/turns`, newest first: where it can be rewound to. */
export type TurnsAnswer = { readonly turns: readonly RewindPoint[] }

/** `POST /api/sessions`. */
export type CreatedAnswer = { readonly sessionId: SessionId }

/** `POST …/send`. With `wait`, the outcome of the turn; without, that the message is in the log or the queue. */
export type SentAnswer = {
  readonly status:
    'accepted' | 'queued' | 'steered' | 'completed' | 'cancelled' | 'failed' | 'withdrawn'
  /** Of a queued message. */
  readonly messageId?: string
  readonly turnId?: string
  readonly error?: string
}

export type CancelledAnswer = { readonly cancelled: boolean }
export type OkAnswer = { readonly ok: true }

/** `GET …/rewind-preview?eventId=`. */
export type RewindPreviewAnswer = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly eventsRemoved: number
  readonly turnsRemoved: number
  readonly checkpointsRemoved: number
  readonly bytesRemoved: number
  readonly files: readonly {
    readonly path: string
    readonly change: 'created' | 'modified' | 'deleted'
    readonly verdict: 'restore' | 'already' | 'drifted' | 'notCovered'
    readonly linesAdded: number
    readonly linesRemoved: number
  }[]
}

type SkippedFile = { readonly path: string; readonly reason: string }

/** `POST …/rewind` and `POST …/undo`. */
export type RewoundAnswer = Omit<RewindPreviewAnswer, 'files'> & {
  readonly sessionId: SessionId
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
}

/** `POST …/redo`. */
export type RedoneAnswer = {
  readonly sessionId: SessionId
  readonly eventsRestored: number
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
}

/** `POST …/fork`. */
export type ForkedAnswer = {
  readonly sessionId: SessionId
  readonly name: string
  readonly source: SessionId
  readonly events: number
}

/** `POST …/compact`. */
export type CompactedAnswer = {
  readonly checkpointNumber: number
  readonly checkpointPath: string
  readonly messagesRemoved: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export type RenamedAnswer = { readonly name: string }
/** `POST …/delete`. */
export type DeletedAnswer = { readonly outcome: 'trashed' | 'deleted'; readonly bytes: number }
export type RestoredAnswer = { readonly sessionId: SessionId }

/** `GET …/plan`; null when there is none. */
export type PlanAnswer = { readonly text: string | null }

/** `GET …/files`. One file comes from `GET …/files/content?path=`, as an attachment. */
export type FilesAnswer = {
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly mtimeMs: number
  }[]
}

/** `GET …/checkpoints`. */
export type CheckpointsAnswer = {
  readonly checkpoints: readonly { readonly number: number; readonly title: string }[]
}
/** `GET …/checkpoints/:number`. */
export type CheckpointAnswer = { readonly text: string }

/** `GET /api/search`. */
export type SearchAnswer = {
  readonly hits: readonly {
    readonly sessionId: SessionId
    readonly name: string
    readonly repository?: string
    readonly branch?: string
    /** From 0. */
    readonly turn?: number
    readonly role: 'user' | 'assistant' | 'tool' | 'checkpoint' | 'file' | 'name'
    readonly source: string
    readonly at: string
    readonly snippet: {
      readonly text: string
      readonly ranges: readonly { readonly start: number; readonly end: number }[]
      readonly isCut: { readonly before: boolean; readonly after: boolean }
    }
    readonly score: number
  }[]
  readonly isPartial: boolean
  readonly suggestions: readonly { readonly word: string; readonly instead: readonly string[] }[]
}

/** `GET /api/chronicle/:kind`, and `GET /api/usage`, which is the report of kind `cost`. */
export type ReportAnswer = {
  readonly kind: 'standup' | 'tips' | 'improve' | 'cost'
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
}

/** `GET /api/board`. */
export type BoardAnswer = {
  readonly entries: readonly {
    readonly repository: string
    readonly branch: string
    readonly src: string
    readonly name: string
    readonly description: string
    readonly content: string
    readonly readCount: number
    readonly count: number
    readonly addedAt: string
    readonly changedAt: string
    readonly readAt?: string
  }[]
}

/** `POST /api/sql`. Whole numbers beyond 2^53 are texts; bytes are `{base64}`. */
export type SqlAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlCell[])[]
  readonly truncated: boolean
  readonly elapsedMs: number
}
export type SqlCell = null | number | string | { readonly base64: string }

/** `GET /api/sql/schema`. */
export type SqlSchemaAnswer = {
  readonly tables: readonly { readonly name: string; readonly sql: string }[]
}

/**
 * `GET /api/sessions/:id/stream`, as server-sent events. The name of the frame is `event`, its data is JSON. Only
 * `event` has an id, so `Last-Event-ID` (or `?after=`) always names a durable event. Comments are heartbeats.
 */
export type StreamFrame =
  | { readonly event: 'event'; readonly id?: EventId; readonly data: Event | Stranger }
  | { readonly event: 'notice'; readonly data: Notice }
  /** Forget `upToEventId` and all after it. Without it: forget everything, all of it follows again. */
  | { readonly event: 'reset'; readonly data: { readonly upToEventId?: EventId } }
  /** What comes from now on is live. Ask `GET /api/sessions/:id` for what notices told before. */
  | { readonly event: 'ready'; readonly data: { readonly lastEventId?: EventId } }
  /** The session was deleted. The stream ends; do not come back. */
  | { readonly event: 'gone'; readonly data: Readonly<Record<string, never>> }

/** `GET /api/stream`: that something changed in a session, so that a list can be asked for again. */
export type ActivityFrame =
  | { readonly event: 'ready'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly event: 'changed'
      readonly data: {
        readonly id: SessionId
        readonly kind:
          'records' | 'reset' | 'deleted' | 'restored' | 'forked' | 'renamed' | 'status'
        readonly status: SessionStatus
      }
    }
