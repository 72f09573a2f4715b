/** Sessions that go to the trash, and come back: `/session delete`, `delete-all`, `prune`, `trash`, `restore`. */
import { z } from 'zod'
import type { ErrorCode } from '../engine/errors.ts'
import type { Pruned } from '../engine/sessions/prune.ts'
import type { Removal } from '../engine/sessions/remove.ts'
import type { SessionId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import { ago, counted, sizeText } from '../lib/quantities.ts'
import { command, type CommandContext, type Wording } from './command.ts'
import { findSession } from './find-session.ts'
import { code, plain } from './markdown.ts'

const yes = z
  .boolean()
  .optional()
  .describe('do it; without this it is only said what would be done')

/** Nothing was done, because it was not confirmed. */
type Asked = { readonly asked: string }

const sayAsked = ({ asked }: Asked) => `${asked} Nothing was deleted: with --yes it is done.`

type Removed = {
  readonly sessions: readonly (
    | Exclude<Removal, { outcome: 'kept' }>
    | {
        readonly id: SessionId
        readonly outcome: 'kept'
        readonly error: { readonly code: ErrorCode; readonly message: string }
      }
  )[]
  readonly bytes: number
}

function sayRemoved(result: Asked | Removed, { call }: Wording): string {
  if ('asked' in result) return sayAsked(result)
  const { sessions, bytes } = result
  const kept = sessions.flatMap((each) => (each.outcome === 'kept' ? [each.error.message] : []))
  const gone = sessions.length - kept.length
  const isForGood = sessions.some(({ outcome }) => outcome === 'deleted')
  const size = sizeText(bytes)
  const done = isForGood
    ? `Deleted ${counted(gone, 'session')} for good, ${size}.`
    : `Moved ${counted(gone, 'session')} to the trash, ${size}. ${call('session restore')} brings one back.`
  return [...(gone === 0 ? [] : [done]), ...kept.map((why) => `Kept: ${plain(why)}`)].join('\n')
}

export const deleteSession = command({
  name: 'session delete',
  summary: 'move sessions to the trash, or remove them for good',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    sessions: z
      .union([z.array(z.string()), z.string().transform((one) => [one])])
      .optional()
      .describe('ids, beginnings of ids, or names; the one that is open when none is named'),
    now: z.boolean().optional().describe('for good: no restore'),
    yes,
  }),
  words: ['sessions…'],
  async run(context, { sessions: words, now, yes: isSure }): Promise<Asked | Removed> {
    const ids = new Set<SessionId>()
    for (const word of words ?? [])
      ids.add(
        await findSession(context, context.engine, word).catch((error: unknown) =>
          findTrashed(context, word, { isWanted: now === true, error }),
        ),
      )
    if (words === undefined) ids.add((await context.session()).id)
    if (isSure === true) return remove(context, [...ids], now)
    const what = words === undefined ? 'this session' : counted(ids.size, 'session')
    return {
      asked: now === true ? `Delete ${what} for good?` : `Move ${what} to the trash for 30 days?`,
    }
  },
  say: sayRemoved,
})

/** For good means the trash, too: a session that was deleted before, or whose deletion was killed half-way. */
async function findTrashed(
  { engine }: CommandContext,
  word: string,
  { isWanted, error }: { readonly isWanted: boolean; readonly error: unknown },
): Promise<SessionId> {
  const found = isWanted
    ? (await engine.trash()).filter(
        ({ id, title }) => title === word || (word.length >= 4 && id.startsWith(word)),
      )
    : []
  const [only, ...others] = new Set(found.map(({ id }) => id))
  if (only === undefined || others.length > 0) throw error
  return only
}

export const deleteAll = command({
  name: 'session delete-all',
  summary: 'move all sessions to the trash',
  changes: 'sessions',
  on: 'home',
  args: z.object({ yes }),
  async run(context, given): Promise<Asked | Removed> {
    const all = await context.engine.list()
    if (given.yes !== true && all.length > 0)
      return { asked: `Move all ${counted(all.length, 'session')} to the trash for 30 days?` }
    return remove(
      context,
      all.map(({ id }) => id),
    )
  },
  say: sayRemoved,
})

