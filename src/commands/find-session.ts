/** Which session a word means: an id, its beginning, a name, @latest or @continue. What fits several is listed, never guessed. */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionId } from '../format/ids.ts'
import { relativeTime } from '../lib/quantities.ts'
import { sessionTitle, shortIds } from '../state/session-title.ts'

export async function findSession(
  { cwd }: { readonly cwd: string },
  engine: Engine,
  word: string,
): Promise<SessionId> {
  if (word === '@latest') return existing(await engine.latest())
  if (word === '@continue') return existing(await engine.latestFor(await engine.project(cwd)))
  const found = await resolveWord(engine, word)
  // A whole id that no list shows: the operation itself knows best why.
  return typeof found === 'string' ? found : found.seed
}

export async function resolveWord(
  engine: Engine,
  word: string,
): Promise<SessionId | { readonly seed: SessionId }> {
  const found = await engine.resolve(word)
  switch (found.kind) {
    case 'found':
      return found.id
    case 'seed':
      return { seed: found.id }
    case 'ambiguous':
      throw await explainAmbiguous(engine, word, found.ids)
    case 'legacy':
      throw explainLegacy(found.path)
    case 'none':
      throw explainNone(word, found.suggestions)
  }
}

async function explainAmbiguous(
  engine: Engine,
  word: string,
  ids: readonly SessionId[],
): Promise<EngineError> {
  const fitting = await engine.summaries(ids)
  const short = shortIds(ids)
  const lines = fitting.map((session) => {
    const when = relativeTime(session.modifiedAt, Date.now())
    return `  ${short(session.id)}  ${flat(sessionTitle(session))}  ${when}`
  })
  return new EngineError(
    'ambiguous',
    `${ids.length} sessions fit "${flat(word)}". Name one by its id:\n${lines.join('\n')}`,
    { details: { ids } },
  )
}

const explainLegacy = (file: string): EngineError =>
  new EngineError(
    'legacy',
    `${flat(file)} is a flat file of an older format. It was left untouched: it has no workspace and cannot be resumed.`,
    { details: { file } },
  )

function explainNone(word: string, suggestions: readonly string[]): EngineError {
  const near = suggestions.map((name) => `"${flat(name)}"`).join(', ')
  const hint =
    near === '' ? '"reprise sessions list" shows those that exist.' : `Did you mean ${near}?`
  return new EngineError('not_found', `No session fits "${flat(word)}". ${hint}`, {
    details: { suggestions },
  })
}

function existing(id: SessionId | undefined): SessionId {
  if (id !== undefined) return id
  throw new EngineError('not_found', 'There is no session yet. "reprise -p <text>" starts one.')
}

/** These messages have lines of their own; a name must not add one. */
const flat = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
