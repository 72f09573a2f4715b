/**
 * Every operation of a session that can be asked for from afar, by name: what it takes, and what is done through the
 * handle. What it answers goes back as JSON. The far handle asks by these names; docs/remote.md lists them.
 */
import { z } from 'zod'
import { asEventId } from '../format/ids.ts'
import { queueChangeSchema } from '../format/inbox.ts'
import type { Session } from '../engine/session.ts'
import { defined } from '../lib/defined.ts'

const text = z.string()
const path = text.min(1).max(1000)
const waitMs = z.int().min(0).max(30_000).optional()
const mode = z.enum(['conversation', 'conversation-and-files', 'files']).optional()

const event = text.transform(asEventId)
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['session', 'fork']) }),
  z.object({ kind: z.enum(['turn', 'rewind']), eventId: event }),
])

type Row<T> = {
  readonly takes: z.ZodType<T>
  run(session: Session, wish: T): Promise<unknown>
}
const row = <T>(takes: z.ZodType<T>, run: Row<T>['run']): Row<unknown> =>
  ({ takes, run }) as unknown as Row<unknown>

const nothing = z.object({})

/** Bytes travel as base64: nothing is said of what a file holds. */
const MOST_FILE_BYTES = 512 * 1024

export const operations = {
  undo: row(z.object({ turns: z.int().min(1).optional(), mode, waitMs }), (session, wish) =>
    session.undo(defined(wish)),
  ),
  rewind: row(z.object({ eventId: text, mode, waitMs }), (session, { eventId, ...wish }) =>
    session.rewind(asEventId(eventId), defined(wish)),
  ),
  preview: row(z.object({ eventId: text }), (session, { eventId }) =>
    session.previewRewind(asEventId(eventId)),
  ),
  changes: row(z.object({ scope }), (session, wish) => session.changes(wish.scope)),
  'changed-file': row(
    z.object({ scope, path, of: z.enum(['project', 'session']) }),
    (session, { scope: of, ...file }) => session.changedFile(of, file),
  ),
  'restore-file': row(z.object({ eventId: text, path }), (session, { eventId, path: file }) =>
    session.restoreFile({ eventId: asEventId(eventId), path: file }),
  ),
  redo: row(z.object({ waitMs }), (session, wish) => session.redo(defined(wish))),
  fork: row(
    z.object({
      title: text.optional(),
      before: text.optional(),
      rewound: z.int().positive().optional(),
    }),
    (session, { title, before, rewound }) =>
      session.fork({
        ...defined({ name: title, rewound }),
        ...(before !== undefined && { before: asEventId(before) }),
      }),
  ),
  'rewound-branches': row(nothing, (session) => session.rewoundBranches()),
  compact: row(z.object({ instructions: text.optional(), waitMs }), (session, wish) =>
    session.compact(defined(wish)),
  ),
  rename: row(z.object({ title: text }), (session, { title }) => session.rename(title)),
  model: row(
    z.object({ model: text, reasoningEffort: text.optional() }),
    (session, { model, reasoningEffort }) =>
      session.setModel({ model, ...defined({ reasoningEffort }) }),
  ),
  guidance: row(nothing, (session) => session.guidance()),
  'agent-select': row(z.object({ agent: z.string().optional() }), (session, { agent }) =>
    session.selectAgent(agent),
  ),
  'guidance-switch': row(
    z.object({ kind: z.enum(['instructions', 'skills']), name: text, isOn: z.boolean() }),
    (session, change) => session.switchGuidance(change),
  ),
  queue: row(nothing, (session) => session.queue()),
  'queue-change': row(z.object({ change: queueChangeSchema }), (session, { change }) =>
    session.changeQueue(change),
  ),
  'queue-release': row(nothing, (session) => session.changeQueue({ kind: 'release' })),
  'queue-clear': row(nothing, (session) => session.changeQueue({ kind: 'clear' })),
  pending: row(nothing, (session) => session.pending()),
  continue: row(nothing, (session) => session.continueWork()),
  permissions: row(nothing, (session) => session.permissions()),
  revoke: row(z.object({ number: z.union([z.int(), z.literal('all')]) }), (session, { number }) =>
    session.revoke(number),
  ),
  note: row(
    z.object({
      level: z.enum(['info', 'warning', 'error']),
      message: text,
      type: text.optional(),
      url: text.optional(),
    }),
    (session, { level, message, ...more }) => session.note({ level, message, ...defined(more) }),
  ),
  'clear-context': row(z.object({ prompt: text }), (session, { prompt }) =>
    session.clearContext(prompt),
  ),
  'context-edit': row(
    z.object({ operation: z.enum(['omit', 'restore']), item: text.min(1), waitMs }),
    (session, { operation, item, ...wish }) =>
      session.editContext({ operation, item, ...defined(wish) }),
  ),
  'handoff-summary': row(nothing, (session) => session.summariseForHandoff()),
  'context-size': row(nothing, (session) => session.contextSize()),
  'context-parts': row(z.object({ most: z.int().min(1).max(1000).optional() }), (session, wish) =>
    session.contextParts(defined(wish)),
  ),
  'ask-aside': row(z.object({ question: text }), (session, { question }) =>
    session.askAside(question),
  ),
  plan: row(nothing, async (session) => (await session.readPlan()) ?? null),
  'plan-set': row(z.object({ text }), (session, wish) => session.writePlan(wish.text)),
  'plan-delete': row(nothing, (session) => session.deletePlan()),
  files: row(nothing, (session) => session.files()),
  'file-read': row(z.object({ path }), async (session, wish) => {
    const bytes = await session.readFile(wish.path)
    if (bytes.length > MOST_FILE_BYTES) return { bytes: null, size: bytes.length }
    return { bytes: Buffer.from(bytes).toString('base64'), size: bytes.length }
  }),
  'file-write': row(z.object({ path, bytes: z.base64() }), (session, wish) =>
    session.writeFile(wish.path, Buffer.from(wish.bytes, 'base64')),
  ),
  checkpoints: row(nothing, (session) => session.checkpoints()),
  checkpoint: row(z.object({ number: z.int().min(1) }), (session, { number }) =>
    session.readCheckpoint(number),
  ),
} as const satisfies Readonly<Record<string, Row<unknown>>>

export type OperationName = keyof typeof operations

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)
