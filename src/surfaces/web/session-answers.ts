/** What is answered about one session and about the list of them: schemas, from which types and document are made. */
import { z } from 'zod'
import type { Event, Stranger } from '../../format/event.ts'
import { EventIdSchema, SessionIdSchema } from '../../format/id-schemas.ts'
import type { Notice } from '../../format/notice.ts'
import { buckets } from '../../state/relevance.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { TranscriptEntry } from '../../state/transcript.ts'
import type { RewindPoint } from '../../state/turns.ts'
import type { SessionUsage } from '../../state/spent.ts'
import { amount, count, flag, list, maybe, object, partly, text, time } from './answer-words.ts'

const eventId = EventIdSchema
const sessionId = SessionIdSchema

/** A turn runs, a person is asked, or neither: in this server or in another process. */
export const SessionStatus = z.enum(['idle', 'running', 'waiting'])

const envelope = {
  type: text,
  data: z.unknown(),
  id: text,
  timestamp: text,
  parentId: text.nullable(),
}
export const LogEvent = partly<Event | Stranger>(
  'An event of the log, as it is stored: schema/events.schema.json. `stranger`: of a type that is not known.',
  envelope,
)
export const RequestEvent = partly<Event>('The event `permission.requested`.', envelope)
export const ToldNotice = partly<Notice>(
  'What is told and never stored: schema/notices.schema.json.',
  { type: text, data: z.unknown() },
)
export const ShownEntry = partly<TranscriptEntry>(
  'One thing that happened, as people read it; `kind` says what else is there.',
  { kind: text, eventId: text, at: time },
)

const about = {
  id: sessionId,
  name: maybe(text),
  userNamed: flag,
  /** The beginning of the first prompt, on one line. */
  summary: text,
  cwd: maybe(text),
  gitRoot: maybe(text),
  repository: maybe(text),
  branch: maybe(text),
  clientName: maybe(text),
  createdAt: time,
  modifiedAt: time,
  turns: maybe(count),
  checkpoints: count,
  forkCount: count,
  /** The agent whose session it was. */
  importedFrom: maybe(text),
  /** Who answers, where the beginning of its log says it. */
  agent: maybe(text),
  /** The session that this one was forked from. It may be gone. */
  forkedFrom: maybe(sessionId),
  bytes: count,
}
export const SessionRow = object({
  ...about,
  /** How near it is to the directory that the server was started in. */
  bucket: z.enum(buckets),
  status: SessionStatus,
  /** In Mission Control: whose it is, on which machine, and when that was last heard of. */
  remote: maybe(
    object({
      machine: text,
      person: maybe(text),
      state: text,
      isStale: flag,
      staleAt: time,
      isSteerable: flag,
    }),
  ),
})

/** `GET /api/sessions`, nearest and then newest first. */
export const SessionsAnswer = object({
  sessions: list(SessionRow),
  /** All that fit, on all pages. */
  total: count,
  more: flag,
})

/** `GET /api/trash`, newest first. */
export const TrashAnswer = object({
  sessions: list(object({ id: sessionId, title: text, deletedAt: time })),
})

export const Metadata = object({
  ...about,
  /** Not told to a guest. */
  path: maybe(text),
  folderBytes: count,
  /** Who has it open for writing now. */
  holder: maybe(object({ pid: amount, host: text, label: text, since: text })),
  /** How many rewinds can be redone. */
  rewound: count,
  /** In Mission Control: whose it is. */
  person: maybe(text),
})
export const QueueEntry = object({ id: text, prompt: text })
/** A permission that was asked for. Answer it with `POST …/answer`. */
export const PendingRequest = object({
  requestId: text,
  /** Its `data.permissionRequest` says what is wanted. */
  event: RequestEvent,
  /** False: nobody takes an answer. It runs in another program, or the process that asked has ended. */
  answerable: flag,
})
/** A question of the agent. Answer it with `POST …/answer-question`. */
export const PendingQuestion = object({
  requestId: text,
  question: text,
  choices: maybe(list(text)),
  toolCallId: maybe(text),
})
/** `GET /api/sessions/:id`. */
export const SessionAnswer = object({
  metadata: Metadata,
  state: partly<Omit<SessionState, 'turns' | 'usage'> & { readonly turnCount: number }>(
    'What the session is now. `GET …/turns` gives its turns.',
    { eventCount: count, size: count, mode: text, turnCount: count },
  ),
  usage: partly<SessionUsage>(
    'Tokens and premium requests, in all, for each model, and apart in turns that were taken back.',
    {
      requests: amount,
      inputTokens: amount,
      outputTokens: amount,
      cost: amount,
      models: z.array(z.looseObject({ model: text })),
    },
  ),
  /** By list prices or the user's own. Null when none of its models has a price. */
  dollars: amount.nullable(),
  status: SessionStatus,
  /** Who answers: the agent by its name, and the model where it is known. */
  answers: object({ agent: maybe(text), model: maybe(text) }),
  /** How it stands to Mission Control, in words; absent without one. `POST …/command` of `/remote` tells the link. */
  remote: maybe(object({ text, isLate: flag })),
  /** Messages that wait, in the order in which they will be sent. */
  queue: list(QueueEntry),
  /** The turn before them was stopped: they wait until `POST …/queue` says `resume` or `clear`. */
  isQueueHeld: flag,
  /** Why what waits is not known: the process that is at work in it does not answer. */
  queueTrouble: maybe(text),
  requests: list(PendingRequest),
  questions: list(PendingQuestion),
})

