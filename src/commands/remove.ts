/** Sessions that go to the trash, and come back: `/session delete`, `delete-all`, `prune`, `trash`, `restore`. */
import { z } from 'zod'
import type { Removal } from '../engine/home/remove.ts'
import type { SessionId } from '../format/ids.ts'
import { command } from './command.ts'
import type { CommandContext } from './command.ts'
import { code, plain } from './markdown.ts'
import { ago, counted, sizeText } from '../lib/quantities.ts'

const yes = z
  .boolean()
  .optional()
  .describe('do it; without this it is only said what would be done')

/** `asked`: nothing was done, because it was not confirmed. */
type Removed =
  { readonly asked: string } | { readonly removed: number; readonly kept: readonly string[] }

const sayRemoved = (result: Removed): string =>
  'asked' in result
    ? `${result.asked} Nothing was deleted: with --yes it is done.`
    : [`Moved to the trash: ${counted(result.removed, 'session')}.`, ...result.kept].join('\n')

export const deleteSession = command({
  name: 'session delete',
  summary: 'move it to the trash',
  changes: 'sessions',
  on: 'session',
  args: z.object({ yes }),
  async run(context, given): Promise<Removed> {
    const { id } = await context.session()
    if (given.yes !== true)
      return { asked: 'Delete this session? It stays in the trash for 30 days.' }
    return remove(context, [id])
  },
  say: sayRemoved,
})

export const deleteAll = command({
  name: 'session delete-all',
  summary: 'move all sessions to the trash',
  changes: 'sessions',
  on: 'home',
  args: z.object({ yes }),
  async run(context, given): Promise<Removed> {
    const all = await context.engine.list()
    if (given.yes !== true && all.length > 0)
      return { asked: `Delete all ${counted(all.length, 'session')}?` }
    return remove(
      context,
      all.map(({ id }) => id),
    )
  },
  say: sayRemoved,
})

async function remove(
  { engine, view }: CommandContext,
  ids: readonly SessionId[],
): Promise<Removed> {
  const shown = view?.shown()
  if (shown !== undefined && ids.includes(shown)) await view?.open(undefined)
  const removals: readonly Removal[] = await engine.remove(ids)
  const kept = removals.flatMap((each) => (each.outcome === 'kept' ? [each.error.message] : []))
  return { removed: removals.length - kept.length, kept }
}

export const discard = command({
  name: 'session discard',
  summary: 'remove what undo took back, for good: no redo',
  changes: 'sessions',
  on: 'session',
  args: z.object({
    days: z.coerce.number().min(0).default(0).describe('only what was taken back longer ago'),
    yes,
  }),
  words: ['days'],
  async run({ engine, session, view }, { days, yes: isSure }) {
    const { id } = await session()
    if (isSure !== true) return { asked: 'Remove for good what undo took back in this session?' }
    const shown = view?.shown()
    if (shown === id) await view?.open(undefined)
    try {
      return await engine.discard(id, { olderThanDays: days })
    } finally {
      if (shown === id) await view?.open(id)
    }
  },
  say: (result) =>
    'asked' in result
      ? `${result.asked} Nothing was removed: with --yes it is done.`
      : `Removed for good: ${counted(result.parts, 'part')} that undo had taken back, ${counted(result.events, 'event')}.`,
})

export const prune = command({
  name: 'session prune',
  aliases: ['session cleanup'],
  summary: 'move old sessions without a name to the trash, after a look',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    days: z.coerce.number().min(0).default(30).describe('older than so many days'),
    yes,
  }),
  words: ['days'],
  async run(context, { days, yes: isSure }): Promise<Removed> {
    const { engine } = context
    // Without a session there is none to be kept.
    const current = await context.session().catch(() => undefined)
    const options = {
      olderThanDays: days,
      keepNamed: true,
      ...(current !== undefined && { keep: [current.id] }),
    }
    const found = await engine.prune({ ...options, dryRun: isSure !== true })
    if (isSure === true || found.sessions.length === 0)
      return { removed: found.sessions.length, kept: [] }
    const what = `${counted(found.sessions.length, 'session')} older than ${days} days, ${sizeText(found.bytes)}`
    return { asked: `Move to the trash: ${what}? /session restore brings one back.` }
  },
  say: sayRemoved,
})

export const trash = command({
  name: 'session trash',
  summary: 'deleted sessions, which can be brought back',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: async ({ engine }) => ({
    deleted: (await engine.trash()).map(({ id, title, deletedAt }) => ({
      id,
      title,
      deletedAt: deletedAt.toISOString(),
    })),
  }),
  say({ deleted }, now) {
    if (deleted.length === 0) return 'The trash is empty.'
    const rows = deleted.map(
      ({ id, title, deletedAt }) =>
        `- ${code(id.slice(0, 8))} ${plain(title)} · deleted ${ago(deletedAt, now)}`,
    )
    return [...rows, '', '/session restore brings one back.'].join('\n')
  },
})

export const restore = command({
  name: 'session restore',
  summary: 'bring a deleted session back',
  changes: 'sessions',
  on: 'home',
  args: z.object({ session: z.string().describe('its id, or the beginning of it') }),
  words: ['session'],
  async run({ engine, view }, { session }) {
    const sessionId = await engine.restore(session)
    await view?.open(sessionId)
    return { sessionId }
  },
  say: ({ sessionId }) => `It is back. It is session ${code(sessionId.slice(0, 8))}.`,
})
