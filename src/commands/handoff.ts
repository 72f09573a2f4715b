/** A session goes on elsewhere: one of this home on a worker, or one of another machine here. */
import { z } from 'zod'
import type { Session } from '../engine/session.ts'
import type { TaskDraft } from '../engine/remote-control.ts'
import type { Task, TaskWish } from '../format/task.ts'
import { defined } from '../lib/defined.ts'
import { command } from './command.ts'
import { resolveFar } from './find-session.ts'
import { remoteOf } from './remote.ts'
import { sayDraft, sayLeftOut, withoutChanges } from './tasks.ts'

type HandedOff =
  { readonly task: Task; readonly leftOut: TaskDraft['leftOut'] } | { readonly asked: string }

export const handoff = command({
  name: 'handoff',
  summary: 'let a worker of Mission Control go on with this session',
  changes: 'conversation',
  on: 'session',
  args: z.object({
    prompt: z.string().min(1).optional().describe('what is to be done there (default: to go on)'),
    pool: z.string().optional().describe('only a worker of this pool takes it'),
    clean: z.boolean().optional().describe('without the changes that are not committed here'),
    yes: z.boolean().optional().describe('do not ask before changes leave this machine'),
  }),
  words: ['prompt…'],
  async run(context, { prompt = GO_ON, pool, clean, yes }): Promise<HandedOff> {
    const { tasks } = await remoteOf(context)
    const session = await context.session()
    const { cwd = context.cwd } = (await session.state()).project
    const whole = await tasks.draft(cwd)
    const draft = clean === true ? withoutChanges(whole) : whole
    if (yes !== true)
      return {
        asked: `${sayDraft(draft)}\n\nHand the session over, with its plan, its files and what it was about?`,
      }
    const about = await session.metadata()
    const task = await tasks.start({
      prompt,
      ...draft.wish,
      ...(await belongings(session, context)),
      from: { session: session.id },
      ...defined({ pool, name: about.name }),
    })
    await session.note({
      level: 'info',
      type: 'handoff',
      message: `Handed over to a worker, as task ${task.id}.`,
    })
    return { task, leftOut: draft.leftOut }
  },
  say: (result) =>
    'asked' in result
      ? result.asked
      : `Task ${result.task.id} goes on with it when a worker takes it. \`reprise --connect ${result.task.id.slice(0, 8)}\` watches it there, \`reprise remote take ${result.task.id.slice(0, 8)}\` brings it back.${sayLeftOut(result.leftOut)}`,
})

const GO_ON = 'Go on with what this session was about.'
const MOST_FILE = 1024 * 1024

type Redactor = { redactor(): Promise<{ redactText(text: string): { text: string } }> }

/** Plan, files and a summary leave without secrets. */
async function belongings(
  session: Session,
  { redactor }: Redactor,
): Promise<Pick<TaskWish, 'plan' | 'files' | 'context'>> {
  const { redactText } = await redactor()
  const clean = (text: string) => redactText(text).text
  const plan = await session.readPlan()
  const files: { path: string; bytes: string }[] = []
  for (const { path, size } of await session.files()) {
    if (size > MOST_FILE) continue
    const text = Buffer.from(await session.readFile(path)).toString('utf8')
    // One with a secret stays here, as it does in a patch.
    if (clean(text) === text) files.push({ path, bytes: Buffer.from(text).toString('base64') })
  }
  const context = clean(await session.summariseForHandoff())
  return { context, files, ...defined({ plan: plan === undefined ? undefined : clean(plan) }) }
}

export const remoteTake = command({
  name: 'remote take',
  summary: 'go on here with a session of another machine, as a fresh one of this home',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    session: z.string().min(1).describe('its id, task, the beginning of one, or its name'),
  }),
  words: ['session'],
  async run(context, { session: word }) {
    const remote = await remoteOf(context)
    const id = await resolveFar(context.engine, word)
    return remote.takeOver(id, {
      cwd: context.cwd,
      onStep: ({ step, status }) =>
        context.working?.(status === 'complete' ? undefined : step.replace('-', ' ')),
    })
  },
  say: ({ id, hasChanges }) =>
    `Session ${id} goes on with it here.${hasChanges ? ' What was changed there is in the work tree, not committed.' : ''} \`reprise --resume ${id.slice(0, 8)}\` opens it.`,
})
