/** Searches everything that was ever said and done, with filters. The address holds the search. */
import { useEffect, useState } from 'preact/hooks'
import { aboutMeaning } from '../../../../commands/search-words.ts'
import type { SearchAnswer } from '../../api.ts'
import { hashOf, hashOfHit } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { Fold } from './fold.tsx'
import { Icon } from './icon.tsx'
import { Time } from './time.tsx'
import { Snippet } from './snippet.tsx'
import { useAudience } from './team.tsx'
import { useAnswer } from './use-answer.ts'

type Fields = Readonly<Record<string, string>>

const filters = [
  ['repo', 'Repository', 'owner/name'],
  ['branch', 'Branch', 'main'],
  ['since', 'Since', '7d'],
  ['until', 'Until', '2026-02-28'],
  ['agent', 'Agent', ''],
  ['file', 'File', 'src/parse.ts'],
  ['ref', 'Reference', '#12'],
] as const
const FILTERED = ['role', ...filters.map(([name]) => name)]
const roles = ['', 'user', 'assistant', 'tool', 'checkpoint', 'file', 'name'] as const
const TYPING_MS = 150

export function SearchPage({ query }: { readonly query: Fields }) {
  const [fields, setFields] = useState(query)
  const q = (fields['q'] ?? '').trim()
  const audience = useAudience()
  const narrowed = FILTERED.filter((name) => (fields[name] ?? '') !== '').length
  const { answer, failure, isLoading } = useAnswer<SearchAnswer>(
    q === '' ? undefined : '/api/search',
    { limit: 100, ...fields, ...audience.query, q },
    { delayMs: TYPING_MS },
  )
  useEffect(() => setFields(query), [JSON.stringify(query)])
  const set = (name: string, value: string) => {
    const next = { ...fields, [name]: value }
    setFields(next)
    history.replaceState(null, '', hashOf({ view: 'search', query: next }))
  }
  return (
    <main class="page" id="content">
      <h1>History</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          data-search
          class="big"
          aria-label="Search everything"
          placeholder="Search everything that was said and done"
          value={fields['q'] ?? ''}
          ref={focusAtFirst}
          onInput={(event) => set('q', event.currentTarget.value)}
        />
        {audience.picker}
        <Fold
          id="filters"
          className="more-filters"
          isOpenAtFirst={narrowed > 0}
          head={
            <>
              <Icon name="filter" /> Filters {narrowed > 0 && <span class="chip">{narrowed}</span>}
            </>
          }
        >
          {() => (
            <>
              <label>
                Role
                <select
                  value={fields['role'] ?? ''}
                  onChange={(event) => set('role', event.currentTarget.value)}
                >
                  {roles.map((role) => (
                    <option value={role}>{role === '' ? 'any' : role}</option>
                  ))}
                </select>
              </label>
              {filters.map(([name, label, example]) => (
                <label>
                  {label}
                  <input
                    value={fields[name] ?? ''}
                    placeholder={example}
                    onInput={(event) => set(name, event.currentTarget.value)}
                  />
                </label>
              ))}
            </>
          )}
        </Fold>
      </form>
      <div role="status" class="faint">
        {isLoading ? 'Searching…' : answer && summary(answer)}
      </div>
      <Failed failure={failure} />
      {answer !== undefined && <Results answer={answer} onWord={(word) => set('q', word)} />}
    </main>
  )
}

/** A person who comes here wants to type, unless the focus is somewhere already. */
function focusAtFirst(input: HTMLInputElement | null): void {
  if (document.activeElement === document.body) input?.focus()
}

const summary = ({ hits, isPartial }: SearchAnswer) =>
  `${hits.length} ${hits.length === 1 ? 'place' : 'places'}${isPartial ? ', among the newest' : ''}`

/** What an agent thought or had not finished is named by that alone. */
const kindOf = ({ role, source }: { readonly role: string; readonly source: string }) =>
  role === 'assistant' ? (source.split(':', 1)[0] ?? '') : source

const spoken: Readonly<Record<SearchAnswer['hits'][number]['role'], string>> = {
  user: 'you',
  assistant: 'agent',
  tool: 'tool',
  checkpoint: 'checkpoint',
  file: 'file',
  name: 'name',
}

type ResultsProps = { readonly answer: SearchAnswer; readonly onWord: (word: string) => void }

function Results({ answer, onWord }: ResultsProps) {
  return (
    <>
      {answer.isLoose === true && answer.meaning === undefined && (
        <p class="faint">Nothing has all of these words; what has some of them is shown.</p>
      )}
      {aboutMeaning(answer.meaning, 'reprise reindex').map((line) => (
        <p class="faint">{visible(line)}</p>
      ))}
      {answer.suggestions.map(({ word, instead }) => (
        <p>
          Nothing has “{visible(word)}”. Did you mean{' '}
          {instead.map((other) => (
            <button type="button" class="small" onClick={() => onWord(other)}>
              {visible(other)}
            </button>
          ))}
        </p>
      ))}
      {answer.hits.length === 0 && answer.suggestions.length === 0 && (
        <p class="faint">
          Nothing has all of these words. Take some out, clear a filter, or write the beginning of a
          word with <code>*</code>.
        </p>
      )}
      <ol class="results">
        {answer.hits.map((hit) => (
          <li>
            <a class="result" href={hashOfHit(hit)}>
              <span class="top">
                <b>{visible(hit.name)}</b>
                <span class="chip">{spoken[hit.role]}</span>
                {hit.role !== 'tool' && hit.source.includes(':') && (
                  <span class="faint">{visible(kindOf(hit))}</span>
                )}
                <span class="faint when">
                  <Time at={hit.at} />
                </span>
              </span>
              <Snippet {...hit.snippet} />
              <span class="faint">{placeOf(hit)}</span>
            </a>
          </li>
        ))}
      </ol>
    </>
  )
}

const placeOf = ({ repository, branch, turn }: SearchAnswer['hits'][number]): string =>
  [repository, branch, turn === undefined ? undefined : `turn ${turn + 1}`]
    .flatMap((part) => (part === undefined ? [] : [visible(part)]))
    .join(' · ')
