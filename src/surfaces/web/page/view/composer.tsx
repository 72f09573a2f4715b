/**
 * Where a message or a command is written. While the agent works a message waits in the queue or joins the turn; what a
 * command says is shown above the field.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CommandAnswer, QueueEntry, SessionStatus } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { mayBeCommand } from '../model/completion.ts'
import { Markdown } from './markdown.tsx'
import { PALETTE, Palette, optionId } from './palette.tsx'
import { Queue } from './queue.tsx'
import { usePalette } from './use-palette.ts'

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
  const [said, setSaid] = useState('')
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
  const palette = usePalette(id, text, write)
  const run = async (typed: string) => {
    const answer = await post<CommandAnswer>(sessionPath(id, '/command'), { text: typed })
    setSaid(answer.said)
    return answer.message
  }
  const send = () => {
    const typed = text
    if (typed.trim() === '') return
    write('')
    setSaid('')
    void attempt(async () => {
      try {
        const prompt = mayBeCommand(typed) ? await run(typed) : typed
        if (prompt !== undefined) await post(sessionPath(id, '/send'), { prompt, whenBusy })
      } catch (error) {
        write(typed)
        throw error
      }
    })
  }
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
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Queue id={id} queue={queue} isHeld={isHeld} attempt={attempt} />
      {said !== '' && (
        <section class="said" aria-label="What the command says" aria-live="polite">
          <Markdown text={said} />
          <button type="button" class="quiet" aria-label="Close" onClick={() => setSaid('')}>
            ✕
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
      <textarea
        ref={field}
        data-composer
        aria-autocomplete="list"
        aria-controls={PALETTE}
        aria-activedescendant={palette === undefined ? undefined : optionId(palette.chosen)}
        rows={1}
        aria-label="Message"
        placeholder={isBusy ? 'The agent works. Write what comes next…' : 'Message…'}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-foot">
        <span class="faint hint">Enter sends · Shift+Enter breaks the line · / lists commands</span>
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
