/** Beside the transcript: where it can be rewound to, its plan, files, checkpoints and forks, what the model is given. */
import { useState } from 'preact/hooks'
import { Checkpoints, Files, Plan, type ArtifactProps } from './artifacts.tsx'
import { ContextPanel } from './context-panel.tsx'
import { Forks } from './forks.tsx'
import { Icon } from './icon.tsx'
import { Timeline, type TimelineProps } from './timeline.tsx'

type Props = ArtifactProps & TimelineProps & { readonly onClose: () => void }

const all = ['Timeline', 'Plan', 'Files', 'Checkpoints', 'Forks', 'Context'] as const
const forGuests: readonly Tab[] = ['Timeline', 'Plan', 'Checkpoints']
type Tab = (typeof all)[number]

export function Panel(props: Props) {
  const [tab, setTab] = useState<Tab>('Timeline')
  const tabs = props.attempt === undefined ? forGuests : all
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? 'Timeline'
    setTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <aside class="panel" aria-label="About this session">
      <div class="panel-head">
        <div class="tabs" role="tablist" aria-label="About this session" onKeyDown={onKeyDown}>
          {tabs.map((name) => (
            <button
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={tab === name}
              tabIndex={tab === name ? 0 : -1}
              onClick={() => setTab(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="quiet sign close-panel"
          aria-label="Close the panel"
          onClick={props.onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-body" role="tabpanel" tabIndex={0} aria-labelledby={`tab-${tab}`}>
        {tab === 'Timeline' && <Timeline {...props} />}
        {tab === 'Plan' && <Plan {...props} />}
        {tab === 'Files' && <Files {...props} />}
        {tab === 'Checkpoints' && <Checkpoints {...props} />}
        {tab === 'Forks' && <Forks {...props} />}
        {tab === 'Context' && <ContextPanel {...props} />}
      </div>
    </aside>
  )
}
