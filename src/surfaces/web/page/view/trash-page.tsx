/** Deleted sessions: each can be brought back until its time is over. */
import { useState } from 'preact/hooks'
import { ago } from '../../../../lib/quantities.ts'
import type { RestoredAnswer, TrashAnswer } from '../../api.ts'
import { post, sentence, sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Failed } from './failed.tsx'
import { useAnswer } from './use-answer.ts'

export function TrashPage({ say }: { readonly say: (text: string) => void }) {
  const [version, setVersion] = useState(0)
  const { answer, failure } = useAnswer<TrashAnswer>('/api/trash', {}, { version })
  const restore = async (id: string) => {
    try {
      const { sessionId } = await post<RestoredAnswer>(sessionPath(id, '/restore'))
      location.hash = hashOf({ view: 'session', id: sessionId })
      say('The session is back.')
    } catch (error) {
      say(sentence(error))
      setVersion((count) => count + 1)
    }
  }
  const now = Date.now()
  return (
    <main class="page" id="content">
      <h1>Trash</h1>
      <p class="faint">Deleted sessions are kept for 30 days.</p>
      <Failed failure={failure} />
      {answer?.sessions.length === 0 && <p>Nothing was deleted.</p>}
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
