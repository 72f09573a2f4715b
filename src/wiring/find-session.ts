/** The one session that a word of the command line means: "@latest", "@continue", an id, its beginning, or a name. */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionId } from '../format/ids.ts'

export async function findSession(engine: Engine, word: string, cwd: string): Promise<SessionId> {
  const near =
    word === '@latest'
      ? await engine.latest()
      : word === '@continue'
        ? await engine.latestFor(await engine.project(cwd))
        : undefined
  if (near !== undefined) return near
  const found = await engine.resolve(word)
  if (found.kind === 'found' || found.kind === 'seed') return found.id
  if (found.kind === 'ambiguous')
    throw new EngineError('ambiguous', `${found.ids.length} sessions fit. Name one by its id.`, {
      details: { ids: found.ids },
    })
  throw new EngineError('not_found', 'No session fits. "reprise sessions list" shows them.')
}
