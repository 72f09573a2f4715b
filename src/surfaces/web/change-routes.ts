/** What became of files, who wrote a line, and one file put back: everything that a review needs. */
import { defined } from '../../lib/defined.ts'
import type * as api from './api.ts'
import * as ask from './requests.ts'
import { get } from './route.ts'

const session = { params: ask.SessionParams }

export const changeRoutes = [
  get(
    '/api/sessions/:id/blame',
    {
      ...session,
      summary: 'Which turn of any session wrote a line of the project',
      answer: 'BlameAnswer',
      query: ask.BlameQuery,
    },
    async ({ engine }, { params, query: { path: file, line, text } }): Promise<api.BlameAnswer> => {
      const { gitRoot, cwd } = (await (await engine.open(params.id)).state()).project
      const lines = { from: line, to: line }
      const [blamed] = await engine.blame({
        file,
        lines,
        ...defined({ text, cwd: gitRoot ?? cwd }),
      })
      return blamed?.by ?? { kind: 'unknown', reason: 'The file is empty.' }
    },
  ),
]
