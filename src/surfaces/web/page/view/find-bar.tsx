/** Finds a text anywhere in the session, however long it is, and goes from place to place. */
import { useEffect, useState } from 'preact/hooks'
import type { FindAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { Icon } from './icon.tsx'
import { useAnswer } from './use-answer.ts'
import type { OpenSession } from './use-session.ts'

type Props = {
  readonly id: string
  readonly goTo: OpenSession['goTo']
  readonly onClose: () => void
}

const TYPING_MS = 200

export function FindBar({ id, goTo, onClose }: Props) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const q = query.trim()
  const { answer, isLoading, failure } = useAnswer<FindAnswer>(
    q === '' ? undefined : sessionPath(id, '/find'),
    { q, limit: 500 },
    { delayMs: TYPING_MS },
  )
  const hits = answer?.hits ?? []
  // The newest place is the first that is looked at.
  useEffect(() => setAt(Math.max(0, hits.length - 1)), [answer])
  useEffect(() => {
    const hit = hits[at]
    if (hit !== undefined) void goTo({ event: hit.eventId, call: hit.toolCallId, text: q })
  }, [at, answer])
  const step = (by: 1 | -1) => setAt((now) => (now + by + hits.length) % Math.max(1, hits.length))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter') return
    event.preventDefault()
    step(event.shiftKey ? 1 : -1)
  }
  return (
    <form
      class="find"
      role="search"
      aria-label="In this session"
      onSubmit={(e) => e.preventDefault()}
    >
      <Icon name="find" />
      <input
        type="search"
        aria-label="Find in session"
        placeholder="Find in this session"
        value={query}
        ref={focusOnce}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="faint" role="status">
        {failure?.text ??
          (q === '' ? '' : isLoading ? 'Looking…' : words(at, hits.length, answer?.more))}
      </span>
      <button
        type="button"
        class="quiet sign"
        aria-label="Earlier place"
        disabled={hits.length === 0}
        onClick={() => step(-1)}
      >
        <Icon name="earlier" />
      </button>
      <button
        type="button"
        class="quiet sign"
        aria-label="Later place"
        disabled={hits.length === 0}
        onClick={() => step(1)}
      >
        <Icon name="later" />
      </button>
      <button type="button" class="quiet sign" aria-label="Close the search" onClick={onClose}>
        <Icon name="close" />
      </button>
    </form>
  )
}

const words = (at: number, count: number, more = false): string =>
  count === 0 ? 'Nowhere' : `${at + 1} of ${count}${more ? ' and more' : ''}`

/** It is opened to type in; later the focus is where it was left. */
function focusOnce(input: HTMLInputElement | null): void {
  if (input !== null && input.value === '') input.focus()
}
