/** A new session: where it works, who answers, how, and the first message with what goes along. */
import { useRef, useState } from 'preact/hooks'
import type { AgentsAnswer, CreatedAnswer, ProjectsAnswer } from '../../api.ts'
import { LONG_MS, post, sentence, sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { AttachButton, AttachedList } from './attached.tsx'
import { modes } from './composer.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { ModelField } from './model-field.tsx'
import { useAnswer } from './use-answer.ts'
import { useAttachments } from './use-attachments.ts'
import { useDraft } from './use-draft.ts'
import { askToNotify } from './use-notifications.ts'

/** What was typed here and not sent is there again, whatever became of the tab. */
const DRAFT = 'new'

type Props = {
  readonly onClose: () => void
  /** Where the server was started. */
  readonly cwd: string | undefined
}

export function NewSession({ onClose, cwd: own }: Props) {
  const [cwd, setCwd] = useState('')
  const [agent, setAgent] = useState('')
  const [model, setModel] = useState('')
  const [mode, setMode] = useState('interactive')
  const [prompt, writePrompt] = useDraft(DRAFT)
  const [trouble, setTrouble] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  /** Begun, and its first message not taken yet: who tries again begins no second one. */
  const begun = useRef<string>(undefined)
  const attachments = useAttachments(setTrouble)
  const agents = useAnswer<AgentsAnswer>('/api/agents').answer
  const projects = useAnswer<ProjectsAnswer>('/api/projects').answer?.projects ?? []

  const begin = async () => {
    setBusy(true)
    setTrouble(undefined)
    try {
      const wish = { cwd: cwd.trim(), agent, model: model.trim(), mode }
      const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== ''))
      begun.current ??= (await post<CreatedAnswer>('/api/sessions', given, LONG_MS)).sessionId
      const id = begun.current
      const files = attachments.files.map(({ name, base64 }) => ({ name, base64 }))
      const first = prompt.trim() === '' && files.length > 0 ? 'See what is attached.' : prompt
      askToNotify()
      if (first.trim() !== '')
        await post(sessionPath(id, '/send'), { prompt: first, attachments: files }, LONG_MS)
      writePrompt('')
      location.hash = hashOf({ view: 'session', id })
      onClose()
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
    } catch (error) {
      setTrouble(sentence(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title="New session" onClose={onClose}>
      <Form class="fields" {...attachments.drop} onSubmit={begin}>
        <div class={`composer-field ${attachments.isOver ? 'is-over' : ''}`}>
          <AttachedList attachments={attachments} />
          <textarea
            rows={4}
            aria-label="First message"
            placeholder="What is to be done? Pictures and texts can be pasted or dropped here."
            value={prompt}
            onInput={(event) => writePrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              void begin()
            }}
          />
          <div class="composer-foot">
            <AttachButton attachments={attachments} />
          </div>
        </div>
        <label>
          Folder
          <input
            list="new-folders"
            value={cwd}
            placeholder={own ?? ''}
            spellcheck={false}
            onInput={(event) => setCwd(event.currentTarget.value)}
          />
          <datalist id="new-folders">
            {projects.map((project) => (
              <option value={project.cwd}>{project.repository}</option>
            ))}
          </datalist>
        </label>
        <div class="in-two">
          {(agents?.agents.length ?? 0) > 0 && (
            <label>
              Agent
              <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
                <option value="">usual ({agents?.usual ?? 'none'})</option>
                {agents?.agents.map(({ name, about }) => (
                  <option value={name}>
                    {name} – {about}
                  </option>
                ))}
              </select>
            </label>
          )}
          <ModelField agent={agent === '' ? undefined : agent} value={model} onChange={setModel} />
        </div>
        <label>
          Mode
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
            {modes.map(([name, meaning]) => (
              <option value={name}>
                {name} – {meaning}
              </option>
            ))}
          </select>
        </label>
        {trouble !== undefined && (
          <p class="bad" role="alert">
            {trouble}
          </p>
        )}
        <div class="buttons">
          <button class="primary" disabled={isBusy}>
            {isBusy ? 'Beginning…' : 'Begin'}
          </button>
          <button type="button" onClick={onClose}>
            Not now
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
