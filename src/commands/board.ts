/** `/board`: what new sessions of a repository are told, what sessions propose for it, and changing both. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import type { Board } from '../store/board.ts'
import type { BoardEntry } from '../store/board-file.ts'
import type { BoardScope, NewEntry } from '../store/board-rules.ts'
import type { Proposal } from '../store/proposals.ts'
import { command, type CommandContext } from './command.ts'
import { asking, freshStore } from './fresh-store.ts'
import { code, plain } from './markdown.ts'

const repo = z.string().optional().describe('this repository instead of the one here')
const branch = z.string().optional().describe('of this branch, and of all branches')
const all = z.boolean().optional().describe('of all repositories')

type Asked = {
  readonly repo?: string | undefined
  readonly branch?: string | undefined
  readonly all?: boolean | undefined
}

async function withBoard<T>(
  context: CommandContext,
  work: (board: Board) => Promise<T>,
): Promise<T> {
  const [board, { BoardBusy }, { BadEntry }] = await Promise.all([
    context.board(),
    import('../store/board.ts'),
    import('../store/board-rules.ts'),
  ])
  try {
    return await work(board)
  } catch (cause) {
    if (cause instanceof BadEntry) throw new EngineError('invalid', cause.message, { cause })
    if (cause instanceof BoardBusy) throw new EngineError('busy', cause.message, { cause })
    throw cause
  }
}

/** A project without a remote has a board by its directory. */
async function projectOf(context: CommandContext, given: Asked): Promise<string> {
  if (given.repo !== undefined) return given.repo
  const { repository, gitRoot, cwd } = await context.engine.project(context.cwd)
  return repository ?? gitRoot ?? cwd
}

const scopeOf = async (context: CommandContext, given: Asked): Promise<BoardScope> => ({
  ...defined({ branch: given.branch }),
  ...(given.all !== true && { repository: await projectOf(context, given) }),
})

export const board = command({
  name: 'board',
  aliases: ['board list'],
  summary: 'what all sessions of this repository should know',
  changes: 'nothing',
  on: 'home',
  args: z.object({ repo, branch, all }),
  run: (context, given) =>
    withBoard(context, async (kept) => {
      const scope = await scopeOf(context, given)
      await proposeMissed(context, kept)
      return {
        repository: scope.repository ?? 'all repositories',
        entries: await kept.list(scope),
        proposals: await kept.proposals(scope),
      }
    }),
  say({ repository, entries, proposals }, { call }) {
    if (entries.length + proposals.length === 0)
      return `The board of ${plain(repository)} is empty. ${code(call('board add', '"<title>: <what to know>"'))} keeps something.`
    return [
      ...entries.flatMap(entryLines),
      ...(proposals.length === 0
        ? []
        : [
            ...(entries.length > 0 ? [''] : []),
            `${counted(proposals.length, 'proposal')}, from what sessions learned:`,
            ...proposals.flatMap(proposalLines),
            '',
            `${code(call('board accept', '<id>'))} keeps one, ${code(call('board dismiss', '<id>'))} drops it.`,
          ]),
    ].join('\n')
  },
})

const LOOK_BACK_MS = 7 * 24 * 3600 * 1000
const MOST_SESSIONS = 20

