/** All sessions, nearest first, with how they are doing. What is typed searches names and everything that was said. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { defined } from '../../../../lib/defined.ts'
import { ago, counted } from '../../../../lib/quantities.ts'
import type { SearchAnswer, SessionRow } from '../../api.ts'
import { hashOf } from '../model/route.ts'
import { rowsOf, step, titleOf } from '../model/sessions.ts'
import { baseName, visible } from '../model/words.ts'
import { Snippet } from './snippet.tsx'
import { statusWords } from './session-head.tsx'
import { useAnswer } from './use-answer.ts'
import { useSessions } from './use-sessions.ts'
import { VirtualList } from './virtual-list.tsx'

type Props = {
  readonly openId: string | undefined
  readonly hasStore: boolean
  readonly onNew: () => void
  /** Tells which session a step up or down leads to. */
  readonly steps: { by: ((by: 1 | -1) => void) | undefined; open: (() => void) | undefined }
}

const TYPING_MS = 120

export function Sidebar({ openId, hasStore, onNew, steps }: Props) {
  const [query, setQuery] = useState('')
  const { sessions, total, isLoaded, failure, loadMore } = useSessions(query)
  const [chosen, setChosen] = useState(openId)
  const found = useAnswer<SearchAnswer>(
    hasStore && query.trim().length > 1 ? '/api/search' : undefined,
    { q: query, limit: 8 },
    { delayMs: TYPING_MS },
  )
  const rows = useMemo(() => rowsOf(sessions), [sessions])
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  const now = Date.now()

  useEffect(() => setChosen(openId), [openId])
  steps.by = (by) => setChosen(step(rows, chosen, by))
  steps.open = () => {
    if (chosen !== undefined) location.hash = hashOf({ view: 'session', id: chosen })
  }

  const render = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    if (row.kind === 'group') return <h2 class="group">{row.name}</h2>
    const { session } = row
    return (
      <SessionLink
        session={session}
        now={now}
        isOpen={session.id === openId}
        isChosen={session.id === chosen}
      />
    )
  }
  return (
    <nav class="sidebar" aria-label="Sessions">
      <div class="sidebar-head">
        <input
          type="search"
          data-search
          aria-label="Search sessions"
          placeholder="Search ( / )"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="button" class="primary" onClick={onNew} title="New session (n)">
          New
        </button>
      </div>
      {failure !== undefined && <p class="bad pad">{failure}</p>}
      {isLoaded && total === 0 && (
        <p class="faint pad">
          {query === '' ? 'No sessions yet. “New” begins one.' : 'No session is called so.'}
        </p>
      )}
      <VirtualList
        keys={keys}
        render={render}
        estimate={54}
        label={`${total} sessions`}
        className="session-list"
        reveal={chosen}
        onEnd={loadMore}
      />
      {found.answer !== undefined && found.answer.hits.length > 0 && (
        <section class="said" aria-label="Said in sessions">
          <h2 class="group">Said in sessions</h2>
          {found.answer.hits.map((hit) => (
            <a
              class="hit"
              href={hashOf({
                view: 'session',
                id: hit.sessionId,
                ...defined({ turn: hit.turn }),
              })}
            >
              <b>{visible(hit.name)}</b>
              <Snippet {...hit.snippet} />
            </a>
          ))}
          <a class="hit" href={hashOf({ view: 'search', query: { q: query } })}>
            All results →
          </a>
        </section>
      )}
      <a class="faint pad trash-link" href={hashOf({ view: 'trash' })}>
        Trash
      </a>
    </nav>
  )
}

type LinkProps = {
  readonly session: SessionRow
  readonly now: number
  readonly isOpen: boolean
  readonly isChosen: boolean
}

function SessionLink({ session, now, isOpen, isChosen }: LinkProps) {
  const place = session.repository ?? (session.cwd === undefined ? '' : baseName(session.cwd))
  return (
    <a
      class={`session-link ${isChosen ? 'is-chosen' : ''}`}
      href={hashOf({ view: 'session', id: session.id })}
      aria-current={isOpen ? 'page' : undefined}
    >
      <span class="top">
        <span class={`dot ${session.status}`} role="img" aria-label={statusWords[session.status]} />
        <span class="title">{visible(titleOf(session))}</span>
        <span class="faint when">{ago(session.modifiedAt, now)}</span>
      </span>
      <span class="faint under">
        {visible(place)}
        {session.branch !== undefined && ` ⎇ ${visible(session.branch)}`}
        {session.turns !== undefined && ` · ${counted(session.turns, 'turn')}`}
        {session.forkCount > 0 && ` · ${counted(session.forkCount, 'fork')}`}
      </span>
    </a>
  )
}