/** What cannot be removed does not stop the rest. */
async function remove(
  { engine, view }: CommandContext,
  ids: readonly SessionId[],
  now?: boolean,
): Promise<Removed> {
  const shown = view?.shown()
  if (shown !== undefined && ids.includes(shown)) await view?.open(undefined)
  const removals = await engine.remove(ids, defined({ now }))
  return {
    sessions: removals.map((removal) => {
      if (removal.outcome !== 'kept') return removal
      const { id, outcome, error } = removal
      return { id, outcome, error: { code: error.code, message: error.message } }
    }),
    bytes: removals.reduce((sum, each) => sum + ('bytes' in each ? each.bytes : 0), 0),
  }
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
      : `Removed for good: ${counted(result.parts, 'undone part')}. /redo cannot bring ${result.parts === 1 ? 'it' : 'them'} back; the session is as it was.`,
})

export const prune = command({
  name: 'session prune',
  aliases: ['session cleanup'],
  summary: 'move old sessions without a name to the trash, after a look',
  changes: 'sessions',
  on: 'home',
  args: z.object({
    days: z.coerce.number().min(0).default(30).describe('untouched for more than so many days'),
    includeNamed: z.boolean().optional().describe('also those that a person named'),
    dryRun: z.boolean().optional().describe('only say what would be done'),
    yes,
  }),
  words: ['days'],
  async run(
    context,
    { days, includeNamed, dryRun, yes: isSure },
  ): Promise<Pruned & Partial<Asked>> {
    const { engine } = context
    // Without a session there is none to be kept.
    const current = await context.session().catch(() => undefined)
    const isDone = isSure === true && dryRun !== true
    const found = await engine.prune({
      olderThanDays: days,
      keepNamed: includeNamed !== true,
      dryRun: !isDone,
      ...(current !== undefined && { keep: [current.id] }),
    })
    if (isDone || dryRun === true || found.sessions.length === 0) return found
    const what = `${counted(found.sessions.length, 'session')} older than ${days} days, ${sizeText(found.bytes)}`
    return { ...found, asked: `Move ${what}, to the trash?` }
  },
  say({ asked, dryRun, sessions, kept, failed, bytes, trashEmptied, discarded }, { call }) {
    const not = failed.map(({ id, reason }) => `Kept: ${code(id)} ${plain(reason)}`)
    if (asked !== undefined) return [sayAsked({ asked }), ...not].join('\n')
    const what = `${counted(sessions.length, 'session')}${dryRun ? ' to prune' : ''}`
    const left =
      kept.length === 0 ? '' : `, ${counted(kept.length, 'old one')} kept (named or in use)`
    const old =
      discarded.parts === 0
        ? []
        : [`Removed for good: ${counted(discarded.parts, 'part')} that undo had taken back.`]
    if (dryRun || sessions.length === 0)
      return [`${what}, ${sizeText(bytes)}${left}.`, ...old, ...not].join('\n')
    const emptied = `Removed ${counted(trashEmptied.sessions, 'session')} from the trash for good, ${sizeText(trashEmptied.bytes)}.`
    return [
      `Moved ${what} to the trash, ${sizeText(bytes)}${left}. ${call('session restore')} brings one back.`,
      ...(trashEmptied.sessions > 0 ? [emptied] : []),
      ...old,
      ...not,
    ].join('\n')
  },
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
  say({ deleted }, { now, call }) {
    if (deleted.length === 0) return 'The trash is empty.'
    const rows = deleted.map(
      ({ id, title, deletedAt }) =>
        `- ${code(id.slice(0, 8))} ${plain(title)} · deleted ${ago(deletedAt, now())}`,
    )
    return [...rows, '', `${call('session restore')} brings one back.`].join('\n')
  },
})

export const restore = command({
  name: 'session restore',
  summary: 'bring a deleted session back',
  changes: 'sessions',
  on: 'home',
  args: z.object({ session: z.string().describe('its id, the beginning of it, or its name') }),
  words: ['session'],
  async run({ engine, view }, { session }) {
    const id = await engine.restore(session)
    await view?.open(id)
    return { id }
  },
  say: ({ id }) => `Session ${code(id.slice(0, 8))} is back.`,
})
