/** The turns of a session, newest first: each can be looked at, or rewound to. */
import { useState } from 'preact/hooks'
import { withoutMarkup } from '../../../../state/ending.ts'
import type { TurnsAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Time } from './time.tsx'
import { useAnswer } from './use-answer.ts'

export type TimelineProps = {
  readonly id: string
  /** Changes with the session, so that what is shown is asked for again. */
  readonly version: string
  readonly onSeek: (eventId: string) => void
  readonly onRewind?: (eventId: string) => void
}

const MOST_TURNS = 300

export function Timeline({ id, version, onSeek, onRewind }: TimelineProps) {
  const { answer, failure } = useAnswer<TurnsAnswer>(sessionPath(id, '/turns'), {}, { version })
  const [most, setMost] = useState(MOST_TURNS)
  if (failure !== undefined) return <Failed failure={failure} />
  if (answer?.turns.length === 0) return <p class="faint">Nothing was said yet.</p>
  return (
    <ol class="timeline">
      {answer?.turns.slice(0, most).map((turn) => (
        <li key={turn.eventId}>
          <button type="button" class="turn" onClick={() => onSeek(turn.eventId)}>
            <span class="turn-text">{visible(withoutMarkup(turn.preview)) || '…'}</span>
            <span class="faint">
              <Time at={turn.at} />
            </span>
          </button>
          {onRewind !== undefined && (
            <Menu name="From this turn">
              <a href={hashOf({ view: 'review', id, scope: 'turn', event: turn.eventId })}>
                <Icon name="review" /> Review this turn
              </a>
              <MenuItem icon="undo" onClick={() => onRewind(turn.eventId)}>
                Rewind…
              </MenuItem>
            </Menu>
          )}
        </li>
      ))}
      {answer !== undefined && answer.turns.length > most && (
        <li>
          <button type="button" class="small" onClick={() => setMost(most + MOST_TURNS)}>
            Show earlier turns
          </button>
        </li>
      )}
    </ol>
  )
}