/** `GET /api/sessions/:id/events`. Backward pages are newest first. */
export const EventsAnswer = object({
  events: list(LogEvent),
  more: flag,
  /** Damage that was met on the way, for people. */
  findings: list(z.unknown()),
})

/** `GET /api/sessions/:id/transcript`: whole turns, oldest first: up to a cursor or the end, from one on, or around one. */
export const TranscriptAnswer = object({
  entries: list(ShownEntry),
  /** Give it as `before` for the page that comes before this one. Absent at the beginning of the log. */
  before: maybe(eventId),
  /** Give it as `after` for the page that comes after this one. Absent at the end of the log. */
  after: maybe(eventId),
  /** Of a page around a place: the event that is meant. */
  anchor: maybe(eventId),
  /** The last event of this page: give it as `after` to the stream. */
  lastEventId: maybe(eventId),
})

/** `GET /api/sessions/:id/turns`, newest first: where it can be rewound to. */
export const TurnsAnswer = object({
  turns: list(
    partly<RewindPoint>('A turn: its message, its place, and what a rewind to it removes.', {
      index: count,
      eventId: text,
      at: time,
      preview: text,
      events: count,
      eventsRemoved: count,
      bytesRemoved: count,
    }),
  ),
})

/** `GET /api/sessions/:id/context`: estimated tokens that a model is given now. */
export const ContextAnswer = object({
  used: count,
  /** The window of the agent's model, where it is known. */
  limit: maybe(count),
  messages: count,
})

/** `GET /api/sessions/:id/forks`: all sessions that come from the same one, each after the one it was forked from. */
export const ForksAnswer = object({
  sessions: list(
    object({
      id: sessionId,
      title: text,
      modifiedAt: time,
      turns: maybe(count),
      /** Absent for the first of them. */
      forkedFrom: maybe(sessionId),
      /** How many forks lie between it and the first. */
      depth: count,
      status: SessionStatus,
    }),
  ),
  /** The first was itself forked from this session, which is gone. */
  lost: maybe(sessionId),
})

/** `GET …/plan`; null when there is none. */
export const PlanAnswer = object({ text: text.nullable() })
/** `GET …/files`. One file comes from `GET …/files/content?path=`, as an attachment. */
export const FilesAnswer = object({
  files: list(object({ path: text, size: count, mtimeMs: amount })),
})
/** `GET …/checkpoints`. */
export const CheckpointsAnswer = object({
  checkpoints: list(object({ number: count, title: text })),
})
/** `GET …/checkpoints/:number`. */
export const CheckpointAnswer = object({ text })

const removed = {
  eventId,
  prompt: text,
  at: time,
  eventsRemoved: count,
  eventsKept: count,
  turnsRemoved: count,
  checkpointsRemoved: count,
  bytesRemoved: count,
}
/** `GET …/rewind-preview?eventId=`. */
export const RewindPreviewAnswer = object({
  ...removed,
  files: list(
    object({
      path: text,
      of: z.enum(['project', 'session']),
      absolutePath: text,
      change: z.enum(['created', 'modified', 'deleted']),
      verdict: z.enum(['restore', 'already', 'drifted', 'notCovered']),
      linesAdded: count,
      linesRemoved: count,
    }),
  ),
})
const restored = {
  restoredFiles: list(text),
  skippedFiles: list(object({ path: text, reason: text })),
  /** Those of the restored ones that are gone, because they were not there then. */
  removedFiles: list(text).optional(),
  removedFolders: list(text).optional(),
  foreignFiles: list(text).optional(),
  isRecordDamaged: z.literal(true).optional(),
  root: text.optional(),
}
/** `POST …/rewind` and `POST …/undo`. */
export const RewoundAnswer = object({
  ...removed,
  sessionId,
  ...restored,
  mode: z.enum(['conversation', 'conversation-and-files', 'files']),
  filesUnrecorded: z.boolean(),
})
/** `POST …/redo`. */
export const RedoneAnswer = object({ sessionId, eventsRestored: count, ...restored })

