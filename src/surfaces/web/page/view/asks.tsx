/** What the agent asks and waits for. Answered here or in the terminal: the first answer counts. */
import { useEffect, useRef } from 'preact/hooks'
import { defined } from '../../../../lib/defined.ts'
import { permissionAnswers, type Ask } from '../../../../state/asks.ts'
import { post, sessionPath } from '../client.ts'
import { visible } from '../model/words.ts'
import { AskBody } from './ask-body.tsx'
import { Form } from './form.tsx'
import { Markdown } from './markdown.tsx'
import { useDraft } from './use-draft.ts'
import type { Attempt } from './use-list.ts'

type Props = {
  readonly id: string
  readonly asks: readonly Ask[]
  readonly attempt: Attempt
}

export function Asks({ id, asks, attempt }: Props) {
  const first = asks.find((ask) => ask.kind === 'permission' && ask.answerable)
  if (asks.length === 0) return null
  return (
    <section class="asks" aria-label="Waiting for your answer" aria-live="assertive">
      {asks.map((ask) =>
        ask.kind === 'permission' ? (
          <Permission
            key={ask.requestId}
            id={id}
            ask={ask}
            attempt={attempt}
            hasKeys={ask === first}
          />
        ) : (
          <Question key={ask.requestId} id={id} ask={ask} attempt={attempt} />
        ),
      )}
    </section>
  )
}

const FIELDS = 'input, textarea, select, [contenteditable]'

type Of<K> = Omit<Props, 'asks'> & { readonly ask: Extract<Ask, { kind: K }> }

function Permission({
  id,
  ask,
  attempt,
  hasKeys,
}: Of<'permission'> & {
  /** Its keys are heard wherever the focus is, but where something else hears them. */
  readonly hasKeys: boolean
}) {
  const [feedback, writeFeedback] = useDraft(`reason ${ask.requestId}`)
  const box = useRef<HTMLDivElement>(null)
  const [, verb = '', object = ask.what] = /^([a-z]+) ([^]+)$/.exec(ask.what) ?? []
  // Its keys are y and n, so it has the focus, unless the user writes.
  useEffect(() => {
    if (!isWriting()) box.current?.focus({ preventScroll: true })
  }, [])
  const answer: Answer = (decision, option) =>
    void attempt(async () => {
      await post(sessionPath(id, '/answer'), {
        requestId: ask.requestId,
        decision,
        ...(decision === 'deny' && feedback !== '' && { feedback }),
        ...defined({ option }),
      })
      writeFeedback('')
    })
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = (event.target as Element).closest(FIELDS) !== null
    if (!ask.answerable || isField || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key !== 'y' && event.key !== 'n') return
    event.preventDefault()
    event.stopPropagation()
    answer(event.key === 'y' ? 'allow' : 'deny')
  }
  const heard = useRef(onKeyDown)
  heard.current = onKeyDown
  useEffect(() => {
    if (!hasKeys) return undefined
    // Before the keys of the page: there, `n` begins a session.
    const hear = (event: KeyboardEvent) => {
      const isElsewhere = (event.target as Element).closest('.ask, dialog') !== null
      if (!isElsewhere && document.querySelector('dialog[open]') === null) heard.current(event)
    }
    document.addEventListener('keydown', hear, { capture: true })
    return () => document.removeEventListener('keydown', hear, { capture: true })
  }, [hasKeys])
  return (
    <div
      ref={box}
      class="ask"
      role="group"
      aria-label="Permission"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <p>
        The agent wants to {verb} <code>{visible(object)}</code>
      </p>
      <AskBody ask={ask} />
      {ask.answerable ? (
        <div class="buttons">
          {ask.options === undefined ? (
            <OwnAnswers ask={ask} answer={answer} />
          ) : (
            permissionAnswers(ask)
              .filter(({ takesReason }) => takesReason !== true)
              .map(({ kind, says, option }, at) => (
                <button
                  type="button"
                  class={kind === 'deny' ? 'danger' : at === 0 ? 'primary' : ''}
                  onClick={() => answer(kind, option)}
                >
                  {visible(says)}
                </button>
              ))
          )}
          <input
            aria-label="What the agent is told when you deny"
            placeholder="Tell it why not…"
            value={feedback}
            onInput={(event) => writeFeedback(event.currentTarget.value)}
          />
        </div>
      ) : (
        <p class="faint">It cannot be answered from here.</p>
      )}
    </div>
  )
}

type Answer = (decision: 'allow' | 'allow-for-session' | 'deny', option?: string) => void

/** Where the agent offers none of its own. */
function OwnAnswers({ ask, answer }: Pick<Of<'permission'>, 'ask'> & { readonly answer: Answer }) {
  return (
    <>
      <button type="button" class="primary" onClick={() => answer('allow')}>
        Allow <kbd aria-hidden="true">y</kbd>
      </button>
      <button type="button" class="danger" onClick={() => answer('deny')}>
        Deny <kbd aria-hidden="true">n</kbd>
      </button>
      {ask.always !== undefined && (
        <button type="button" onClick={() => answer('allow-for-session')}>
          Always allow {visible(ask.always)}
        </button>
      )}
    </>
  )
}

function isWriting(): boolean {
  const active = document.activeElement
  if (document.querySelector('dialog[open]') !== null) return true
  if (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)
    return active.value !== ''
  return false
}

function Question({ id, ask, attempt }: Of<'question'>) {
  const [text, write] = useDraft(`answer ${ask.requestId}`)
  const answer = (given: string | undefined) =>
    void attempt(async () => {
      await post(sessionPath(id, '/answer-question'), {
        requestId: ask.requestId,
        ...defined({ answer: given }),
      })
      write('')
    })
  return (
    <Form
      class="ask"
      aria-label="Question"
      onSubmit={() => {
        if (text.trim() !== '') answer(text)
      }}
    >
      <Markdown text={ask.what} />
      <div class="buttons">
        {ask.choices.map((choice) => (
          <button type="button" onClick={() => answer(choice)}>
            {visible(choice)}
          </button>
        ))}
        <input
          aria-label="Your answer"
          placeholder="Your answer…"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <button class="primary">Answer</button>
        <button type="button" class="quiet" onClick={() => answer(undefined)}>
          Decline
        </button>
      </div>
    </Form>
  )
}
