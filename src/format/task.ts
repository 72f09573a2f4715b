/** Work that a person leaves at Mission Control for a worker: what is wanted, where, and what came of it. */
import { z } from 'zod'

const word = z.string().min(1).max(500)
/** So much of a patch, a plan or a file goes along; what is larger is refused, never cut. */
export const MOST_TEXT = 6 * 1024 * 1024

const TaskRepository = z.object({
  /** As it is cloned. */
  url: word,
  branch: word.optional(),
  /** What the patch is made against; without it, the end of the branch. */
  commit: word.optional(),
})

export const TaskWish = z.object({
  /** Without one the session waits for messages. */
  prompt: z
    .string()
    .min(1)
    .max(256 * 1024)
    .optional(),
  name: word.optional(),
  repository: TaskRepository.optional(),
  /** Uncommitted changes, as `git diff --binary` has them. */
  patch: z.string().max(MOST_TEXT).optional(),
  plan: z.string().max(MOST_TEXT).optional(),
  /** What the session that it comes from was about. */
  context: z.string().max(MOST_TEXT).optional(),
  /** Files of the session's own folder, as base64. */
  files: z
    .array(z.object({ path: word, bytes: z.string().max(MOST_TEXT) }))
    .max(200)
    .optional(),
  /** The session and the machine that handed it over. */
  from: z.object({ session: word, machine: word.optional() }).optional(),
})
export type TaskWish = z.output<typeof TaskWish>

export const TaskResult = z.object({
  /** What was changed against the commit that it began with. */
  diff: z.string().max(MOST_TEXT).optional(),
  base: word.optional(),
  branch: word.optional(),
  commit: word.optional(),
  /** Whether the branch is in the repository that it came from. */
  isPushed: z.boolean().optional(),
  /** Files that stayed out of the diff, and why. */
  leftOut: z.array(z.object({ path: word, why: word })).optional(),
  /** What the agent said last. */
  answer: z.string().max(MOST_TEXT).optional(),
  /** While it runs: up to which event of the log the diff has what was done. */
  upTo: word.optional(),
})
export type TaskResult = z.output<typeof TaskResult>

/** How the pool begins whose tasks one machine takes as sessions of its own. */
export const MACHINE_POOL = 'machine:'

export const TASK_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** As it is told. */
export const Task = z.object({
  id: z.string(),
  session: z.string(),
  state: z.string(),
  name: z.string().nullable(),
  pool: z.string(),
  worker: z.string().nullable(),
  attempts: z.int(),
  reason: z.string().nullable(),
  isArchived: z.boolean(),
  made: z.string(),
  changed: z.string(),
})
export type Task = z.output<typeof Task>

export const WholeTask = Task.extend({ wish: TaskWish, result: TaskResult.nullable() })
export type WholeTask = z.output<typeof WholeTask>

export const Worker = z.object({
  id: z.string(),
  machine: z.string(),
  person: z.string(),
  pool: z.string(),
  agent: z.string(),
  policy: z.string(),
  slots: z.int(),
  busy: z.int(),
  heardAt: z.string(),
  isStale: z.boolean(),
})
export type Worker = z.output<typeof Worker>
