/** One's own tasks and what became of them; the workers that take them. */
import { useState } from 'preact/hooks'
import { ago, counted } from '../../../../lib/quantities.ts'
import { post } from '../client.ts'
import { hashOf } from '../model/route.ts'
import type { TasksAnswer, WorkersAnswer } from '../model/team.ts'
import { visible } from '../model/words.ts'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { NewTask } from './new-task.tsx'
import type { PartProps } from './team.tsx'
import { useList } from './use-list.ts'

const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled'])

export function TasksPart({ team, say }: PartProps) {
  const [isOld, setOld] = useState(false)
  const [isNew, setNew] = useState(false)
  const path = isOld ? '/api/tasks?archived=true' : '/api/tasks'
  const { answer, failure, act } = useList<TasksAnswer>(path, say)
  const now = Date.now()
  return (
    <>
      <div class="buttons">
        {team.may('start') && (
          <button type="button" class="primary" onClick={() => setNew(true)}>
            New task
          </button>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isOld}
            onChange={(event) => setOld(event.currentTarget.checked)}
          />
          Show what was put away
        </label>
      </div>
      <Failed failure={failure} />
      {answer?.tasks.length === 0 && (
        <Empty icon="check" title={isOld ? 'Nothing was put away' : 'No tasks'}>
          “New task” leaves work for a worker, which “reprise worker” starts on a machine.
        </Empty>
      )}
      <ul class="cards">
        {answer?.tasks.map((task) => (
          <li key={task.id} class="card in-line wraps">
            <a class="title" href={hashOf({ view: 'session', id: task.session })}>
              {visible(task.name ?? task.id)}
            </a>
            <span class="chip">{task.state}</span>
            <span class="faint">
              {task.reason === null ? '' : `${visible(task.reason)} · `}
              {task.worker === null ? 'no worker yet' : visible(task.worker)} ·{' '}
              {ago(task.changed, now)}
            </span>
            {team.may('start') && !ENDED.has(task.state) && (
              <button
                type="button"
                class="danger"
                onClick={() =>
                  void act(() => post(`/api/tasks/${task.id}/cancel`), 'Its worker ends it.')
                }
              >
                Cancel
              </button>
            )}
            {team.may('start') && ENDED.has(task.state) && (
              <button
                type="button"
                onClick={() =>
                  void act(() =>
                    post(`/api/tasks/${task.id}/archive`, { archived: !task.isArchived }),
                  )
                }
              >
                {task.isArchived ? 'Bring back' : 'Put away'}
              </button>
            )}
          </li>
        ))}
      </ul>
      {isNew && <NewTask onClose={() => setNew(false)} />}
    </>
  )
}

export function WorkersPart({ team, say }: PartProps) {
  const { answer, failure } = useList<WorkersAnswer>('/api/workers', say)
  const now = Date.now()
  return (
    <>
      <Failed failure={failure} />
      {answer?.workers.length === 0 && (
        <Empty icon="command" title="No worker was heard of within a day">
          “reprise worker” on a machine takes the tasks that are left here.
        </Empty>
      )}
      <ul class="cards">
        {answer?.workers.map((worker) => (
          <li key={worker.id} class="card">
            <span class="in-line wraps">
              <b class="title">{visible(worker.machine)}</b>
              <span class="chip">{worker.isStale ? 'not heard of' : 'there'}</span>
              <span class="faint">
                {visible(team.nameOf(worker.person))} · {visible(worker.agent)} · {worker.busy} of{' '}
                {counted(worker.slots, 'task')} · heard {ago(worker.heardAt, now)}
                {worker.pool === '' ? '' : ` · pool ${visible(worker.pool)}`}
              </span>
            </span>
            <span class="faint">Without asking: {visible(worker.policy)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
