/** All sessions by day, with how they are doing. What is typed searches names and everything that was said. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ago, counted } from '../../../../lib/quantities.ts'
import type { ProjectsAnswer, SearchAnswer, SessionRow } from '../../api.ts'
import { hashOf, hashOfHit } from '../model/route.ts'
import { filterOf, filters, rowsOf, step, titleOf } from '../model/sessions.ts'
import { baseName, visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import { statusWords } from './session-facts.tsx'
import { Snippet } from './snippet.tsx'
import { useTeam } from './team.tsx'
import { useAnswer } from './use-answer.ts'
import type { Inbox } from './use-inbox.ts'
import { useSessions } from './use-sessions.ts'
import { VirtualList } from './virtual-list.tsx'

/** How keys go through the list. */
export type Steps = { by: ((by: 1 | -1) => void) | undefined; open: (() => void) | undefined }

type Props = {
  readonly openId: string | undefined
  /** The folder whose sessions alone are asked for. */
  readonly cwd: string | undefined
  readonly hasStore: boolean
  readonly inbox: Inbox
  readonly steps: Steps
}

const TYPING_MS = 120

export function SessionList({ openId, cwd, hasStore, inbox, steps }: Props) {
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState('')
  const { sessions, total, isLoaded, failure, loadMore } = useSessions(query, filterOf(filter))
  const [chosen, setChosen] = useState(openId)
  const found = useAnswer<SearchAnswer>(
    hasStore && query.trim().length > 1 ? '/api/search' : undefined,
    { q: query, limit: 8 },
    { delayMs: TYPING_MS },
  )
  const projects = useAnswer<ProjectsAnswer>('/api/projects').answer?.projects ?? []
  const repositories = [...new Set(projects.flatMap(({ repository }) => repository ?? []))]
  const now = Date.now()
  const rows = useMemo(() => rowsOf(sessions, now), [sessions])
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  const shown = new Set<string>(sessions.map(({ id }) => id))
  // A name that is in the list above is not told again.
  const hits = (found.answer?.hits ?? []).filter(
    ({ role, sessionId }) => role !== 'name' || !shown.has(sessionId),
  )

  useEffect(() => setChosen(openId), [openId])
  useEffect(() => {
    if (cwd !== undefined) setFilter(`cwd:${cwd}`)
  }, [cwd])
  steps.by = (by) => {
    const next = step(rows, chosen, by)
    setChosen(next)
    // The focus goes along, once the row is drawn.
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`.session-link[data-id="${CSS.escape(next ?? '')}"]`)
        ?.focus(),
    )
  }
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
        mark={inbox.markOf(session.id)}
        isOpen={session.id === openId}
        isChosen={session.id === chosen}
      />
    )
  }
  return (
    <>
      <div class="list-head" role="search" aria-label="Sessions">
        <input
          type="search"
          data-search
          aria-label="Search sessions"
          placeholder="Search ( / )"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <select
          aria-label="Which sessions"
          class={filter === '' ? '' : 'is-on'}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        >
          {filters.map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
          {filter.startsWith('cwd:') && <option value={filter}>{visible(baseName(filter))}</option>}
          {repositories.map((name) => (
            <option value={`repository:${name}`}>{visible(name)}</option>
          ))}
        </select>
      </div>
      <Failed failure={failure} className="pad" />
      {!isLoaded && failure === undefined && (
        <p class="faint pad" role="status">
          Loading sessions…
        </p>
      )}
      {isLoaded && total === 0 && (
        <p class="faint pad" role="status">
          {query !== ''
            ? 'No session is called so.'
            : filter !== ''
              ? 'No session is like that.'
              : 'No sessions yet. “New” begins one.'}
        </p>
      )}
      <VirtualList
        keys={keys}
        render={render}
        estimate={46}
        label={`${total} sessions`}
        className="session-list"
        reveal={chosen}
        onEnd={loadMore}
      />
      {hits.length > 0 && (
        <section class="hits" aria-label="Said in sessions">
          <h2 class="group">Said in sessions</h2>
          {hits.map((hit) => (
            <a class="hit" href={hashOfHit(hit)}>
              <b>{visible(hit.name)}</b>
              <Snippet {...hit.snippet} />
            </a>
          ))}
          <a class="hit" href={hashOf({ view: 'search', query: { q: query } })}>
            All results
          </a>
        </section>
      )}
    </>
  )
}

type LinkProps = {
  readonly session: SessionRow
  readonly now: number
  readonly mark: 'failed' | 'finished' | undefined
  readonly isOpen: boolean
  readonly isChosen: boolean
}

type WhoseProps = { readonly remote: NonNullable<SessionRow['remote']> }

/** In Mission Control: on which machine, whose if it is not one's own, and whether it was heard of lately. */
function Whose({ remote: { machine, person, isStale } }: WhoseProps) {
  const team = useTeam()
  const isOthers = person !== undefined && person !== team?.person
  return (
    <>
      {isOthers && team !== undefined && `${visible(team.nameOf(person))} · `}
      {visible(machine)}
      {isStale && ' (not heard of)'}{' '}
    </>
  )
}

const markWords = { failed: 'Failed', finished: 'Finished, not seen yet' } as const

function SessionLink({ session, now, mark, isOpen, isChosen }: LinkProps) {
  const place = session.repository ?? (session.cwd === undefined ? '' : baseName(session.cwd))
  const who = session.importedFrom ?? session.agent
  const { status } = session
  const sign = status === 'idle' ? mark : status
  const word = status === 'idle' ? mark && markWords[mark] : statusWords[status]
  return (
    <a
      class={`session-link ${isChosen ? 'is-chosen' : ''} ${mark === undefined ? '' : 'is-unseen'}`}
      data-id={session.id}
      href={hashOf({ view: 'session', id: session.id })}
      aria-current={isOpen ? 'page' : undefined}
    >
      <span class="top">
        {sign !== undefined && <span class={`dot ${sign}`} role="img" aria-label={word ?? ''} />}
        <span class="title">{visible(titleOf(session))}</span>
        <span class="faint when">{ago(session.modifiedAt, now)}</span>
      </span>
      <span class="faint under">
        {session.remote !== undefined && <Whose remote={session.remote} />}
        {who !== undefined && `${visible(who)} · `}
        {visible(place)}
        {session.branch !== undefined && (
          <>
            {' '}
            <Icon name="branch" /> {visible(session.branch)}
          </>
        )}
        {session.turns !== undefined && ` · ${counted(session.turns, 'turn')}`}
        {session.forkCount > 0 && ` · ${counted(session.forkCount, 'fork')}`}
      </span>
    </a>
  )
}