/** `POST /api/sessions`. */
export const CreatedAnswer = object({ sessionId })
/** `POST …/send`. With `wait`, the outcome of the turn; without, that the message is in the log or the queue. */
export const SentAnswer = object({
  status: z.enum([
    'accepted',
    'queued',
    'steered',
    'completed',
    'cancelled',
    'failed',
    'withdrawn',
  ]),
  /** The id of a queued message. */
  messageId: maybe(text),
  turnId: maybe(text),
  error: maybe(text),
})
export const CancelledAnswer = object({ cancelled: flag })
/** What an operation gives: docs/operations.md. */
export const OperationAnswer = object({ result: z.unknown() })
export const OkAnswer = object({ ok: z.literal(true) })
/** `POST …/fork`. */
export const ForkedAnswer = object({
  sessionId,
  name: text,
  source: sessionId,
  events: count,
  /** False: the source is in use elsewhere and does not tell of the fork. */
  sourceNoted: flag,
})
/** `POST …/compact`. */
export const CompactedAnswer = object({
  checkpointNumber: count,
  checkpointPath: text,
  messagesRemoved: count,
  tokensBefore: count,
  tokensAfter: count,
})
export const RenamedAnswer = object({ name: text })
/** `POST …/delete`. */
export const DeletedAnswer = object({ outcome: z.enum(['trashed', 'deleted']), bytes: count })
export const RestoredAnswer = object({ sessionId })

/** `POST /api/link`: it logs one browser in, once; those made before it stay good. */
export const LinkAnswer = object({ link: text })
/** `POST …/guest-link`. */
export const GuestLinkAnswer = object({ link: text, expiresAt: time })

const nothing = object({})
/**
 * `GET /api/sessions/:id/stream`, as server-sent events. The name of the frame is `event`, its data is JSON. Only
 * `event` has an id, so `Last-Event-ID` (or `?after=`) always names a durable event. Comments are heartbeats.
 */
export const StreamFrame = z.discriminatedUnion('event', [
  object({ event: z.literal('event'), id: maybe(eventId), data: LogEvent }),
  object({ event: z.literal('notice'), data: ToldNotice }),
  /** Forget `upToEventId` and all after it. Without it: forget everything, all of it follows again. */
  object({ event: z.literal('reset'), data: object({ upToEventId: maybe(eventId) }) }),
  /** What comes from now on is live. Ask `GET /api/sessions/:id` for what notices told before. */
  object({ event: z.literal('ready'), data: object({ lastEventId: maybe(eventId) }) }),
  /** The session was deleted. The stream ends; do not come back. */
  object({ event: z.literal('gone'), data: nothing }),
])

/** `GET /api/stream`: that something changed in a session, so that a list can be asked for again. */
export const ActivityFrame = z.discriminatedUnion('event', [
  /** `POST /api/stream/follow` adds sessions to it under this id. */
  object({ event: z.literal('ready'), data: object({ streamId: text }) }),
  /** Every 5 seconds: who hears nothing for longer has lost the connection. */
  object({ event: z.literal('beat'), data: nothing }),
  object({ event: z.literal('session'), data: object({ key: text, frame: StreamFrame }) }),
  object({
    event: z.literal('changed'),
    data: object({
      id: sessionId,
      kind: z.enum([
        'records',
        'reset',
        'deleted',
        'restored',
        'forked',
        'imported',
        'renamed',
        'status',
      ]),
      status: SessionStatus,
    }),
  }),
])

/** `GET /api/sessions/:id/commands`. */
export const CommandsAnswer = object({
  commands: list(
    object({
      name: text,
      aliases: list(text),
      summary: text,
      /** What may follow the name; empty when nothing may. */
      hint: text,
      words: list(object({ word: text, meaning: text })),
    }),
  ),
})

/** `POST /api/sessions/:id/command`. */
export const CommandAnswer = object({
  /** For people, in Markdown. */
  said: text,
  /** It is for the agent: this is to be sent. Nothing was done yet. */
  message: text.optional(),
  /** What came of it, for programs; what it is depends on the command. */
  result: z.unknown(),
})
