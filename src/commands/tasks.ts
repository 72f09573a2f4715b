/** `tasks`: work that is left at Mission Control for a worker. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { TaskDraft } from '../engine/remote-control.ts'
import type { Task, WholeTask } from '../format/task.ts'
import { defined } from '../lib/defined.ts'
import { counted, relativeTime, sizeText } from '../lib/quantities.ts'
import { command, type Wording } from './command.ts'
import { plain } from './markdown.ts'
import { remoteOf } from './remote.ts'

type Started =
  | { readonly task: Task; readonly leftOut: TaskDraft['leftOut'] }
  | { readonly asked: string; readonly goesAlong: TaskDraft }

export const tasksStart = command({
  name: 'tasks start',
  summary: 'leave work for a worker of Mission Control',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    prompt: z.string().min(1).optional().describe('what is to be done'),
    name: z.string().optional().describe('what its session is called'),
    pool: z.string().optional().describe('only a worker of this pool takes it'),
    machine: z
      .string()
      .optional()
      .describe('a session of this machine of yours, in its own project, where it allows that'),
    clean: z.boolean().optional().describe('without the changes that are not committed here'),
    yes: z.boolean().optional().describe('do not ask before changes leave this machine'),
  }),
  words: ['prompt…'],
  async run(context, { prompt, name, pool, machine, clean, yes }): Promise<Started> {
    if (prompt === undefined)
      throw new EngineError(
        'invalid',
        'A task needs a prompt: what is to be done. Nothing was left.',
      )
    const { tasks } = await remoteOf(context)
    if (machine !== undefined && pool !== undefined)
      throw new EngineError('invalid', 'Give --machine or --pool, not both. Nothing was left.')
    // A machine has files of its own.
    const draft = await (machine === undefined
      ? tasks.draft(context.cwd)
      : tasks.place(context.cwd))
    const goesAlong = clean === true ? withoutChanges(draft) : draft
    if (yes !== true && goesAlong.wish.patch !== undefined)
      return { asked: `${sayDraft(goesAlong)}\n\nLeave the task, with these changes?`, goesAlong }
    const task = await tasks.start({
      prompt,
      ...goesAlong.wish,
      ...defined({ name, pool, machine }),
    })
    return { task, leftOut: goesAlong.leftOut }
  },
  say: (result, { call }) =>
    'asked' in result
      ? result.asked
      : `Task ${result.task.id} waits for a worker. ${call('tasks show', result.task.id.slice(0, 8))} tells what became of it; \`reprise --connect ${result.task.id.slice(0, 8)}\` watches it.${sayLeftOut(result.leftOut)}`,
})

export const withoutChanges = ({ wish: { repository } }: TaskDraft): TaskDraft => ({
  wish: defined({ repository }),
  files: [],
  leftOut: [],
})

/** What leaves the machine, before it does. */
export function sayDraft({ wish: { repository, patch = '' }, files, leftOut }: TaskDraft): string {
  const from = repository === undefined ? 'no repository' : plain(repository.url)
  const lines = [
    `From ${from}${repository?.commit === undefined ? '' : ` at ${repository.commit.slice(0, 10)}`}, with changes of ${counted(files.length, 'file')} (${sizeText(patch.length)}):`,
    ...files.map((file) => `- ${plain(file)}`),
  ]
  return lines.join('\n') + sayLeftOut(leftOut)
}

export const sayLeftOut = (leftOut: TaskDraft['leftOut']): string =>
  leftOut.length === 0
    ? ''
    : ['\n', 'Stays here:', ...leftOut.map(({ path, why }) => `- ${plain(path)}: ${why}`)].join(
        '\n',
      )

export const tasksList = command({
  name: 'tasks',
  aliases: ['tasks list'],
  summary: 'the work that you left for workers',
  changes: 'nothing',
  on: 'home',
  args: z.object({ archived: z.boolean().optional().describe('those that were archived') }),
  run: async (context, { archived }) => ({
    tasks: await (await remoteOf(context)).tasks.list({ isArchived: archived === true }),
  }),
  say: ({ tasks }, { now }) =>
    tasks.length === 0
      ? 'There is no work that you left for workers.'
      : tasks
          .map(
            ({ id, name, state, changed }) =>
              `- ${id.slice(0, 8)} ${plain(name ?? 'without a prompt')} (${state}, ${relativeTime(changed, now().getTime())})`,
          )
          .join('\n'),
})

const one = { task: z.string().min(1).describe('its id, or the beginning of it') }

export const tasksShow = command({
  name: 'tasks show',
  summary: 'one task: what came of it, and its changes',
  changes: 'nothing',
  on: 'home',
  args: z.object({ ...one, diff: z.boolean().optional().describe('its changes, as a patch') }),
  words: ['task'],
  run: async (context, { task, diff }) => {
    const whole = await (await remoteOf(context)).tasks.show(task)
    return diff === true ? { diff: whole.result?.diff ?? '' } : whole
  },
  say: (result, wording) =>
    'diff' in result ? result.diff : sayTask(result as WholeTask, wording),
})

const STATES: Readonly<Record<string, string>> = {
  queued: 'waits for a worker',
  running: 'is running',
  done: 'is done',
  failed: 'has failed',
  cancelled: 'was cancelled',
}

function sayTask(
  { id, name, state, session, reason, attempts, result }: WholeTask,
  { call }: Wording,
) {
  const { branch, isPushed, leftOut = [], answer, diff = '' } = result ?? {}
  const lines = [
    `**${plain(name ?? id)}** ${STATES[state] ?? `is ${state}`}.${reason === null ? '' : ` ${plain(reason)}`}`,
    `Session ${session}, begun by ${counted(attempts, 'worker')}.`,
  ]
  if (state === 'done' && diff === '' && branch === undefined) lines.push('No file was changed.')
  if (branch !== undefined)
    lines.push(
      `Its changes are on the branch ${plain(branch)}${isPushed === true ? '' : ', which was not pushed'}; ${call('tasks show', `${id.slice(0, 8)} --diff`)} prints them.`,
    )
  if (leftOut.length > 0)
    lines.push(`Left out: ${leftOut.map(({ path, why }) => `${plain(path)} (${why})`).join(', ')}.`)
  if (answer !== undefined) lines.push(answer)
  return lines.join('\n\n')
}

export const tasksCancel = command({
  name: 'tasks cancel',
  summary: 'call a task off; a worker that has it ends it',
  changes: 'sessions',
  on: 'home',
  args: z.object(one),
  words: ['task'],
  run: async (context, { task }) => (await remoteOf(context)).tasks.cancel(task),
  say: ({ state }) => `It ${STATES[state] ?? `is ${state}`}.`,
})

export const tasksArchive = command({
  name: 'tasks archive',
  summary: 'take a task out of the list',
  changes: 'sessions',
  on: 'home',
  args: z.object({ ...one, back: z.boolean().optional().describe('put it back into the list') }),
  words: ['task'],
  run: async (context, { task, back }) =>
    (await remoteOf(context)).tasks.archive(task, back !== true),
  say: ({ isArchived }) => (isArchived ? 'It is archived.' : 'It is in the list again.'),
})
