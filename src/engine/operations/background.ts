/** What goes on beside the conversation: sub-agents, prompts for later, panels of clients. */
import { z } from 'zod'
import type { Payload } from '../../format/event.ts'
import { recordCanvas, removeCanvas } from '../turn/canvases.ts'
import * as schedules from '../turn/schedules.ts'
import type { ScheduleWish } from '../turn/schedules.ts'
import * as tasks from '../turn/subagent-tasks.ts'
import { onFresh, onOpen } from './operation.ts'
import { ownerOnly, watchable } from './rights.ts'
import { nothing, text } from './schemas.ts'

const id = text.min(1)
const canvas = { instanceId: id, canvasId: id, extensionId: id }

export const backgroundOperations = {
  'tasks.list': onFresh(
    { summary: 'List its sub-agents.', takes: nothing, ...watchable },
    tasks.listTasks,
  ),
  /** Returns its id when it is recorded that it works. */
  'tasks.start': onOpen(
    {
      summary: 'Set a sub-agent to work in it.',
      takes: z.strictObject({
        agentType: id,
        prompt: text,
        name: text.optional(),
        description: text.optional(),
        model: text.optional(),
        reasoningEffort: text.optional(),
      }),
      ...ownerOnly,
    },
    tasks.startTask,
  ),
  /** False when there is none. One that rests goes on. */
  'tasks.message': onOpen(
    {
      summary: 'Speak with a sub-agent of it.',
      takes: z.strictObject({ id, message: text }),
      args: ['id', 'message'],
      ...ownerOnly,
    },
    (engine, session, { id: task, message }) => tasks.messageTask(engine, session, task, message),
  ),
  /** False when it is not at work here. */
  'tasks.cancel': onOpen(
    {
      summary: 'Stop a sub-agent of it.',
      takes: z.strictObject({ id }),
      args: ['id'],
      ...ownerOnly,
    },
    (engine, session, { id: task }) => tasks.cancelTask(engine, session, task),
  ),
  /** False when nobody waits for it here. */
  'tasks.promote': onOpen(
    {
      summary: 'Send a sub-agent of it to the background.',
      takes: z.strictObject({ id }),
      args: ['id'],
      ...ownerOnly,
    },
    (engine, session, { id: task }) => tasks.promoteTask(engine, session, task),
  ),
  'tasks.progress': onOpen(
    {
      summary: 'Tell the steps of a sub-agent.',
      takes: z.strictObject({ id }),
      args: ['id'],
      ...ownerOnly,
    },
    (engine, session, { id: task }) => tasks.taskProgress(engine, session, task),
  ),
  /** Resolves when none is at work, and the agent has heard what came of them. */
  'tasks.ended': onOpen(
    { summary: 'Wait for its sub-agents.', takes: nothing, ...ownerOnly },
    (_engine, session) => tasks.tasksEnded(session),
  ),
  'schedules.list': onFresh(
    { summary: 'List the prompts that are sent later.', takes: nothing, ...watchable },
    (_engine, session) => schedules.listSchedules(session),
  ),
  /** Refuses, in words for people, what is no time. */
  'schedules.add': onOpen(
    {
      summary: 'Set a prompt for later in it.',
      takes: z
        .object({ prompt: text, displayPrompt: text.optional() })
        .and(
          z.union([
            z.object({ interval: text, recurring: z.boolean().optional() }),
            z.object({ cron: text, tz: text.optional() }),
            z.object({ at: z.number() }),
            z.object({ selfPaced: z.literal(true) }),
          ]),
        ),
      ...ownerOnly,
    },
    (engine, session, wish: ScheduleWish) => schedules.addSchedule(engine, session, wish),
  ),
  /** Undefined when there is none of that number. */
  'schedules.stop': onOpen(
    {
      summary: 'Take a scheduled prompt of it back.',
      takes: z.strictObject({ number: z.int() }),
      args: ['number'],
      ...ownerOnly,
    },
    (engine, session, { number }) => schedules.stopSchedule(engine, session, number),
  ),
  /** The next time of one that has no times of its own. */
  'schedules.rearm': onOpen(
    {
      summary: 'Set the next time of a self-paced prompt in it.',
      takes: z.strictObject({ number: z.int(), at: z.number() }),
      args: ['number', 'at'],
      ...ownerOnly,
    },
    (engine, session, { number, at }) => schedules.rearmSchedule(engine, session, number, at),
  ),
  'canvases.record': onOpen(
    {
      summary: 'Open a panel beside it.',
      takes: z.strictObject({ ...canvas, title: text.optional(), input: z.unknown().optional() }),
      ...ownerOnly,
    },
    (engine, session, shown: Payload<'session.canvas.recorded'>) =>
      recordCanvas(engine, session, shown),
  ),
  'canvases.remove': onOpen(
    { summary: 'Close a panel beside it.', takes: z.strictObject(canvas), ...ownerOnly },
    (engine, session, gone: Payload<'session.canvas.removed'>) =>
      removeCanvas(engine, session, gone),
  ),
}
