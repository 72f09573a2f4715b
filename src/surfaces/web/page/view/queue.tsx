/** Messages that wait for the agent to be done: each can be changed, moved, sent into the turn or taken out. */
import { useState } from 'preact/hooks'
import type { QueueEntry } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import { Icon, type IconName } from './icon.tsx'
import { useDraft } from './use-draft.ts'
import type { Attempt } from './use-list.ts'

type Props = {
  readonly id: string
  readonly queue: readonly QueueEntry[]
  /** The turn before them was stopped: they wait until a person lets them go on. */
  readonly isHeld: boolean
  readonly attempt: Attempt
}

export function Queue({ id, queue, isHeld, attempt }: Props) {
  const [edited, setEdited] = useState<string>()
  if (queue.length === 0) return null
  const change = (body: object) => attempt(() => post(sessionPath(id, '/queue'), body))
  const act = (body: object) => void change(body)
  return (
    <ol class={`queue ${isHeld ? 'is-held' : ''}`} aria-label="Messages that wait">
      {isHeld && (
        <li>
          <span>Held: the turn before {queue.length === 1 ? 'it' : 'them'} was stopped.</span>
        </li>
      )}
      {queue.map(({ id: messageId, prompt }, place) => (
        <li key={messageId}>
          {edited === messageId ? (
            <Edit
              messageId={messageId}
              prompt={prompt}
              onSave={(next) => change({ action: 'edit', messageId, prompt: next })}
              onDone={() => setEdited(undefined)}
            />
          ) : (
            <>
              <span title={visible(prompt.slice(0, 2000))}>{visible(prompt.slice(0, 300))}</span>
              <Button
                name="Send earlier"
                icon="earlier"
                isOff={place === 0}
                onClick={() => act({ action: 'move', messageId, place: place - 1 })}
              />
              <Button
                name="Send later"
                icon="later"
                isOff={place === queue.length - 1}
                onClick={() => act({ action: 'move', messageId, place: place + 1 })}
              />
              <Button name="Change" icon="edit" onClick={() => setEdited(messageId)} />
              <Button
                name="Take out of the queue"
                icon="close"
                onClick={() => act({ action: 'remove', messageId })}
              />
            </>
          )}
        </li>
      ))}
      {(isHeld || queue.length > 1) && (
        <li class="queue-all">
          {isHeld && (
            <button type="button" class="small" onClick={() => act({ action: 'resume' })}>
              Go on
            </button>
          )}
          <button type="button" class="quiet small" onClick={() => act({ action: 'clear' })}>
            Clear
          </button>
        </li>
      )}
    </ol>
  )
}

type ButtonProps = {
  readonly name: string
  readonly icon: IconName
  readonly isOff?: boolean
  readonly onClick: () => void
}

const Button = ({ name, icon, isOff = false, onClick }: ButtonProps) => (
  <button
    type="button"
    class="quiet sign"
    aria-label={name}
    title={name}
    disabled={isOff}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)

type EditProps = {
  readonly messageId: string
  readonly prompt: string
  readonly onSave: (prompt: string) => Promise<boolean>
  readonly onDone: () => void
}

/** What was changed is kept until the server has it. */
function Edit({ messageId, prompt, onSave, onDone }: EditProps) {
  const [text, write] = useDraft(`queued ${messageId}`, prompt)
  const discard = () => {
    write('')
    onDone()
  }
  const save = async () => {
    if (text.trim() === '' || text === prompt || (await onSave(text))) discard()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') discard()
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <>
      <textarea
        rows={2}
        aria-label="Waiting message"
        value={text}
        ref={focusOnce}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" class="small" onClick={() => void save()}>
        Save
      </button>
      <button type="button" class="quiet small" onClick={discard}>
        Discard
      </button>
    </>
  )
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  if (field !== null && document.activeElement !== field) field.focus()
}
