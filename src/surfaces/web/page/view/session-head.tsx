/** The name of the open session, how it is doing, and what can be done with it as a whole. */
import { useState } from 'preact/hooks'
import type { ContextAnswer } from '../../api.ts'
import type { SessionModel } from '../model/session.ts'
import { post, sessionPath } from '../client.ts'
import { titleOf } from '../model/sessions.ts'
import { baseName, visible } from '../model/words.ts'
import { Meter } from './meter.tsx'

type Props = {
  readonly model: SessionModel
  readonly attempt: (action: () => Promise<unknown>) => Promise<void>
  readonly context: ContextAnswer | undefined
  readonly onUndo: () => void
  readonly onFork: () => void
  readonly onDelete: () => void
  readonly onModel: () => void
  readonly onGuestLink: () => void
  readonly isPanelOpen: boolean
  readonly onPanel: () => void
}

export const statusWords = { idle: 'Idle', running: 'Working', waiting: 'Waits for you' } as const
const modes = ['interactive', 'plan', 'autopilot'] as const

export function SessionHead(props: Props) {
  const { model, attempt, onUndo, onFork, onDelete } = props
  const metadata = model.answer?.metadata
  const state = model.answer?.state
  const path = (rest: string) => sessionPath(model.id, rest)
  const isBusy = model.status !== 'idle'
  return (
    <header class="session-head">
      <a class="back" href="#/" aria-label="All sessions">
        ←
      </a>
      <div class="session-title">
        {metadata === undefined ? (
          <h1>…</h1>
        ) : (
          <Name
            key={metadata.id}
            title={titleOf(metadata)}
            onRename={(name) => void attempt(() => post(path('/rename'), { name }))}
          />
        )}
        <Facts model={model} context={props.context} onModel={props.onModel} />
      </div>
      <div class="session-actions" role="toolbar" aria-label="Session">
        <select
          aria-label="Mode"
          value={state?.mode ?? 'interactive'}
          onChange={(event) => {
            const mode = event.currentTarget.value
            void attempt(() => post(path('/mode'), { mode }))
          }}
        >
          {modes.map((mode) => (
            <option value={mode}>{mode}</option>
          ))}
        </select>
        <button type="button" disabled={isBusy || model.entries.length === 0} onClick={onUndo}>
          Undo
        </button>
        <button
          type="button"
          disabled={isBusy || (metadata?.rewound ?? 0) === 0}
          onClick={() => void attempt(() => post(path('/redo')))}
        >
          Redo
        </button>
        <button type="button" onClick={onFork}>
          Fork
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void attempt(() => post(path('/compact')))}
        >
          Compact
        </button>
        <Export id={model.id} onGuestLink={props.onGuestLink} />
        <button type="button" class="danger" onClick={onDelete}>
          Delete
        </button>
        <button
          type="button"
          class="panel-button"
          aria-pressed={props.isPanelOpen}
          onClick={props.onPanel}
        >
          Panel
        </button>
      </div>
    </header>
  )
}

type FactsProps = {
  readonly model: SessionModel
  readonly context?: ContextAnswer | undefined
  /** Whom it waits for, when that is not the reader. */
  readonly waits?: string
  /** Without it the model is only told. */
  readonly onModel?: () => void
}

export function Facts({ model, context, waits = statusWords.waiting, onModel }: FactsProps) {
  const metadata = model.answer?.metadata
  const state = model.answer?.state
  const effort = state?.reasoningEffort
  const name = `${visible(state?.model ?? '')}${effort === undefined ? '' : ` · ${visible(effort)}`}`
  return (
    <p class="faint facts">
      <span class={`dot ${model.status}`} />{' '}
      <span role="status">{model.status === 'waiting' ? waits : statusWords[model.status]}</span>
      {metadata?.repository !== undefined && <span>{visible(metadata.repository)}</span>}
      {metadata?.branch !== undefined && <span>⎇ {visible(metadata.branch)}</span>}
      {metadata?.cwd !== undefined && (
        <span title={visible(metadata.cwd)}>{visible(baseName(metadata.cwd))}</span>
      )}
      {onModel === undefined ? (
        name !== '' && <span>{name}</span>
      ) : (
        <button type="button" class="quiet small" title="Change the model" onClick={onModel}>
          {name === '' ? 'Model' : name}
        </button>
      )}
      <Meter model={model} context={context} />
    </p>
  )
}

function Name({ title, onRename }: { title: string; onRename: (name: string) => void }) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return (
      <h1>
        <button type="button" class="name" title="Rename" onClick={() => setDraft(title)}>
          {visible(title)}
        </button>
      </h1>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (draft.trim() !== '' && draft !== title) onRename(draft.trim())
        setDraft(undefined)
      }}
    >
      <input
        aria-label="Name of the session"
        value={draft}
        maxLength={200}
        ref={(input) => input?.focus()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => setDraft(undefined)}
      />
    </form>
  )
}

const formats = [
  ['html', 'Web page'],
  ['markdown', 'Markdown'],
  ['json', 'JSON'],
] as const

type ExportProps = { readonly id: string; readonly onGuestLink?: () => void }

/** What others may have of it, without the secrets that can be recognised: one file, or a link. */
export function Export({ id, onGuestLink }: ExportProps) {
  return (
    <details class="menu" onFocusOut={closeWhenLeft}>
      <summary>Export</summary>
      <div class="menu-list">
        {formats.map(([format, name]) => (
          <a href={sessionPath(id, `/export?format=${format}`)} download>
            {name}
          </a>
        ))}
        {onGuestLink !== undefined && (
          <button type="button" onClick={onGuestLink}>
            Guest link…
          </button>
        )}
      </div>
    </details>
  )
}

function closeWhenLeft(event: FocusEvent): void {
  const menu = event.currentTarget as HTMLDetailsElement
  if (!menu.contains(event.relatedTarget as Node | null)) menu.open = false
}
