/** What is answered about changes of files, who can answer, and places in a session: schemas for types and document. */
import { z } from 'zod'
import { EventIdSchema, SessionIdSchema } from '../../format/id-schemas.ts'
import { count, flag, list, maybe, object, text, time } from './answer-words.ts'

/** `GET …/changes`: the files of a turn, of the session, of a rewind to come, or of a fork beside its origin. */
export const ChangesAnswer = object({
  files: list(
    object({
      path: text,
      /** The session's own are plan.md, files/ and research/. */
      of: z.enum(['project', 'session']),
      change: z.enum(['created', 'modified', 'deleted']),
      linesAdded: count,
      linesRemoved: count,
      isBinary: maybe(z.literal(true)),
      /** Known, at least in part, from what tools told alone: it cannot be restored. */
      isTold: maybe(z.literal(true)),
      /** Of a rewind: whether it would be done. */
      verdict: maybe(z.enum(['restore', 'already', 'drifted', 'notCovered'])),
    }),
  ),
  /** Of a fork: the session that it came from. */
  origin: maybe(SessionIdSchema),
})

const FileSide = z.discriminatedUnion('kind', [
  object({ kind: z.literal('text'), text, sha256: text }),
  object({ kind: z.literal('binary'), size: count, sha256: text }),
  object({ kind: z.literal('link'), target: text }),
  object({ kind: z.literal('absent') }),
  object({ kind: z.literal('unknown'), why: text }),
])
/** `GET …/changes/file`. */
export const ChangedFileAnswer = object({
  before: FileSide,
  after: FileSide,
  /** Diffs that tools told, where contents were not recorded; each with the message of its turn. */
  told: maybe(list(object({ eventId: EventIdSchema, prompt: text, diff: text }))),
})

/** `POST …/restore-file`. */
export const RestoredFileAnswer = object({ path: text, outcome: z.enum(['restored', 'already']) })

/** `GET …/blame`: who wrote a line. */
export const BlameAnswer = z.discriminatedUnion('kind', [
  object({
    kind: z.literal('turn'),
    sessionId: SessionIdSchema,
    sessionName: maybe(text),
    eventId: EventIdSchema,
    prompt: text,
    at: time,
    toolCallId: text,
    /** Calls that ran meanwhile and may have written it. */
    alongside: maybe(list(text)),
  }),
  object({ kind: z.literal('unknown'), reason: text }),
])

/** `GET …/find`: where a text stands in the transcript, from its beginning. */
export const FindAnswer = object({
  hits: list(
    object({
      eventId: EventIdSchema,
      kind: text,
      /** Of an entry of kind tool: one event may have begun several calls. */
      toolCallId: maybe(text),
      /** Around the first place in this entry. */
      snippet: object({ text, start: count, end: count }),
    }),
  ),
  /** There are more than were given. */
  more: flag,
})

/** `GET /api/agents`: who can answer here. */
export const AgentsAnswer = object({
  agents: list(object({ name: text, about: text })),
  /** Who answers when nobody is chosen. */
  usual: maybe(text),
})

/** `GET /api/models`: models that can be asked for. */
export const ModelsAnswer = object({
  models: list(
    object({
      name: text,
      /** `configured`: it answers when none is chosen; `offered` by the endpoint; `used` in a session before. */
      from: z.enum(['configured', 'offered', 'used']),
    }),
  ),
  /** Why the endpoint could not be asked. */
  trouble: maybe(text),
})

/** `GET /api/projects`: folders that sessions worked in, the last one first. */
export const ProjectsAnswer = object({
  projects: list(
    object({ cwd: text, repository: maybe(text), branch: maybe(text), sessions: count, at: time }),
  ),
})

const Ask = z.discriminatedUnion('kind', [
  object({
    kind: z.literal('permission'),
    requestId: text,
    what: text,
    body: text,
    always: maybe(text),
    answerable: flag,
  }),
  object({ kind: z.literal('question'), requestId: text, what: text, choices: list(text) }),
])
/** `GET /api/inbox`: sessions that wait, work, or ended a turn within a week, the last one first. */
export const InboxAnswer = object({
  items: list(
    object({
      id: SessionIdSchema,
      title: text,
      cwd: maybe(text),
      repository: maybe(text),
      branch: maybe(text),
      modifiedAt: time,
      /** `left`: it was open when its process died, and nobody was told of that yet. */
      why: z.enum(['left', 'waits', 'works', 'failed', 'stopped', 'finished']),
      /** What it asks, said last or failed with. */
      text,
      asks: list(Ask),
    }),
  ),
})
