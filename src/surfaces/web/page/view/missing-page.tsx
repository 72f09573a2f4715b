/** A session that is not there: said once, with what may be meant, and nothing that pretends to work. */
import type { TrashAnswer } from '../../api.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { useAnswer } from './use-answer.ts'

export function MissingPage({ id }: { readonly id: string }) {
  const { answer } = useAnswer<TrashAnswer>('/api/trash')
  const trashed = answer?.sessions.find((session) => session.id === id)
  return (
    <main class="page missing" id="content">
      <h1>{trashed === undefined ? 'There is no such session' : 'This session is in the trash'}</h1>
      <p class="faint">
        {trashed === undefined
          ? `No session here has the id ${visible(id)}. It may be of another home, or was deleted for good.`
          : `“${visible(trashed.title)}” can be brought back.`}
      </p>
      <div class="buttons">
        <a
          class="button primary"
          href={hashOf({ view: trashed === undefined ? 'search' : 'trash', query: {} })}
        >
          {trashed === undefined ? 'Search all sessions' : 'Open the trash'}
        </a>
        <a class="button" href={hashOf({ view: 'home' })}>
          Home
        </a>
        {trashed === undefined && (
          <a class="button" href={hashOf({ view: 'trash' })}>
            Look in the trash
          </a>
        )}
      </div>
    </main>
  )
}
