/** A note for the board, as a person writes it. */
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { useDraft } from './use-draft.ts'

type Fields = Readonly<Record<'repository' | 'branch' | 'name' | 'content', string>>

type Props = {
  readonly repository: string
  readonly onClose: () => void
  readonly onAdd: (note: Partial<Fields>) => Promise<boolean>
}

const lines = [
  ['repository', 'Repository', 'owner/name', 500],
  ['branch', 'Branch', 'all', 250],
  ['name', 'Name', 'how tests are run', 100],
] as const

export function BoardForm({ repository, onClose, onAdd }: Props) {
  const [fields, setFields] = useState({ repository, branch: '', name: '' })
  const [content, writeContent] = useDraft('note')
  const set = (name: string, value: string) => setFields({ ...fields, [name]: value })
  const { branch, ...others } = fields
  const rest = { ...others, content }
  const isWhole = Object.values(rest).every((text) => text.trim() !== '')
  return (
    <Dialog title="Add a note" onClose={onClose}>
      <Form
        class="fields"
        onSubmit={() => {
          if (isWhole)
            void onAdd(branch.trim() === '' ? rest : { ...rest, branch }).then(
              (isAdded) => isAdded && writeContent(''),
            )
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
            value={content}
            onInput={(event) => writeContent(event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button class="primary" disabled={!isWhole}>
            Add
          </button>
          <button
            type="button"
            onClick={() => {
              writeContent('')
              onClose()
            }}
          >
            Discard
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