/** A session whose process was killed has proposed nothing yet. */
async function proposeMissed(context: CommandContext, kept: Board): Promise<void> {
  const [{ StoreUnavailable }, { BoardBusy }] = await Promise.all([
    import('../store/connection.ts'),
    import('../store/board.ts'),
  ])
  try {
    const { store } = await freshStore(context)
    const since = new Date(context.now().getTime() - LOOK_BACK_MS)
    for (const id of await store.changedSince(since, MOST_SESSIONS))
      await kept.propose(id, (await store.learned(id)) ?? [])
  } catch (cause) {
    // They are proposed when the board is next looked at.
    if (!(cause instanceof StoreUnavailable) && !(cause instanceof BoardBusy)) throw cause
  }
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${plain(line)}`)

function entryLines(entry: BoardEntry): string[] {
  const { name, src, repository, branch: of, count, readCount, description, content } = entry
  const where = of === '' ? repository : `${repository} · ${of}`
  const uses = `added ${counted(count, 'time')}, read ${counted(readCount, 'time')}`
  return [
    `- **${plain(name)}** ${plain(where)} · by ${plain(src)} · ${uses}`,
    ...(description === '' ? [] : indented(description)),
    ...indented(content),
  ]
}

const proposalLines = ({ name, src, description = '', content, ...more }: NewEntry): string[] => [
  `- ${'id' in more ? `${code(String(more.id))} ` : ''}**${plain(name)}** by ${plain(src)} · ${plain(description)}`,
  ...indented(content),
]

export const boardAdd = command({
  name: 'board add',
  summary: 'keep something that the next sessions should know',
  changes: 'store',
  on: 'home',
  args: z.object({
    entry: z.string().describe('what to know, as "title: what to know" unless a title is given'),
    title: z.string().optional().describe('a short title; the same title replaces its entry'),
    about: z.string().optional().describe('when it matters, or where it is from'),
    repo,
    branch: z.string().optional().describe('only for sessions on this branch'),
  }),
  words: ['entry…'],
  run: (context, { entry, title, about, ...given }) =>
    withBoard(context, async (kept) => {
      const [, name = '', content = ''] =
        title === undefined ? (/^([^:]+):\s*([^]+)$/.exec(entry) ?? []) : ['', title, entry]
      if (name.trim() === '' || content.trim() === '')
        throw new EngineError(
          'invalid',
          'An entry is a title, a colon and what to know. Nothing was added.',
        )
      return kept.add({
        repository: await projectOf(context, given),
        src: 'person',
        name: name.trim(),
        content,
        ...defined({ branch: given.branch, description: about }),
      })
    }),
  say: (entry) => sayKept([entry]),
})

const sayKept = (entries: readonly { readonly name: string }[]): string =>
  entries.length === 0
    ? 'There was nothing to add.'
    : `On the board: ${entries.map(({ name }) => `"${plain(name)}"`).join(', ')}.`

export const boardRemove = command({
  name: 'board remove',
  summary: 'take an entry off, by its title',
  changes: 'store',
  on: 'home',
  args: z.object({
    title: z.string().describe('the title of an entry, or a part that only one has'),
    repo,
    branch,
    all,
  }),
  words: ['title…'],
  run: (context, { title, ...given }) =>
    withBoard(context, async (kept) => {
      const scope = await scopeOf(context, given)
      return { removed: await kept.remove(await titleOf(kept, scope, title), scope) }
    }),
  say: ({ removed }) => `Removed: ${removed.map(({ name }) => `"${plain(name)}"`).join(', ')}.`,
})

async function titleOf(kept: Board, scope: BoardScope, word: string): Promise<string> {
  const entries = await kept.list(scope)
  if (entries.some(({ name }) => name === word)) return word
  const near = entries.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()))
  const [only, another] = near
  if (only === undefined)
    throw new EngineError('not_found', `No entry of the board is named "${word}".`)
  if (another === undefined) return only.name
  const names = near.map(({ name }) => `"${name}"`).join(', ')
  throw new EngineError('ambiguous', `Several entries fit "${word}": ${names}.`)
}

export const boardPrune = command({
  name: 'board prune',
  summary: 'take off what was not used for long, or is too much',
  changes: 'store',
  on: 'home',
  args: z.object({
    days: z.coerce
      .number()
      .min(1)
      .optional()
      .describe('neither added nor read for more than so many days'),
    keep: z.coerce.number().int().min(0).optional().describe('all but so many of the most used'),
    size: z.coerce
      .number()
      .min(1)
      .optional()
      .describe('all but the most used of so many kB together'),
    dryRun: z.boolean().optional().describe('only say what would be removed'),
    repo,
    branch,
    all,
  }),
  run: (context, { days, keep, size, dryRun = false, ...given }) =>
    withBoard(context, async (kept) => {
      if (days === undefined && keep === undefined && size === undefined)
        throw new EngineError('invalid', 'A limit is missing: --days, --keep or --size.')
      const limits = {
        ...(await scopeOf(context, given)),
        ...defined({ olderThanDays: days, keep }),
        ...(size !== undefined && { maxBytes: size * 1000 }),
      }
      const { pruned } = await import('../store/board-rules.ts')
      const removed = dryRun
        ? pruned(await kept.list(), limits, context.now()).removed
        : await kept.prune(limits)
      return { removed, dryRun }
    }),
  say: ({ removed, dryRun }) =>
    [
      ...removed.map(({ name, repository }) => `- ${plain(name)} · ${plain(repository)}`),
      `${counted(removed.length, 'entry', 'entries')} ${dryRun ? 'would be removed' : 'removed'}.`,
    ].join('\n'),
})

const decided = {
  proposals: z
    .union([z.array(z.string()), z.string().transform((text) => text.split(/\s+/))])
    .optional()
    .describe('ids of proposals, or their beginnings'),
  all: z.boolean().optional().describe('all proposals for this repository'),
  repo,
} as const

export const boardAccept = command({
  name: 'board accept',
  summary: 'put what sessions propose on the board',
  changes: 'store',
  on: 'home',
  args: z.object(decided),
  words: ['proposals…'],
  run: (context, given) =>
    withBoard(context, async (kept) => {
      const chosen = await chosenIn(context, kept, given)
      return { accepted: await kept.accept(chosen.map(({ id }) => id)) }
    }),
  say: ({ accepted }) => sayKept(accepted),
})

export const boardDismiss = command({
  name: 'board dismiss',
  summary: 'take proposals away; the same is not proposed again',
  changes: 'store',
  on: 'home',
  args: z.object(decided),
  words: ['proposals…'],
  run: (context, given) =>
    withBoard(context, async (kept) => {
      const dismissed = await chosenIn(context, kept, given)
      await kept.dismiss(dismissed.map(({ id }) => id))
      return { dismissed }
    }),
  say: ({ dismissed }) =>
    dismissed.length === 0
      ? 'Nothing was proposed, so nothing was dismissed.'
      : `Dismissed: ${dismissed.map(({ name }) => `"${plain(name)}"`).join(', ')}. ${dismissed.length === 1 ? 'It is' : 'They are'} not proposed again.`,
})

/** Those that are named; with `all`, all of the repository. */
async function chosenIn(
  context: CommandContext,
  kept: Board,
  { proposals: words, ...given }: Asked & { readonly proposals?: readonly string[] | undefined },
): Promise<readonly Proposal[]> {
  if ((given.all === true) === (words !== undefined))
    throw new EngineError('invalid', 'Give the ids of proposals, or --all.')
  if (words === undefined) return kept.proposals({ repository: await projectOf(context, given) })
  const open = await kept.proposals({})
  return words.map((word) => onlyOne(context, open, word))
}

function onlyOne({ call }: CommandContext, open: readonly Proposal[], word: string): Proposal {
  const found = open.filter(({ id }) => id.startsWith(word.toLowerCase()))
  const [only, another] = found
  if (only !== undefined && another === undefined) return only
  throw new EngineError(
    only === undefined ? 'not_found' : 'ambiguous',
    `${counted(found.length, 'proposal')} begin with "${word}". Nothing was changed; ${call('board')} lists them.`,
  )
}

export const boardPropose = command({
  name: 'board propose',
  summary: 'what the session learned that the next ones should know',
  changes: 'store',
  on: 'session',
  args: z.object({ add: z.boolean().optional().describe('put all of it on the board') }),
  run: (context, { add = false }) =>
    asking(async () => {
      const { id } = await context.session()
      const { store } = await freshStore(context)
      const proposed = await store.learned(id)
      if (proposed === undefined)
        throw new EngineError(
          'not_found',
          `The session store does not know ${id}. ${context.call('reindex')} reads it in.`,
        )
      if (add)
        await withBoard(context, async (kept) => {
          for (const entry of proposed) await kept.add(entry)
        })
      return { proposed, added: add }
    }),
  say({ proposed, added }, { call }) {
    if (proposed.length === 0) return 'Nothing in this session asks to be kept.'
    const last = added
      ? `${counted(proposed.length, 'entry', 'entries')} added.`
      : `${code(call('board propose', '--add'))} puts them on the board.`
    return [...proposed.flatMap((each) => proposalLines(each)), '', last].join('\n')
  },
})
