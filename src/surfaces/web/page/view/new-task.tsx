/** Leaves work for a worker: what is wanted, and in which repository. Its session opens at once. */
import { useState } from 'preact/hooks'
import type { Task } from '../../../../format/task.ts'
import { defined } from '../../../../lib/defined.ts'
import { post, sentence } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { useDraft } from './use-draft.ts'

export function NewTask({ onClose }: { readonly onClose: () => void }) {
  const [fields, setFields] = useState({ url: '', branch: '', pool: '' })
  const [prompt, writePrompt] = useDraft('task')
  const [said, setSaid] = useState('')
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) =>
    setFields((before) => ({ ...before, [name]: event.currentTarget.value }))
  const start = async () => {
    const { url, branch, pool } = fields
    const repository = url === '' ? undefined : { url, ...defined({ branch: branch || undefined }) }
    try {
      const wish = { prompt, ...defined({ repository, pool: pool || undefined }) }
      const { session } = await post<Task>('/api/tasks', wish)
      writePrompt('')
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
          <textarea
            required
            rows={5}
            value={prompt}
            onInput={(event) => writePrompt(event.currentTarget.value)}
          />
        </label>
        <label>
          Repository, as it is cloned
          <input
            placeholder="https://example.com/owner/name.git"
            value={fields.url}
            onInput={set('url')}
          />
        </label>
        <div class="in-two">
          <label>
            Branch
            <input placeholder="its usual one" value={fields.branch} onInput={set('branch')} />
          </label>
          <label>
            Pool of workers
            <input placeholder="any" value={fields.pool} onInput={set('pool')} />
          </label>
        </div>
        {said !== '' && (
          <p class="bad" role="alert">
            {said}
          </p>
        )}
        <div class="buttons">
          <button class="primary">Start</button>
          <button type="button" onClick={onClose}>
            Not now
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
