/**
 * How far a task is, by the log that a worker before this one left, and what the agent is told so that it goes on: nothing
 * when its last word is there and the files are, too. Pure.
 */
import type { TaskWish } from '../../format/task.ts'

/** The files are those that another worker told of, after this event or, without one, before anything was done. */
export type FilesOf = { readonly upTo: string | undefined }

export type TaskMessage = { readonly prompt: string; readonly source: string }

type Standing = {
  readonly at: 'not-begun' | 'in-the-middle' | 'answered'
  /** Tools were done of which the files here may show nothing. */
  readonly mayLack: boolean
}

/** Of the log as it was left, before anything in it is settled. */
export async function standingOf(
  events: AsyncIterable<Logged>,
  { task, filesOf }: { readonly task: string; readonly filesOf?: FilesOf },
): Promise<Standing> {
  let standing: Standing['at'] = 'not-begun'
  let isAnswer = false
  let mayLack = false
  for await (const { id, type, data, agentId } of events) {
    if (type === 'tool.execution_complete') mayLack = filesOf !== undefined
    if (id === filesOf?.upTo) mayLack = false
    if (agentId !== undefined) continue
    if (type === 'user.message') {
      isAnswer = false
      if (String(data.source).startsWith(`task-${task}`)) standing = 'in-the-middle'
    }
    if (type.startsWith('tool.')) isAnswer = false
    if (type === 'assistant.message') isAnswer = isLastWord(data)
    // A turn that was settled after a kill has an end, too.
    if (type === 'assistant.turn_end' && !data.reprise?.goesOn && standing !== 'not-begun')
      standing = isAnswer ? 'answered' : 'in-the-middle'
  }
  return { at: standing, mayLack }
}

export type Logged = {
  readonly id: string
  readonly type: string
  readonly agentId?: string
  readonly data: {
    readonly source?: unknown
    readonly toolRequests?: readonly unknown[]
    readonly reprise?: { readonly goesOn?: unknown; readonly unfinished?: unknown }
  }
}

const isLastWord = ({ toolRequests = [], reprise }: Logged['data']): boolean =>
  toolRequests.length === 0 && reprise?.unfinished === undefined

export const firstMessage = (task: string, { prompt }: TaskWish): TaskMessage | undefined =>
  prompt === undefined ? undefined : { prompt, source: `task-${task}` }

export function nextMessage(
  {
    task,
    wish,
    attempts,
  }: { readonly task: string; readonly wish: TaskWish; readonly attempts: number },
  { at, mayLack }: Standing,
): TaskMessage | undefined {
  if (at === 'not-begun') return firstMessage(task, wish)
  if (wish.prompt === undefined || (at === 'answered' && !mayLack)) return undefined
  const stopped =
    at === 'answered'
      ? 'The machine that worked on this stopped after its last word, before it had told of all files.'
      : 'The machine that worked on this stopped in the middle. Go on with the task from where it is: what is recorded as done is done. Look at what was interrupted before you do it again.'
  const lack = mayLack
    ? ' The files are here as they were last told; what was done at the very end may be missing from them. Look at them, and do again what is missing.'
    : ''
  return { prompt: `${stopped}${lack}`, source: `task-${task}-${attempts}` }
}
