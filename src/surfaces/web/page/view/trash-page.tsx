/** Deleted sessions: each can be brought back until its time is over. */
import { ago } from '../../../../lib/quantities.ts'
import type { RestoredAnswer, TrashAnswer } from '../../api.ts'
import { post, sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { useList } from './use-list.ts'

export function TrashPage({ say }: { readonly say: (text: string) => void }) {
  const { answer, failure, act } = useList<TrashAnswer>('/api/trash', say)
  const restore = (id: string) =>
    act(async () => {
      const { sessionId } = await post<RestoredAnswer>(sessionPath(id, '/restore'))
      location.hash = hashOf({ view: 'session', id: sessionId })
    }, 'The session is back.')
  const now = Date.now()
  return (
    <main class="page" id="content">
      <h1>Trash</h1>
      <p class="faint">Deleted sessions are kept for 30 days.</p>
      <Failed failure={failure} />
      {answer === undefined && failure === undefined && <p class="faint">Looking…</p>}
      {answer?.sessions.length === 0 && (
        <Empty icon="trash" title="Nothing was deleted">
          A session that is deleted waits here, to be brought back with everything in it.
        </Empty>
      )}
      <ul class="cards">
        {answer?.sessions.map(({ id, title, deletedAt }) => (
          <li key={`${id} ${deletedAt}`} class="card in-line">
            <span class="title">{visible(title) || id.slice(0, 8)}</span>
            <span class="faint">deleted {ago(deletedAt, now)}</span>
            <button type="button" onClick={() => void restore(id)}>
              Restore
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
