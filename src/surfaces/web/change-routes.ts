/** What became of files, who wrote a line, and one file put back: everything that a review needs. */
import type { ChangeScope } from '../../engine/time/file-changes.ts'
import { defined } from '../../lib/defined.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
import * as ask from './requests.ts'
import { get, post } from './route.ts'

const session = { params: ask.SessionParams }

export const changeRoutes = [
  get(
    '/api/sessions/:id/changes',
    {
      ...session,
      summary: 'Files that a turn, the session, a rewind to come or a fork changed',
      answer: 'ChangesAnswer',
      query: ask.ChangesQuery,
    },
    async ({ engine }, { params, query }): Promise<api.ChangesAnswer> =>
      (await engine.open(params.id)).changes(scopeOf(query)),
  ),
  get(
    '/api/sessions/:id/changes/file',
    {
      ...session,
      summary: 'One of these files, before and after',
      answer: 'ChangedFileAnswer',
      query: ask.ChangedFileQuery,
    },
    async ({ engine }, { params, query: { path, of, ...scope } }): Promise<api.ChangedFileAnswer> =>
      (await engine.open(params.id)).changedFile(scopeOf(scope), { path, of }),
  ),
  post(
    '/api/sessions/:id/restore-file',
    {
      ...session,
      summary: 'Puts one file of the project back to before a turn',
      answer: 'RestoredFileAnswer',
      body: ask.RestoreFileBody,
    },
    async ({ engine }, { params, body }): Promise<api.RestoredFileAnswer> =>
      (await engine.open(params.id)).restoreFile(body),
  ),
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

function scopeOf({ scope, eventId }: ask.Changes): ChangeScope {
  if (scope === 'session' || scope === 'fork') return { kind: scope }
  if (eventId === undefined)
    throw new WebFailure('invalid', `The scope "${scope}" needs the eventId of a turn.`)
  return { kind: scope, eventId }
}
