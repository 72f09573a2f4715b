/** Who answers from now on: the agent, its model, and how hard it thinks. All of it from lists. */
import { useState } from 'preact/hooks'
import type { AgentsAnswer } from '../../api.ts'
import type { SessionModel } from '../model/session-model.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { Efforts, ModelField } from './model-field.tsx'
import { useAnswer } from './use-answer.ts'
import type { SessionActions } from './use-session-actions.ts'

type Props = { readonly model: SessionModel; readonly actions: SessionActions }

export function ModelDialog({ model, actions }: Props) {
  const { agent: now, model: answers } = model.answer?.answers ?? {}
  const effort = model.answer?.state.reasoningEffort
  const [agent, setAgent] = useState('')
  const [name, setName] = useState(answers ?? '')
  const [hard, setHard] = useState(effort ?? '')
  const agents = useAnswer<AgentsAnswer>('/api/agents')
  const known = agents.answer?.agents ?? []
  const isSame = name.trim() === (answers ?? '') && hard === (effort ?? '')
  const save = () => {
    if (agent !== '') actions.setAgent(agent)
    if (name.trim() !== '' && !isSame)
      actions.setModel({ model: name.trim(), ...(hard !== '' && { reasoningEffort: hard }) })
    if (agent === '' && isSame) actions.close()
  }
  return (
    <Dialog title="Who answers" onClose={actions.close}>
      <Form class="fields" onSubmit={save}>
        {known.length > 0 && (
          <label>
            Agent
            <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
              <option value="">as it is{now === undefined ? '' : ` (${now})`}</option>
              {known.map((each) => (
                <option value={each.name}>
                  {each.name} – {each.about}
                </option>
              ))}
            </select>
          </label>
        )}
        <ModelField
          agent={agent === '' ? now : agent}
          session={agent === '' ? model.id : undefined}
          used={model.answer?.usage.models.map((used) => used.model) ?? []}
          value={name}
          onChange={setName}
        />
        <Efforts value={hard} own={effort} onChange={setHard} />
        <p class="faint">It holds from the next message on, and is in the log.</p>
        <div class="buttons">
          <button class="primary">Use it</button>
          <button type="button" onClick={actions.close}>
            Leave it
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
