/** The context board: what new sessions of a repository are told, and what sessions propose for it. */
import { useState } from 'preact/hooks'
import { ago, counted } from '../../../../lib/quantities.ts'
import type { BoardAnswer } from '../../api.ts'
import { post } from '../client.ts'
import { visible } from '../model/words.ts'
import { BoardForm } from './board-form.tsx'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { Markdown } from './markdown.tsx'
import { useList } from './use-list.ts'

type Note = BoardAnswer['entries'][number]
type Proposal = BoardAnswer['proposals'][number]
type Act = (path: string, body: object) => Promise<boolean>

export function BoardPage({ say }: { readonly say: (text: string) => void }) {
  const { answer, failure, act: attempt } = useList<BoardAnswer>('/api/board', say)
  const [isAdding, setAdding] = useState(false)
  const act: Act = (path, body) => attempt(() => post(path, body))
  const groups = Map.groupBy(answer?.entries ?? [], placeOf)
  return (
    <main class="page" id="content">
      <div class="page-head">
        <h1>Board</h1>
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          Add a note
        </button>
      </div>
      <p class="faint">New sessions of a repository are told what is here about it.</p>
      <Failed failure={failure} />
      {answer !== undefined && answer.proposals.length > 0 && (
        <section class="cards" aria-label="Proposals">
          <h2>Proposed by sessions</h2>
          {answer.proposals.map((proposal) => (
            <ProposalCard key={proposal.id} proposal={proposal} act={act} />
          ))}
        </section>
      )}
      {answer === undefined && failure === undefined && <p class="faint">Looking…</p>}
      {answer?.entries.length === 0 && answer.proposals.length === 0 && (
        <Empty icon="board" title="There is nothing on the board yet">
          What agents of a repository should always know is written here once. Sessions propose
          notes, too, when they end.
        </Empty>
      )}
      {[...groups].map(([place, notes]) => (
        <section key={place} class="cards" aria-label={visible(place)}>
          <h2>{visible(place)}</h2>
          {notes.map((note) => (
            <NoteCard key={`${note.src} ${note.name}`} note={note} act={act} />
          ))}
        </section>
      ))}
      {isAdding && (
        <BoardForm
          repository={answer?.entries[0]?.repository ?? ''}
          onClose={() => setAdding(false)}
          onAdd={async (note) => {
            const isAdded = await act('/api/board/add', note)
            if (isAdded) setAdding(false)
            return isAdded
          }}
        />
      )}
    </main>
  )
}

const placeOf = ({ repository, branch }: Pick<Note, 'repository' | 'branch'>): string =>
  branch === '' ? repository : `${repository} ⎇ ${branch}`

function NoteCard({ note, act }: { readonly note: Note; readonly act: Act }) {
  const { name, description, content, src, repository, branch, readCount, changedAt } = note
  const remove = { name, repository, src, ...(branch !== '' && { branch }) }
  return (
    <article class="card">
      <header class="in-line">
        <b class="title">{visible(name)}</b>
        <span class="chip">{visible(src)}</span>
        <span class="faint">
          told {counted(readCount, 'time')} · {ago(changedAt, Date.now())}
        </span>
        <button
          type="button"
          class="quiet small"
          aria-label={`Remove ${visible(name)}`}
          onClick={() => void act('/api/board/remove', remove)}
        >
          ✕
        </button>
      </header>
      {description !== '' && <p class="faint">{visible(description)}</p>}
      <Markdown text={content} />
    </article>
  )
}

function ProposalCard({ proposal, act }: { readonly proposal: Proposal; readonly act: Act }) {
  const decide = (decision: 'accept' | 'dismiss') =>
    void act('/api/board/decide', { ids: [proposal.id], decision })
  return (
    <article class="card">
      <header class="in-line">
        <b class="title">{visible(proposal.name)}</b>
        <span class="faint">{visible(placeOf(proposal))}</span>
      </header>
      <Markdown text={proposal.content} />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => decide('accept')}>
          Put it on the board
        </button>
        <button type="button" onClick={() => decide('dismiss')}>
          Dismiss
        </button>
      </div>
    </article>
  )
}
