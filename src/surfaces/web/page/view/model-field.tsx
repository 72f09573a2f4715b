/** A model by its name: from the list of the endpoint and those used before, or typed. */
import { useId } from 'preact/hooks'
import type { ModelsAnswer } from '../../api.ts'
import { useAnswer } from './use-answer.ts'

type Props = {
  readonly agent: string | undefined
  /** Whose agent is asked, while it is to stay. */
  readonly session?: string | undefined
  readonly value: string
  readonly onChange: (name: string) => void
  /** The models that this session has used. */
  readonly used?: readonly string[]
}

export function ModelField({ agent, session, value, onChange, used = [] }: Props) {
  const id = useId()
  const { answer, isLoading } = useAnswer<ModelsAnswer>('/api/models', { agent, session })
  const models = answer?.models ?? []
  const configured = models.find(({ from }) => from === 'configured')?.name
  const names = [...new Set([...models.map(({ name }) => name), ...used])]
  return (
    <label>
      Model
      <input
        list={id}
        aria-label="Model"
        value={value}
        maxLength={200}
        placeholder={configured ?? 'the agent’s own'}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option value={name} />
        ))}
      </datalist>
      <span class="faint" role="status">
        {isLoading
          ? 'Asking which models there are…'
          : (answer?.trouble ??
            (names.length === 0
              ? 'No list is known; type its name.'
              : `${names.length} to choose from; another can be typed.`))}
      </span>
    </label>
  )
}

const efforts = ['minimal', 'low', 'medium', 'high'] as const

type EffortProps = {
  readonly value: string
  readonly own?: string | undefined
  readonly onChange: (effort: string) => void
}

export const Efforts = ({ value, own, onChange }: EffortProps) => (
  <label>
    Reasoning effort
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">as it is</option>
      {[...new Set([...efforts, ...(own === undefined ? [] : [own])])].map((each) => (
        <option value={each}>{each}</option>
      ))}
    </select>
  </label>
)
