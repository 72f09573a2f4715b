/** The name of the open session, how it is doing, the one thing that is done most, and a menu with the rest. */
import { useState } from 'preact/hooks'
import type { ContextAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import type { SessionModel } from '../model/session-model.ts'
import { titleOf } from '../model/sessions.ts'
import { visible } from '../model/words.ts'
import { Form } from './form.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Facts } from './session-facts.tsx'
import { useMayAct, useTeam } from './team.tsx'
import type { SessionActions } from './use-session-actions.ts'

type Props = {
  readonly model: SessionModel
  readonly actions: SessionActions
  readonly context: ContextAnswer | undefined
  readonly isPanelOpen: boolean
  readonly onPanel: () => void
  readonly onFind: () => void
}

export function SessionHead({ model, actions, context, isPanelOpen, onPanel, onFind }: Props) {
  const metadata = model.answer?.metadata
  return (
    <header class="session-head">
      <a class="back sign" href="#/sessions" aria-label="All sessions">
        <Icon name="back" />
      </a>
      <div class="session-title">
        {metadata === undefined ? (
          <h1 class="faint">Loading the session…</h1>
        ) : (
          <Name key={metadata.id} title={titleOf(metadata)} onRename={actions.rename} />
        )}
        <Facts
          model={model}
          context={context}
          onModel={() => actions.open('model')}
          onRemote={() => actions.open('remote')}
        />
      </div>
      <div class="session-actions" role="toolbar" aria-label="Session">
        <a class="button beside" href={hashOf({ view: 'review', id: model.id, scope: 'session' })}>
          <Icon name="review" /> Review
        </a>
        <button
          type="button"
          class="quiet sign"
          data-find
          aria-label="Find in session"
          title="Find in session (f)"
          onClick={onFind}
        >
          <Icon name="find" />
        </button>
        <SessionMenu model={model} actions={actions} />
        <button
          type="button"
          class="quiet sign panel-button"
          aria-label="Panel"
          title="Timeline, plan, files, forks"
          aria-pressed={isPanelOpen}
          onClick={onPanel}
        >
          <Icon name="panel" />
        </button>
      </div>
    </header>
  )
}

function SessionMenu({ model, actions }: Pick<Props, 'model' | 'actions'>) {
  const metadata = model.answer?.metadata
  const mayAct = useMayAct() && !model.isGone
  const isTeam = useTeam() !== undefined
  return (
    <Menu name="More to do">
      <a href={hashOf({ view: 'review', id: model.id, scope: 'session' })}>
        <Icon name="review" /> Review all changes
      </a>
      {metadata?.forkedFrom !== undefined && (
        <a href={hashOf({ view: 'review', id: model.id, scope: 'fork' })}>
          <Icon name="split" /> Compare with its origin
        </a>
      )}
      {mayAct && <Changing model={model} actions={actions} />}
      <hr />
      <Exports id={model.id} />
      {mayAct && (
        <MenuItem icon="link" onClick={() => actions.open('guest')}>
          {isTeam ? 'Share…' : 'Guest link…'}
        </MenuItem>
      )}
      <MenuItem icon="copy" onClick={actions.copyLink}>
        Copy link to this session
      </MenuItem>
      {mayAct && (
        <>
          <hr />
          <MenuItem icon="trash" isBad onClick={() => actions.open('delete')}>
            Delete…
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function Changing({ model, actions }: Pick<Props, 'model' | 'actions'>) {
  const metadata = model.answer?.metadata
  const isBusy = model.status !== 'idle'
  return (
    <>
      <hr />
      <MenuItem icon="undo" isOff={isBusy || model.entries.length === 0} onClick={actions.undo}>
        Undo…
      </MenuItem>
      <MenuItem icon="redo" isOff={isBusy || (metadata?.rewound ?? 0) === 0} onClick={actions.redo}>
        Redo
      </MenuItem>
      <MenuItem icon="fork" onClick={() => actions.fork()}>
        Fork
      </MenuItem>
      <MenuItem icon="shrink" isOff={isBusy} onClick={actions.compact}>
        Compact
      </MenuItem>
    </>
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
    <Form
      onSubmit={() => {
        if (draft.trim() !== '' && draft !== title) onRename(draft.trim())
        setDraft(undefined)
      }}
    >
      <input
        aria-label="Name of the session"
        value={draft}
        maxLength={100}
        ref={(input) => input?.focus()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => setDraft(undefined)}
      />
    </Form>
  )
}

const formats = [
  ['html', 'Export as web page'],
  ['markdown', 'Export as Markdown'],
  ['json', 'Export as JSON'],
] as const

/** What others may have of it, without the secrets that can be recognised. */
export const Exports = ({ id }: { readonly id: string }) => (
  <>
    {formats.map(([format, name]) => (
      <a href={sessionPath(id, `/export?format=${format}`)} download>
        <Icon name="download" /> {name}
      </a>
    ))}
  </>
)
