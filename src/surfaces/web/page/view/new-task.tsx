/** Leaves work for a worker: what is wanted, and in which repository. Its session opens at once. */
import { useState } from 'preact/hooks'
import type { Task } from '../../../../format/task.ts'
import { defined } from '../../../../lib/defined.ts'
import { post, sentence } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

export function NewTask({ onClose }: { readonly onClose: () => void }) {
  const [fields, setFields] = useState({ prompt: '', url: '', branch: '', pool: '' })
  const [said, setSaid] = useState('')
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) =>
    setFields((before) => ({ ...before, [name]: event.currentTarget.value }))
  const start = async () => {
    const { prompt, url, branch, pool } = fields
    const repository = url === '' ? undefined : { url, ...defined({ branch: branch || undefined }) }
    try {
      const wish = { prompt, ...defined({ repository, pool: pool || undefined }) }
      const { session } = await post<Task>('/api/tasks', wish)
      location.hash = hashOf({ view: 'session', id: session })
      onClose()
    } catch (error) {
      setSaid(sentence(error))
    }
  }
  return (
    <Dialog title="New task" onClose={onClose}>
      <Form class="fields" onSubmit={start}>
        <p class="faint">
          A worker of yours, or one that takes tasks of everybody, does it. Nobody else sees it.
        </p>
        <label>
          What is wanted
          <textarea required rows={5} value={fields.prompt} onInput={set('prompt')} />
        </label>
        <label>
          Repository, as it is cloned
          <input
            placeholder="https://example.com/owner/name.git"
            value={fields.url}
            onInput={set('url')}
          />
        </label>
        <label>
          Branch
          <input value={fields.branch} onInput={set('branch')} />
        </label>
        <label>
          Pool of workers
          <input placeholder="any" value={fields.pool} onInput={set('pool')} />
        </label>
        <p role="status">{said}</p>
        <div class="buttons">
          <button class="primary">Start</button>
        </div>
      </Form>
    </Dialog>
  )
}
