/** Which sessions there are, and which one is looked at: `/session`, `/resume`, `/new`, `/exit`. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { SessionId } from '../format/ids.ts'
import { ago } from '../lib/quantities.ts'
import { byRelevance } from '../state/relevance.ts'
import { command } from './command.ts'
import type { CommandContext } from './command.ts'
import { code, plain } from './markdown.ts'

const MOST = 20

export const sessions = command({
  name: 'session',
  summary: 'choose a session, or look at this one',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  async run({ engine, cwd }) {
    const [all, here] = await Promise.all([engine.list(), engine.project(cwd)])
    const dated = all.map((each) => ({ ...each, updatedAt: each.modifiedAt }))
    return { total: all.length, sessions: byRelevance(dated, here).slice(0, MOST) }
  },
  say({ sessions: near, total }, now) {
    if (total === 0) return 'There are no sessions yet.'
    const rows = near.map(
      ({ id, name, summary, modifiedAt }) =>
        `- ${code(id.slice(0, 8))} ${plain(name ?? summary)} · ${ago(modifiedAt, now)}`,
    )
    return [...rows, ...(total > near.length ? [`- … ${total - near.length} more`] : [])].join('\n')
  },
})

export const resume = command({
  name: 'resume',
  summary: 'go on with another session',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({ session: z.string().describe('its id, the beginning of it, or its name') }),
  words: ['session…'],
  async run(context, { session }) {
    const sessionId = await sessionCalled(context, session)
    await context.view?.open(sessionId)
    return { sessionId }
  },
  say: () => '',
})

/** What fits several is never guessed. */
async function sessionCalled(
  { engine }: Pick<CommandContext, 'engine'>,
  word: string,
): Promise<SessionId> {
  const found = await engine.resolve(word)
  if (found.kind === 'found') return found.id
  throw new EngineError(
    found.kind === 'ambiguous' ? 'ambiguous' : 'not_found',
    `No single session is called "${word}". /session shows what there is.`,
  )
}

export const fresh = command({
  name: 'new',
  summary: 'start a new session',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({}),
  run: async ({ view }) => view?.open(undefined),
  say: () => '',
})

export const exit = command({
  name: 'exit',
  aliases: ['quit'],
  summary: 'leave; everything is kept',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({}),
  run: async ({ view }) => view?.quit(),
  say: () => '',
})
