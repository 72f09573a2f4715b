/** What may be asked, as schemas: the server checks with them, and the OpenAPI document is made of them. */
import { isZone } from '../../lib/time-zone.ts'
import { z } from 'zod'
import { EventIdSchema, SessionIdSchema } from '../../format/id-schemas.ts'
import { checkPath } from '../../lib/check-path.ts'

const text = (most: number) => z.string().max(most)
const eventId = z.string().min(1).max(500).pipe(EventIdSchema)
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** Relative to the session's folder: `files/notes/a.md`. */
const filePath = text(1024).min(1).refine(isSessionFile, 'is no path in files/ or research/')

export const SessionParams = z.strictObject({ id: SessionIdSchema })
export const QueuedParams = z.strictObject({ id: SessionIdSchema, messageId: text(200).min(1) })
export const CheckpointParams = z.strictObject({
  id: SessionIdSchema,
  number: whole(1, 999_999_999),
})
export const BlobParams = z.strictObject({
  id: SessionIdSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export const ReportParams = z.strictObject({ kind: z.enum(['standup', 'tips', 'improve', 'cost']) })

/** As it is typed: `/undo 2`. */
export const CommandBody = z.strictObject({ text: text(100_000).min(1) })

export const SessionsQuery = z.strictObject({
  /** A part of the name, the first prompt, the directory, the repository or the branch. */
  q: text(200).optional(),
  repository: text(500).optional(),
  branch: text(500).optional(),
  cwd: text(4096).optional(),
  bucket: text(40).optional(),
  status: z.enum(['idle', 'running', 'waiting']).optional(),
  /** Changed at or after this time. */
  since: z.iso.datetime().optional(),
  /** `near`: the nearest to the directory of the server first; `time`: the last changed first. */
  sort: z.enum(['near', 'time']).default('near'),
  limit: whole(1, 500).default(50),
  offset: whole(0, 1_000_000).default(0),
})
/** The agent is started for its commands. */
export const CommandsQuery = z.strictObject({ agent: z.enum(['true', 'false']).optional() })
export const EventsQuery = z.strictObject({
  direction: z.enum(['forward', 'backward']).default('forward'),
  /** Not included. */
  cursor: eventId.optional(),
  limit: whole(1, 1000).default(200),
})
export const TranscriptQuery = z.strictObject({
  /** One of the three: the page that ends before an event, the one that begins after it, or the one around it. */
  before: eventId.optional(),
  after: eventId.optional(),
  around: eventId.optional(),
  /** The page around the message of a turn, by its number from 0. */
  turn: whole(0, 1_000_000_000).optional(),
  /** With a turn: around the first message or answer in it that has this text, where there is one. */
  text: text(500).optional(),
  /** How many events to read; the page goes on to where its first turn began. */
  limit: whole(1, 1000).default(200),
})
/** `streamId` is told by the first frame of `GET /api/stream`; `key` names the session in its frames. */
const inStream = { streamId: text(100).min(1), key: text(100).min(1) }
export const FollowBody = z.strictObject({
  ...inStream,
  sessionId: SessionIdSchema,
  after: eventId.optional(),
})
export const UnfollowBody = z.strictObject(inStream)
export const StreamQuery = z.strictObject({ after: eventId.optional() })
export const FileQuery = z.strictObject({ path: filePath })
export const ExportQuery = z.strictObject({
  format: z.enum(['html', 'markdown', 'json']).default('html'),
})
export const SearchQuery = z.strictObject({
  q: text(1000).min(1),
  repo: text(500).optional(),
  branch: text(500).optional(),
  since: text(100).optional(),
  until: text(100).optional(),
  agent: text(200).optional(),
  file: text(1024).optional(),
  ref: text(200).optional(),
  role: z.enum(['user', 'assistant', 'tool', 'checkpoint', 'file', 'name']).optional(),
  session: text(100).optional(),
  limit: whole(1, 500).default(20),
})
const zone = text(100).refine(isZone, 'is no time zone')
export const ReportQuery = z.strictObject({
  /** `24h`, `7d`, `2w`, or a date. */
  since: text(100).optional(),
  repo: text(500).optional(),
  /** Of the person who reads it, as IANA names it: `Europe/Berlin`. Default: UTC. */
  zone: zone.optional(),
})
export const ActivityQuery = z.strictObject({
  since: text(100).optional(),
  repo: text(500).optional(),
  zone: zone.optional(),
})
export const BoardQuery = z.strictObject({
  repository: text(500).optional(),
  branch: text(500).optional(),
})

const scope = z.enum(['turn', 'session', 'rewind', 'fork'])
/** `turn` and `rewind` are about the turn whose message is `eventId`. */
export const ChangesQuery = z.strictObject({ scope, eventId: eventId.optional() })
export const ChangedFileQuery = z.strictObject({
  scope,
  eventId: eventId.optional(),
  path: text(4096).min(1),
  of: z.enum(['project', 'session']).default('project'),
})
export const BlameQuery = z.strictObject({
  path: text(4096).min(1),
  /** Where it stands now, or stood when it was seen as `text`. */
  line: whole(1, 1_000_000_000),
  text: text(10_000).optional(),
})
export const FindQuery = z.strictObject({
  q: text(1000).min(1),
  limit: whole(1, 1000).default(200),
})
/** Without an agent: the one that answers when nobody is chosen. */
export const ModelsQuery = z.strictObject({
  agent: text(200).optional(),
  /** The models of the agent that answers this session; it comes up for that. */
  session: SessionIdSchema.optional(),
})

export const Nothing = z.strictObject({})
export const LoginBody = z.strictObject({ code: text(200).min(1) })
export const CreateBody = z.strictObject({
  name: text(200).optional(),
  cwd: text(4096).optional(),
  model: text(200).optional(),
  reasoningEffort: text(50).optional(),
  /** One of `GET /api/agents`. */
  agent: text(200).min(1).optional(),
  mode: z.enum(['interactive', 'plan', 'autopilot']).optional(),
})
export const SendBody = z.strictObject({
  prompt: text(1_000_000).min(1),
  /** Pictures (PNG, JPEG, GIF, WebP) and texts that go along with it. */
  attachments: z
    .array(z.strictObject({ name: text(255).min(1), base64: z.base64().max(7_000_000) }))
    .max(10)
    .default([]),
  /** While a turn runs: wait in the queue, join the turn, or be refused. */
  whenBusy: z.enum(['queue', 'steer', 'refuse']).default('queue'),
  /** Answer when the turn has ended. */
  wait: z.boolean().default(false),
})
export const AnswerBody = z.strictObject({
  requestId: text(200).min(1),
  decision: z.enum(['allow', 'allow-for-session', 'deny']),
  /** What the agent is told with a refusal. */
  feedback: text(10_000).optional(),
  /** The one of the agent's own answers that it is. */
  option: text(200).optional(),
})
export const QueueBody = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('edit'),
    messageId: text(200).min(1),
    prompt: text(1_000_000),
  }),
  z.strictObject({
    action: z.literal('move'),
    messageId: text(200).min(1),
    place: z.number().int().min(0).max(10_000),
  }),
  z.strictObject({ action: z.literal('remove'), messageId: text(200).min(1) }),
  z.strictObject({ action: z.literal('clear') }),
  z.strictObject({ action: z.literal('resume') }),
])
export const ForkBody = z.strictObject({
  /** This event and all after it are left out. */
  before: eventId.optional(),
  name: text(200).optional(),
})
export const RenameBody = z.strictObject({ name: text(200).min(1) })
export const DeleteBody = z.strictObject({
  /** Not to the trash: for good. */
  now: z.boolean().default(false),
})
/** As `DeleteBody`, in an address. */
export const DeleteQuery = z.strictObject({
  now: z
    .enum(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true'),
})
export const PlanBody = z.strictObject({
  /** Null removes the plan. */
  text: text(1_000_000).nullable(),
})
export const FileBody = z.strictObject({
  path: filePath,
  base64: z.base64().max(14_000_000),
})
export const ModeBody = z.strictObject({ mode: z.enum(['interactive', 'plan', 'autopilot']) })
export const ModelBody = z.strictObject({
  model: text(200).min(1),
  reasoningEffort: text(50).optional(),
})
/** What is not named stays as it is. */
export const SessionPatch = z
  .strictObject({
    name: RenameBody.shape.name.optional(),
    mode: ModeBody.shape.mode.optional(),
    model: ModelBody.shape.model.optional(),
    reasoningEffort: ModelBody.shape.reasoningEffort,
  })
  .refine((given) => Object.keys(given).length > 0, 'says nothing to change')
  .refine(
    ({ model, reasoningEffort }) => model !== undefined || reasoningEffort === undefined,
    'names a reasoningEffort without its model',
  )
export const GuestLinkBody = z.strictObject({
  /** How long the link works. */
  hours: z.number().int().min(1).max(720).default(24),
})
export const SqlBody = z.strictObject({
  sql: text(100_000).min(1),
  /** Only what belongs to this repository. */
  repository: text(500).optional(),
})

export const BoardAddBody = z.strictObject({
  repository: text(500).min(1),
  /** Without it: of all branches. */
  branch: text(250).optional(),
  name: text(100).min(1),
  description: text(300).optional(),
  content: text(8192).min(1),
})
export const LeftBody = z.strictObject({ restore: z.boolean() })
export const BoardRemoveBody = z.strictObject({
  name: text(100).min(1),
  repository: text(500).optional(),
  branch: text(250).optional(),
  src: text(40).optional(),
})
export const BoardDecideBody = z.strictObject({
  ids: z.array(text(200).min(1)).min(1).max(1000),
  decision: z.enum(['accept', 'dismiss']),
})

export type Changes = z.infer<typeof ChangesQuery>
export type Sessions = z.infer<typeof SessionsQuery>
export type QueueRequest = z.input<typeof QueueBody>

function isSessionFile(path: string): boolean {
  try {
    checkPath(path)
    return /^(?:files|research)\//.test(path)
  } catch {
    // It throws for a path that leads elsewhere, and the request is refused for it.
    return false
  }
}
