/** A message: what was said, what went along, and what can be done from it. */
import type { EntryOf } from '../../../../state/transcript.ts'
import { userName } from '../model/entry-words.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Copy } from './copy.tsx'
import type { EntryProps } from './entry-props.ts'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Pictures } from './pictures.tsx'
import { useTeam } from './team.tsx'
import { Time } from './time.tsx'

type Props = Omit<EntryProps, 'entry'> & { readonly entry: EntryOf<'user'> }

export function UserEntry({ sessionId, entry, owner, onRewind, onFork }: Props) {
  const { pictures = [], attachments, eventId } = entry
  const shown = new Set(pictures.map(({ name }) => name))
  const name = userName(entry, useSpeaker(entry, owner, onFork === undefined))
  const link = hashOf({ view: 'session', id: sessionId, at: eventId })
  return (
    <>
      <header>
        <span class="who">{visible(name)}</span>
        <Time at={entry.at} />
        <span class="actions">
          <Copy text={entry.text} what="message" />
          {!entry.isSteering && onRewind !== undefined && onFork !== undefined && (
            <Menu name="From this message">
              <a href={hashOf({ view: 'review', id: sessionId, scope: 'turn', event: eventId })}>
                <Icon name="review" /> Review this turn
              </a>
              <MenuItem icon="undo" onClick={() => onRewind(eventId)}>
                Rewind…
              </MenuItem>
              <MenuItem icon="fork" onClick={() => onFork(eventId)}>
                Fork
              </MenuItem>
              <a href={link}>
                <Icon name="link" /> Link to this turn
              </a>
            </Menu>
          )}
        </span>
      </header>
      <Markdown text={entry.text} />
      <Pictures pictures={pictures} />
      {attachments
        .filter((each) => !shown.has(each))
        .map((each) => (
          <span class="chip">
            <Icon name="file" /> {visible(each)}
          </span>
        ))}
    </>
  )
}

/** In Mission Control several people talk in one session; a message without a sender is of the person at the machine. */
function useSpeaker(
  { by }: EntryOf<'user'>,
  owner: string | undefined,
  isWatched: boolean,
): string | undefined {
  const team = useTeam()
  if (team === undefined) return isWatched ? 'User' : undefined
  const speaker = by?.who ?? owner
  if (speaker === undefined) return 'User'
  return speaker === team.person ? 'You' : (by?.name ?? team.nameOf(speaker))
}
