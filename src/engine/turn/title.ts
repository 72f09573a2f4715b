/**
 * What a session is about, in the words of its agent: told by the agent itself, or asked for once the first turn is over.
 * The log has it; the name in workspace.yaml follows, unless a person gave one. Nothing waits for it, nothing fails with it.
 */
import type { DraftOf } from '../../format/event.ts'
import type { Notice } from '../../format/notice.ts'
import type { ModelContext } from '../../state/model-context.ts'
import { autoName, readMetadata } from '../../workspace/metadata.ts'
import type { Agent } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { nameByDefault } from '../sessions/auto-name.ts'
import { commit } from '../live/commit.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { withWriter } from '../live/writer.ts'

/** A title that could not be had after the first turn is asked for after the next ones. */
const LATEST_TURN = 3
const TIME_LIMIT_MS = 30_000
/** How long a session that is closed waits for a title that is under way. */
const CLOSING_MS = 2_000

export function titleAfter(engine: EngineContext, session: LiveSession, agent: Agent): void {
  const { title, turns } = stateOf(session)
  if (agent.title === undefined || title !== undefined || turns.length > LATEST_TURN) return
  if (session.work.titling !== undefined) return
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(TIME_LIMIT_MS)])
  const done = askForTitle(engine, session, agent.title, signal)
    .catch(() => {}) // The words of the first prompt stay its name.
    .finally(() => {
      session.work.titling = undefined
    })
  session.work.titling = { done, abort }
}

/** What is under way when the session is closed comes in quickly, or not at all. */
export async function endTitling({ work }: LiveSession): Promise<void> {
  if (work.titling === undefined) return
  const { done, abort } = work.titling
  const late = setTimeout(() => abort.abort(), CLOSING_MS)
  await done
  clearTimeout(late)
}

async function askForTitle(
  engine: EngineContext,
  session: LiveSession,
  titleOf: NonNullable<Agent['title']>,
  signal: AbortSignal,
): Promise<void> {
  const context = await modelContext(engine, session)
  if (!(await isNamedByItsWords(engine, session, context))) return
  const { model } = stateOf(session)
  const made = await titleOf({ context, model }, signal)
  await take(engine, session, made)
}

/** Not by a person, an import or a fork. */
async function isNamedByItsWords(
  { fs }: EngineContext,
  session: LiveSession,
  { messages }: ModelContext,
): Promise<boolean> {
  const read = await readMetadata(fs, session.dir)
  if (!('file' in read) || read.file.user_named === true) return false
  const first = messages.find(({ role }) => role === 'user')?.content ?? ''
  const { titleHint = '' } = stateOf(session)
  return [autoName(first), autoName(titleHint)].includes(read.file.name)
}

/** What an agent calls its own session. One that only repeats a prompt, the first or the last, says nothing. */
async function agentTitled(
  engine: EngineContext,
  session: LiveSession,
  title: string,
): Promise<void> {
  const { title: known, titleHint = '', turns } = stateOf(session)
  if (title.trim() === '' || title === known || isOpening(titleHint, title)) return
  if (turns.some(({ preview }) => isOpening(preview, title))) return
  const message = `The agent calls this session "${title}".`
  await take(engine, session, {
    type: 'session.info',
    data: { infoType: 'agent_title', message, reprise: { title } },
  })
}

/** A title is recorded, and told as the name that it becomes. */
export async function passNotice(
  engine: EngineContext,
  session: LiveSession,
  notice: Notice,
): Promise<void> {
  if (notice.type !== 'session.title_changed') session.feed.tell(notice)
  else await agentTitled(engine, session, notice.data.title)
}

/** What an agent says between turns; its title may take it that long. */
export function tellBetween(engine: EngineContext, session: LiveSession, notice: Notice): void {
  // A title that cannot be kept leaves the words of the first prompt.
  void passNotice(engine, session, notice).catch(() => {})
}

/** A title may begin with so many letters of a prompt by chance. */
const FEW = 20

function isOpening(prompt: string, title: string): boolean {
  const [said, told] = [prompt, title].map((text) =>
    text
      .replace(/\s+/g, ' ')
      .replace(/(?:…|\.\.\.)$/, '')
      .trim(),
  ) as [string, string]
  return said.startsWith(told) || (said.length > FEW && told.startsWith(said))
}

async function take(
  engine: EngineContext,
  session: LiveSession,
  draft: DraftOf<'session.usage_record'> | DraftOf<'session.info'>,
): Promise<void> {
  await withWriter(engine, session, {}, async () => {
    // The turn was taken back meanwhile, and its redo must stay possible.
    if (session.written.isAtCut || !session.written.hasLog) return
    await commit(engine, session, [draft])
  })
  const { title } = stateOf(session)
  if (draft.data.reprise?.title !== undefined && title !== undefined)
    await nameByDefault(engine, session.id, title)
}
