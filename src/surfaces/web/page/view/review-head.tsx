/** What is reviewed, how it is laid out, and the way to other parts of the same session. */
import { defined } from '../../../../lib/defined.ts'
import type { ChangesAnswer, TurnsAnswer } from '../../api.ts'
import { counted } from '../../../../lib/quantities.ts'
import { hashOf, type ReviewScope } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Icon } from './icon.tsx'
import { Changes } from './tool-card.tsx'

export type Layout = 'split' | 'unified'

type Props = {
  readonly id: string
  readonly title: string
  readonly scope: ReviewScope
  readonly event: string | undefined
  readonly turns: TurnsAnswer['turns']
  readonly isFork: boolean
  readonly files: ChangesAnswer['files']
  readonly layout: Layout
  readonly onLayout: (layout: Layout) => void
}

export function ReviewHead(props: Props) {
  const { id, title, scope, event, turns, isFork, files, layout, onLayout } = props
  const sum = (field: 'linesAdded' | 'linesRemoved') =>
    files.reduce((total, file) => total + file[field], 0)
  const to = (next: string) => {
    const [nextScope = 'session', nextEvent] = next.split(' ')
    location.hash = hashOf({
      view: 'review',
      id,
      scope: nextScope as ReviewScope,
      ...defined({ event: nextEvent }),
    })
  }
  return (
    <header class="session-head">
      <a
        class="sign button quiet"
        href={hashOf({ view: 'session', id })}
        aria-label="Back to the session"
        title="Back to the session"
      >
        <Icon name="back" />
      </a>
      <div class="session-title">
        <h1>Review: {visible(title)}</h1>
        <p class="faint facts">
          <span>{counted(files.length, 'file')}</span>
          <Changes added={sum('linesAdded')} removed={sum('linesRemoved')} />
        </p>
      </div>
      <div class="session-actions">
        <select
          class="review-what"
          aria-label="What is reviewed"
          value={event === undefined ? scope : `${scope} ${event}`}
          onChange={(change) => to(change.currentTarget.value)}
        >
          <option value="session">The whole session</option>
          {isFork && <option value="fork">This fork beside its origin</option>}
          {scope === 'rewind' && <option value={`rewind ${event ?? ''}`}>The rewind</option>}
          {turns.slice(0, 200).map((turn) => (
            <option value={`turn ${turn.eventId}`}>
              Turn {turn.index + 1}: {visible(turn.preview.slice(0, 60))}
            </option>
          ))}
        </select>
        <div class="segments" role="group" aria-label="Lines">
          {(['unified', 'split'] as const).map((each) => (
            <button
              type="button"
              aria-pressed={layout === each}
              title={each === 'split' ? 'Side by side' : 'In one column'}
              onClick={() => onLayout(each)}
            >
              <Icon name={each} label={each === 'split' ? 'Side by side' : 'In one column'} />
            </button>
          ))}
        </div>
      </div>
    </header>
  )
}
