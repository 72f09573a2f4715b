/** Which session a word means: an id, its beginning, a name, @latest or @continue. What fits several is listed, never guessed. */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { SessionSummary } from '../engine/catalogue/catalogue-row.ts'
import type { FarPlace, RemoteControl } from '../engine/remote-control.ts'
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

async function resolveWord(
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

/**
 * What a value of --resume means: a session of this home by its id; then one of another machine by its id or task; then
 * a name here, a name there, the first prompt of one there. One of another machine is joined by that.
 */
export async function resolveAnywhere(
  engine: Engine,
  word: string,
): Promise<SessionId | { readonly seed: SessionId }> {
  const here = await engine.resolve(word)
  const isById = here.kind === 'found' || here.kind === 'ambiguous' ? here.by !== 'name' : false
  const remote = isById ? undefined : await engine.remote?.()
  if (remote === undefined) return resolveWord(engine, word)
  const { found, ownTasks, trouble } = await remote.meant(word)
  const byId = found.filter(({ by }) => by === 'id' || by === 'task' || by === 'prefix')
  const [own, ...more] = ownTasks
  if (own !== undefined && more.length === 0 && byId.length === 0) return own
  if (byId.length > 0) return join(remote, word, byId)
  if (here.kind !== 'seed' && here.kind !== 'none') return resolveWord(engine, word)
  if (found.length > 0) return join(remote, word, bestOf(found))
  if (here.kind === 'seed') return { seed: here.id }
  throw explainNone(word, here.suggestions, trouble)
}

/** A session of another machine; what is of this home is said to be. */
export async function resolveFar(engine: Engine, word: string): Promise<SessionId> {
  const remote = await engine.remote?.()
  if (remote === undefined) throw noMissionControl()
  const { found, ownTasks, trouble } = await remote.meant(word)
  const byId = found.filter(({ by }) => by !== 'name' && by !== 'summary')
  if (found.length > 0) return join(remote, word, byId.length > 0 ? byId : bestOf(found))
  const here = await engine.resolve(word)
  if (here.kind === 'found' || ownTasks.length > 0)
    throw new EngineError(
      'invalid',
      `"${flat(word)}" is a session of this home. Nothing was started. --resume goes on with it.`,
    )
  throw explainNone(word, [], trouble, '"reprise remote list" shows those of other machines.')
}

export const noMissionControl = (): EngineError =>
  new EngineError(
    'not_found',
    'No Mission Control is configured. Nothing was changed. "reprise remote login <url>" joins one.',
  )

type Meant = Awaited<ReturnType<RemoteControl['meant']>>['found']

/** A name is nearer than a first prompt. */
function bestOf(found: Meant): Meant {
  const named = found.filter(({ by }) => by === 'name')
  return named.length > 0 ? named : found
}

async function join(remote: RemoteControl, word: string, found: Meant): Promise<SessionId> {
  const sessions = found.map(({ session }) => session)
  const [only, ...others] = sessions
  if (only === undefined || others.length > 0) throw tellApart(word, sessions)
  await remote.connect(only.id)
  return only.id
}

const explainAmbiguous = async (
  engine: Engine,
  word: string,
  ids: readonly SessionId[],
): Promise<EngineError> => tellApart(word, await engine.summaries(ids))

function tellApart(
  word: string,
  fitting: readonly (SessionSummary & { readonly remote?: FarPlace })[],
): EngineError {
  const ids = fitting.map(({ id }) => id)
  const short = shortIds(ids)
  const lines = fitting.map((session) => {
    const when = relativeTime(session.modifiedAt, Date.now())
    const where = session.remote === undefined ? '' : `  on ${flat(session.remote.machine)}`
    return `  ${short(session.id)}  ${flat(sessionTitle(session))}${where}  ${when}`
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

function explainNone(
  word: string,
  suggestions: readonly string[],
  trouble?: string,
  list = '"reprise sessions list" shows those that exist.',
): EngineError {
  const near = suggestions.map((name) => `"${flat(name)}"`).join(', ')
  const hint = near === '' ? list : `Did you mean ${near}?`
  const away =
    trouble === undefined
      ? ''
      : ` Mission Control could not be asked, only what it last showed was looked through: ${trouble}`
  return new EngineError('not_found', `No session fits "${flat(word)}". ${hint}${away}`, {
    details: { suggestions },
  })
}

function existing(id: SessionId | undefined): SessionId {
  if (id !== undefined) return id
  throw new EngineError('not_found', 'There is no session yet. "reprise -p <text>" starts one.')
}

/** These messages have lines of their own; a name must not add one. */
const flat = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
