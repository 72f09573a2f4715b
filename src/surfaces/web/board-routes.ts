/** The context board: what new sessions of a repository are told, and what sessions propose for it. */
import type { Board } from '../../store/board.ts'
import type * as api from './api.ts'
import { defined } from '../../lib/defined.ts'
import * as ask from './requests.ts'
import { get, post, type Web } from './route.ts'
import { storeOf } from './store-parts.ts'

const ok: api.OkAnswer = { ok: true }

export const boardRoutes = [
  get(
    '/api/board',
    {
      summary: 'What is on the board, and what sessions propose for it',
      answer: 'BoardAnswer',
      query: ask.BoardQuery,
    },
    async (web, { query }): Promise<api.BoardAnswer> => {
      const board = await boardOf(web)
      const scope = defined(query)
      return { entries: await board.list(scope), proposals: await board.proposals(scope) }
    },
  ),
  post(
    '/api/board/add',
    { summary: 'Puts a note on the board', answer: 'OkAnswer', body: ask.BoardAddBody },
    async (web, { body: { repository, name, content, ...rest } }) => {
      const board = await boardOf(web)
      await board.add({ repository, name, content, src: 'user', ...defined(rest) })
      return ok
    },
  ),
  post(
    '/api/board/remove',
    { summary: 'Takes notes off the board', answer: 'OkAnswer', body: ask.BoardRemoveBody },
    async (web, { body: { name, ...scope } }) => {
      await (await boardOf(web)).remove(name, defined(scope))
      return ok
    },
  ),
  post(
    '/api/board/decide',
    {
      summary: 'Puts proposals on the board, or dismisses them for good',
      answer: 'OkAnswer',
      body: ask.BoardDecideBody,
    },
    async (web, { body: { ids, decision } }) => {
      const board = await boardOf(web)
      if (decision === 'accept') await board.accept(ids)
      else await board.dismiss(ids)
      return ok
    },
  ),
]

const boardOf = (web: Web): Promise<Board> => storeOf(web).board()
