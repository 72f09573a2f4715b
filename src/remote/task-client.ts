/** What people and workers ask of Mission Control about tasks. docs/control.md has the routes. */
import { z } from 'zod'
import { Task, TaskResult, TaskWish, WholeTask, Worker } from '../format/task.ts'
import { askJson, type Asked, type ServerAddress } from './ask-server.ts'

const Claimed = z.object({
  task: z.object({ id: z.string(), session: z.string(), person: z.string(), attempts: z.int() }),
  wish: TaskWish,
  result: TaskResult.nullable(),
  leaseMs: z.int(),
})
export type ClaimedTask = z.output<typeof Claimed>
const Answer = z.union([Claimed, z.object({ task: z.null() })])

const Kept = z.object({ isYours: z.boolean(), isCancelled: z.boolean() })
type Kept = z.output<typeof Kept>

type WorkerTold = {
  readonly worker: string
  readonly pool: string
  readonly agent: string
  readonly policy: string
  readonly slots: number
  readonly busy: number
}

type NewTask = TaskWish & { readonly pool?: string }

export type TaskEnd = {
  readonly worker: string
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly reason?: string
  readonly result?: TaskResult
}

const LEAVE_MS = 2000

const at = (id: string) => `/api/tasks/${encodeURIComponent(id)}`
const sent = (json: unknown, more: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  json,
  ...more,
})

export const openTasks = (address: ServerAddress) => ({
  start: (task: NewTask): Promise<Task> => askJson(address, '/api/tasks', Task, sent(task)),
  list: async ({ isArchived }: { readonly isArchived: boolean }): Promise<readonly Task[]> =>
    (
      await askJson(
        address,
        `/api/tasks?archived=${isArchived}`,
        z.object({ tasks: z.array(Task) }),
      )
    ).tasks,
  show: (id: string): Promise<WholeTask> => askJson(address, at(id), WholeTask),
  cancel: (id: string): Promise<Task> => askJson(address, `${at(id)}/cancel`, Task, sent({})),
  archive: (id: string, archived: boolean): Promise<Task> =>
    askJson(address, `${at(id)}/archive`, Task, sent({ archived })),
  workers: async (): Promise<readonly Worker[]> =>
    (await askJson(address, '/api/workers', z.object({ workers: z.array(Worker) }))).workers,

  /** Undefined when nothing came in so many seconds. */
  async claim(
    told: WorkerTold,
    { wait, signal }: { readonly wait: number; readonly signal: AbortSignal },
  ): Promise<ClaimedTask | undefined> {
    const asked = sent({ ...told, wait }, { signal, timeoutMs: (wait + 30) * 1000 })
    const answer = await askJson(address, '/api/workers/claim', Answer, asked)
    return answer.task === null ? undefined : (answer as ClaimedTask)
  },
  /** The process ends: nobody waits long for a server that is away. */
  async leave(worker: string): Promise<void> {
    const path = `/api/workers/${encodeURIComponent(worker)}`
    await askJson(address, path, z.unknown(), { method: 'DELETE', timeoutMs: LEAVE_MS }).catch(
      () => {}, // it is listed until it was not heard of for long enough
    )
  },
  keep: (id: string, worker: string, result?: TaskResult): Promise<Kept> =>
    askJson(address, `${at(id)}/keep`, Kept, sent({ worker, result })),
  end: (id: string, end: TaskEnd): Promise<Kept> =>
    askJson(address, `${at(id)}/end`, Kept, sent(end)),
})
