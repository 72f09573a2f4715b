/** One session that a person should know of, as a line. */
import { ago } from '../../../../lib/quantities.ts'
import { hashOf } from '../model/route.ts'
import { baseName, visible } from '../model/words.ts'
import { Words } from './markdown.tsx'
import type { InboxItem } from './use-inbox.ts'

const words = {
  left: 'Was open',
  waits: 'Waits for you',
  works: 'Works',
  failed: 'Failed',
  stopped: 'Stopped',
  finished: 'Finished',
} as const
const dots = {
  left: 'waiting',
  waits: 'waiting',
  works: 'running',
  failed: 'failed',
  finished: 'finished',
} as const

type Props = { readonly item: InboxItem; readonly now: number; readonly isUnseen?: boolean }

export function ItemLink({ item, now, isUnseen = false }: Props) {
  const { id, title, why, text, repository, cwd, modifiedAt } = item
  const place = repository ?? (cwd === undefined ? '' : baseName(cwd))
  const hasDot = why !== 'stopped' && (why !== 'finished' || isUnseen)
  return (
    <a class="item" href={hashOf({ view: 'session', id })}>
      {hasDot && <span class={`dot ${dots[why]}`} role="img" aria-label={words[why]} />}
      <span class="title">{visible(title)}</span>
      <span class="faint when">{ago(modifiedAt, now)}</span>
      <span class="item-text">
        {visible(place)}
        {place !== '' && text !== '' && ' · '}
        <Words text={text} />
      </span>
    </a>
  )
}
