/** Where a message is written. While the agent works it waits in the queue or joins the turn. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QueueEntry, SessionStatus } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { Queue } from './queue.tsx'

type Props = {
  readonly id: string
  readonly status: SessionStatus
  readonly queue: readonly QueueEntry[]
  readonly isHeld: boolean
  readonly attempt: (action: () => Promise<unknown>) => Promise<void>
}

/** What was begun in a session is there when one comes back to it. */
const drafts = new Map<string, string>()

export function Composer({ id, status, queue, isHeld, attempt }: Props) {
  const [text, setText] = useState(drafts.get(id) ?? '')
  const [whenBusy, setWhenBusy] = useState<'queue' | 'steer'>('queue')
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = status !== 'idle'

  useLayoutEffect(() => {
    if (field.current === null) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight + 2}px`
  }, [text])

  const write = (next: string) => {
    drafts.set(id, next)
    setText(next)
  }
  const send = () => {
    const prompt = text
    if (prompt.trim() === '') return
    write('')
    void attempt(async () => {
      try {
        await post(sessionPath(id, '/send'), { prompt, whenBusy })
      } catch (error) {
        write(prompt)
        throw error
      }
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Queue id={id} queue={queue} isHeld={isHeld} attempt={attempt} />
      <textarea
        ref={field}
        data-composer
        rows={1}
        aria-label="Message"
        placeholder={isBusy ? 'The agent works. Write what comes next…' : 'Message…'}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-foot">
        <span class="faint hint">Enter sends · Shift+Enter breaks the line</span>
        {isBusy && (
          <fieldset class="segments" aria-label="While the agent works">
            {(['queue', 'steer'] as const).map((choice) => (
              <label class={whenBusy === choice ? 'is-on' : ''}>
                <input
                  type="radio"
                  name="when-busy"
                  checked={whenBusy === choice}
                  onChange={() => setWhenBusy(choice)}
                />
                {choice === 'queue' ? 'Queue' : 'Steer'}
              </label>
            ))}
          </fieldset>
        )}
        {isBusy && (
          <button
            type="button"
            class="danger"
            onClick={() => void attempt(() => post(sessionPath(id, '/cancel')))}
          >
            Stop
          </button>
        )}
        <button class="primary" disabled={text.trim() === ''}>
          {isBusy ? (whenBusy === 'queue' ? 'Queue' : 'Steer') : 'Send'}
        </button>
      </div>
    </form>
  )
}
