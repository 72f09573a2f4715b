/** What is answered about this server and over all sessions: schemas, from which types and document are made. */
import { z } from 'zod'
import { SessionIdSchema } from '../../format/id-schemas.ts'
import { amount, count, flag, list, map, maybe, object, text, time } from './answer-words.ts'

/** `POST /api/login`: the code of the link becomes a cookie. */
export const LoginAnswer = object({
  ok: z.literal(true),
  /** The session that a guest may watch. */
  guestOf: maybe(SessionIdSchema),
})

/** `GET /api/server`. */
export const ServerAnswer = object({
  version: text,
  /** Neither is told to a guest. */
  home: maybe(text),
  cwd: maybe(text),
  /** False: search, chronicle, usage, board and SQL answer `unavailable`. */
  hasStore: flag,
  /** The page of Mission Control: who is signed in, and what their token may do. */
  team: maybe(object({ person: text, name: text, role: text, scopes: list(text) })),
  /** Who asks may watch this session, and no more. */
  guest: maybe(object({ sessionId: SessionIdSchema, expiresAt: time })),
})

const role = z.enum(['user', 'assistant', 'tool', 'checkpoint', 'file', 'name'])
/** `GET /api/search`. */
export const SearchAnswer = object({
  hits: list(
    object({
      sessionId: SessionIdSchema,
      name: text,
      repository: maybe(text),
      branch: maybe(text),
      /** From 0. */
      turn: maybe(count),
      role,
      source: text,
      at: time,
      snippet: object({
        text,
        ranges: list(object({ start: count, end: count })),
        isCut: object({ before: flag, after: flag }),
      }),
      score: amount,
    }),
  ),
  isPartial: flag,
  /** Nothing has all of the words: these have some of them. */
  isLoose: maybe(flag),
  /** It was looked for by meaning too: sessions without a vector, or why it could not be. */
  meaning: maybe(object({ model: text, missing: maybe(count), failed: maybe(text) })),
  suggestions: list(object({ word: text, instead: list(text) })),
})

/** `GET /api/chronicle/:kind`, and `GET /api/usage`, which is the report of kind `cost`. */
export const ReportAnswer = object({
  kind: z.enum(['standup', 'tips', 'improve', 'cost']),
  markdown: text,
  json: map,
})

/** `GET /api/activity`. What forks copied counts once, where it was done. */
export const ActivityAnswer = object({
  since: time,
  until: time,
  zone: maybe(text),
  repository: maybe(text),
  days: list(object({ day: text, turns: count })),
  uses: list(
    object({
      day: text,
      model: text,
      tokens: amount,
      /** Null where nothing has a price. */
      dollars: amount.nullable(),
    }),
  ),
  files: list(object({ path: text, sessions: count })),
})

const note = {
  repository: text,
  /** Empty: of all branches. */
  branch: text,
  src: text,
  name: text,
  description: text,
  content: text,
}
/** `GET /api/board`: what new sessions are told, and what sessions propose for it. */
export const BoardAnswer = object({
  entries: list(
    object({
      ...note,
      readCount: count,
      count,
      addedAt: time,
      changedAt: time,
      readAt: maybe(time),
      /** The sessions that it came from, where no person wrote it. */
      sessions: maybe(list(text)),
    }),
  ),
  proposals: list(object({ ...note, id: text, sessions: list(text), proposedAt: time })),
})

/** Whole numbers beyond 2^53 are texts; bytes are `{base64}`. */
export const SqlCell = z.union([z.null(), amount, text, object({ base64: text })])
/** `POST /api/sql`. */
export const SqlAnswer = object({
  columns: list(text),
  rows: list(list(SqlCell)),
  truncated: flag,
  elapsedMs: amount,
})
/** `GET /api/sql/schema`. */
export const SqlSchemaAnswer = object({ tables: list(object({ name: text, sql: text })) })
