/** A note for the board, as a person writes it. */
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

type Fields = Readonly<Record<'repository' | 'branch' | 'name' | 'content', string>>

type Props = {
  readonly repository: string
  readonly onClose: () => void
  readonly onAdd: (note: Partial<Fields>) => Promise<void>
}

const lines = [
  ['repository', 'Repository', 'owner/name', 500],
  ['branch', 'Branch', 'all', 250],
  ['name', 'Name', 'how tests are run', 100],
] as const

export function BoardForm({ repository, onClose, onAdd }: Props) {
  const [fields, setFields] = useState<Fields>({ repository, branch: '', name: '', content: '' })
  const set = (name: string, value: string) => setFields({ ...fields, [name]: value })
  const { branch, ...rest } = fields
  const isWhole = Object.values(rest).every((text) => text.trim() !== '')
  return (
    <Dialog title="Add a note" onClose={onClose}>
      <Form
        class="fields"
        onSubmit={() => {
          if (isWhole) void onAdd(branch.trim() === '' ? rest : fields)
        }}
      >
        {lines.map(([name, label, example, most]) => (
          <label>
            {label}
            <input
              value={fields[name]}
              placeholder={example}
              maxLength={most}
              onInput={(event) => set(name, event.currentTarget.value)}
            />
          </label>
        ))}
        <label>
          Note
          <textarea
            rows={6}
            maxLength={8192}
            value={fields.content}
            onInput={(event) => set('content', event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button class="primary" disabled={!isWhole}>
            Add
          </button>
          <button type="button" onClick={onClose}>
            Discard
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
