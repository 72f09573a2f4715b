/** What was said in a session, and what the model is given of it. */
import { z } from 'zod'
import { metadata } from '../sessions/metadata.ts'
import { workspaceFile } from '../sessions/workspace-record.ts'
import { readEvents, type EventQuery } from '../live/events.ts'
import { recordHandoff, type HandedOver } from '../live/handoff.ts'
import { metricsOf, usageOf } from '../live/metrics.ts'
import { note } from '../live/log-annotation.ts'
import { stateWithUnwritten } from '../live/pending-events.ts'
import { askAside } from '../history/ask-aside.ts'
import { clearContext } from '../history/clear-context.ts'
import { compact, type CompactOptions } from '../history/compact.ts'
import { contextAt } from '../history/context-at.ts'
import { contextItem } from '../history/context-item.ts'
import { contextParts } from '../history/context-parts.ts'
import { contextSize } from '../history/context-size.ts'
import { editContext, type ContextEdit } from '../history/edit-context.ts'
import { summariseForHandoff } from '../history/handoff-summary.ts'
import { onFiles, onFresh, onOpen } from './operation.ts'
import { ownerOnly, steerable, watchable } from './rights.ts'
import { eventId, nothing, text, waitMs } from './schemas.ts'

const whole = z.int().min(1)

export const historyOperations = {
  state: onFresh(
    {
      summary: 'Tell its state: turns, usage, model, mode, project.',
      takes: nothing,
      ...watchable,
    },
    async (_engine, session) => stateWithUnwritten(session),
  ),
  metadata: onFiles(
    { summary: 'Tell its name, project and times.', takes: nothing, ...watchable },
    (engine, id) => metadata(engine, id),
  ),
  workspaceFile: onFiles(
    { summary: 'Read its workspace.yaml.', takes: nothing, ...watchable },
    (engine, id) => workspaceFile(engine, id),
  ),
  events: onFiles(
    {
      summary: 'Read a page of events, from either end.',
      takes: z.strictObject({
        direction: z.enum(['forward', 'backward']).optional(),
        cursor: eventId.optional(),
        limit: whole.max(1000).default(200),
      }),
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'log',
    },
    (engine, id, query: EventQuery) => readEvents(engine, id, query),
  ),
  /** Lines of code, time and tokens until now. */
  metrics: onFresh(
    { summary: 'Tell lines of code, time and tokens.', takes: nothing, ...watchable },
    metricsOf,
  ),
  usage: onFresh(
    {
      summary: 'Tell tokens, requests and cost, with what turns used that were taken back.',
      takes: nothing,
      ...watchable,
    },
    usageOf,
  ),
  contextSize: onOpen(
    {
      summary: 'Estimate how many tokens a model is given.',
      takes: nothing,
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'machine',
      orCopy: true,
      formerly: 'context-size',
    },
    contextSize,
  ),
  /** `most`: how many of the largest pieces are named. */
  contextParts: onFresh(
    {
      summary: 'Tell what fills the window of the model.',
      takes: z.strictObject({ most: whole.max(1000).optional() }),
      may: ['owner', 'watch', 'steer'],
      where: 'machine',
      orCopy: true,
      formerly: 'context-parts',
    },
    (engine, session, options: { readonly most?: number }) =>
      contextParts(engine, session, options),
  ),
  contextAt: onFresh(
    {
      summary: 'Tell what the model was given in a turn, or would be given now, item by item.',
      takes: z.strictObject({
        turn: whole.optional(),
        call: whole.optional(),
        isWhole: z.boolean().optional(),
      }),
      ...watchable,
    },
    contextAt,
  ),
  /** By the id of its event or the beginning of that. */
  contextItem: onFresh(
    {
      summary: 'Read one item of the context with its words.',
      takes: z.strictObject({ item: text.min(1) }),
      args: ['item'],
      ...watchable,
    },
    (engine, session, { item }) => contextItem(engine, session, item),
  ),
  /** Leaves an item out of what the model is given from here on, or gives it again; an undo takes it back. */
  editContext: onFresh(
    {
      summary: 'Leave an item of the context out, or give it again.',
      takes: z.strictObject({ operation: z.enum(['omit', 'restore']), item: text.min(1), waitMs }),
      ...steerable,
      formerly: 'context-edit',
    },
    (engine, session, edit: ContextEdit) => editContext(engine, session, edit),
  ),
  /** How many messages the model is not given any more. */
  clearContext: onOpen(
    {
      summary: 'Have the model begin anew with one message.',
      takes: z.strictObject({ prompt: text }),
      args: ['prompt'],
      ...steerable,
      formerly: 'clear-context',
    },
    (engine, session, { prompt }) => clearContext(engine, session, prompt),
  ),
  compact: onFresh(
    {
      summary: 'Put a summary in the place of earlier messages, for the model only.',
      takes: z.strictObject({ instructions: text.max(10_000).optional(), waitMs }),
      ...steerable,
    },
    (engine, session, options: CompactOptions) => compact(engine, session, options),
  ),
  /** The answer is kept nowhere. */
  askAside: onFresh(
    {
      summary: 'Ask the agent something beside the conversation.',
      takes: z.strictObject({ question: text.min(1) }),
      args: ['question'],
      ...steerable,
      formerly: 'ask-aside',
    },
    (engine, session, { question }) => askAside(engine, session, question),
  ),
  note: onOpen(
    {
      summary: 'Record a remark of a program.',
      takes: z.strictObject({
        level: z.enum(['info', 'warning', 'error']),
        message: text,
        type: text.optional(),
        url: text.optional(),
      }),
      ...steerable,
    },
    note,
  ),
  summariseForHandoff: onOpen(
    {
      summary: 'Write what a person who goes on elsewhere should know.',
      takes: nothing,
      ...steerable,
      formerly: 'handoff-summary',
    },
    summariseForHandoff,
  ),
  recordHandoff: onOpen(
    {
      summary: 'Record where it came over from.',
      takes: z.strictObject({
        sourceType: z.enum(['remote', 'local']),
        context: text.optional(),
        summary: text.optional(),
        remoteSessionId: text.optional(),
        host: text.optional(),
      }),
      ...ownerOnly,
    },
    (engine, session, from: HandedOver) => recordHandoff(engine, session, from),
  ),
}
