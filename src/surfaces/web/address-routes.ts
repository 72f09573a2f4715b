/** What has an address of its own is changed by a PATCH and taken away by a DELETE of that address. */
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
import * as ask from './requests.ts'
import { patch, remove, type Web } from './route.ts'

const session = { params: ask.SessionParams }
const ok: api.OkAnswer = { ok: true }

export const addressRoutes = [
  patch(
    '/api/sessions/:id',
    {
      ...session,
      summary: 'Changes its name, its mode, who answers; what is not named stays',
      answer: 'OkAnswer',
      body: ask.SessionPatch,
    },
    async ({ engine }, { params, body: { name, mode, model, reasoningEffort } }) => {
      const session = await engine.open(params.id)
      if (name !== undefined) await session.rename(name)
      if (mode !== undefined) await session.setMode(mode)
      if (model !== undefined) await session.setModel({ model, ...defined({ reasoningEffort }) })
      return ok
    },
  ),
  remove(
    '/api/sessions/:id',
    {
      ...session,
      summary: 'Moves it to the trash, or with `now` deletes it for good',
      answer: 'DeletedAnswer',
      query: ask.DeleteQuery,
    },
    (web, { params, query }) => deleteSession(web, params.id, query),
  ),
]

export async function deleteSession(
  { engine }: Web,
  id: SessionId,
  how: { readonly now: boolean },
): Promise<api.DeletedAnswer> {
  const [removal] = await engine.remove([id], how)
  if (removal === undefined) throw new WebFailure('internal', 'Nothing was deleted.')
  if (removal.outcome === 'kept') throw removal.error
  return { outcome: removal.outcome, bytes: removal.bytes }
}
