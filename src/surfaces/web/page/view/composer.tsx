/**
 * Where a message or a command is written. While the agent works a message waits in the queue or joins the turn; what a
 * command says is shown above the field.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QueueEntry, SessionStatus } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import { AttachButton, AttachedList } from './attached.tsx'
import { Form } from './form.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { PALETTE, Palette, optionId } from './palette.tsx'
import { Queue } from './queue.tsx'
import { useMessage } from './use-message.ts'
import { usePalette } from './use-palette.ts'
import type { Attempt } from './use-list.ts'

type Props = {
  readonly id: string
  readonly status: SessionStatus
  readonly mode: string | undefined
  readonly onMode: (mode: string) => void
  readonly queue: readonly QueueEntry[]
  readonly isHeld: boolean
  /** Why the queue is not known. */
  readonly trouble: string | undefined
  readonly attempt: Attempt
}

export const modes = [
  ['interactive', 'asks before changes'],
  ['plan', 'plans, changes nothing'],
  ['autopilot', 'goes on until done'],
] as const

export function Composer({ id, status, mode, onMode, queue, isHeld, trouble, attempt }: Props) {
  const [whenBusy, setWhenBusy] = useState<'queue' | 'steer'>('queue')
  const message = useMessage(id, attempt, whenBusy)
  const { text, write, send, attachments } = message
  const palette = usePalette(id, text, write)
  const isBusy = status !== 'idle'
  const field = useGrowing(text)
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.shiftKey && !event.isComposing
    if (isPlain && palette?.press(event.key) === true) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  }
  const word = isBusy ? (whenBusy === 'queue' ? 'Queue' : 'Steer') : 'Send'
  return (
    <Form
      class={`composer ${attachments.isOver ? 'is-over' : ''}`}
      {...attachments.drop}
      onSubmit={send}
    >
      {trouble !== undefined && (
        <p class="bad" role="status">
          {visible(trouble)}
        </p>
      )}
      <Queue id={id} queue={queue} isHeld={isHeld} attempt={attempt} />
      {message.said !== '' && (
        <section class="said" aria-label="What the command says" aria-live="polite">
          <Markdown text={message.said} />
          <button type="button" class="quiet sign" aria-label="Close" onClick={message.hush}>
            <Icon name="close" />
          </button>
        </section>
      )}
      {palette !== undefined && (
        <Palette
          candidates={palette.candidates}
          chosen={palette.chosen}
          onTake={({ line }) => write(line)}
        />
      )}
      <div class="composer-field">
        <AttachedList attachments={attachments} />
        <textarea
          ref={field}
          data-composer
          aria-autocomplete="list"
          aria-controls={palette === undefined ? undefined : PALETTE}
          aria-activedescendant={palette === undefined ? undefined : optionId(palette.chosen)}
          rows={1}
          aria-label="Message"
          placeholder={PLACEHOLDERS[status]}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="composer-foot">
          <AttachButton attachments={attachments} />
          <select
            aria-label="Mode"
            title="How the agent works"
            value={mode ?? 'interactive'}
            onChange={(event) => onMode(event.currentTarget.value)}
          >
            {modes.map(([name, meaning]) => (
              <option value={name} title={meaning}>
                {name}
              </option>
            ))}
          </select>
          <span class="faint hint">Enter sends · / lists commands</span>
          <span class="space" />
          {isBusy && <WhenBusy choice={whenBusy} onChoose={setWhenBusy} />}
          {isBusy && (
            <button
              type="button"
              class="danger"
              aria-label="Stop"
              onClick={() => void attempt(() => post(sessionPath(id, '/cancel')))}
            >
              <Icon name="stop" /> <span class="word">Stop</span>
            </button>
          )}
          <button class="primary" disabled={message.isEmpty}>
            {word}
          </button>
        </div>
      </div>
    </Form>
  )
}

const PLACEHOLDERS = {
  idle: 'Message…',
  running: 'The agent works. Write what comes next…',
  waiting: 'It waits for your answer. Write what comes next…',
} as const

type WhenBusyProps = {
  readonly choice: 'queue' | 'steer'
  readonly onChoose: (choice: 'queue' | 'steer') => void
}

const WhenBusy = ({ choice, onChoose }: WhenBusyProps) => (
  <fieldset class="segments" aria-label="While the agent works">
    {(['queue', 'steer'] as const).map((each) => (
      <label class={choice === each ? 'is-on' : ''}>
        <input
          type="radio"
          name="when-busy"
          checked={choice === each}
          onChange={() => onChoose(each)}
        />
        {each === 'queue' ? 'Queue' : 'Steer'}
      </label>
    ))}
  </fieldset>
)

/** As high as what is written in it. */
function useGrowing(text: string) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (field.current === null) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight}px`
  }, [text])
  return field
}
