/** Which model answers from now on, and how hard it thinks. Models that were used before are offered. */
import { useState } from 'preact/hooks'
import type { ReportAnswer } from '../../api.ts'
import { modelsIn } from '../model/charts.ts'
import { Dialog } from './dialog.tsx'
import { useAnswer } from './use-answer.ts'

type Props = {
  readonly model: string | undefined
  readonly effort: string | undefined
  /** The models that this session has used. */
  readonly used: readonly string[]
  readonly onClose: () => void
  readonly onChoose: (choice: { model: string; reasoningEffort?: string }) => void
}

const efforts = ['minimal', 'low', 'medium', 'high'] as const

export function ModelDialog({ model, effort, used, onClose, onChoose }: Props) {
  const [name, setName] = useState(model ?? '')
  const [hard, setHard] = useState(effort ?? '')
  const everywhere = useAnswer<ReportAnswer>('/api/usage', { since: '365d' })
  const known = [...new Set([...used, ...modelsIn(everywhere.answer?.json)])].sort()
  return (
    <Dialog title="Model" onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          onChoose({ model: name.trim(), ...(hard !== '' && { reasoningEffort: hard }) })
        }}
      >
        <label>
          Model
          <input
            list="models"
            value={name}
            maxLength={200}
            placeholder="as the provider names it"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <datalist id="models">
          {known.map((each) => (
            <option value={each} />
          ))}
        </datalist>
        <label>
          Reasoning effort
          <select value={hard} onChange={(event) => setHard(event.currentTarget.value)}>
            <option value="">as it is</option>
            {[...new Set([...efforts, ...(effort === undefined ? [] : [effort])])].map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
        </label>
        <p class="faint">It holds from the next message on, and is in the log.</p>
        <div class="buttons">
          <button class="primary" disabled={name.trim() === ''}>
            Use it
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
