/** `/board`: what new sessions of this project are told, what sessions propose for it, and changing both. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import type { Board } from '../store/board.ts'
import type { Proposal } from '../store/proposals.ts'
import { command } from './command.ts'
import type { CommandContext } from './command.ts'
import { code, plain } from './markdown.ts'

type Scope = { readonly repository: string; readonly branch?: string }

/** A project without a remote has a board by its directory. */
async function withBoard<T>(
  context: CommandContext,
  work: (board: Board, scope: Scope) => Promise<T>,
): Promise<T> {
  const { repository, gitRoot, cwd, branch } = await context.engine.project(context.cwd)
  const [board, { BoardBusy }, { BadEntry }] = await Promise.all([
    context.board(),
    import('../store/board.ts'),
    import('../store/board-rules.ts'),
  ])
  try {
    return await work(board, { repository: repository ?? gitRoot ?? cwd, ...defined({ branch }) })
  } catch (cause) {
    if (cause instanceof BadEntry) throw new EngineError('invalid', cause.message, { cause })
    if (cause instanceof BoardBusy) throw new EngineError('busy', cause.message, { cause })
    throw cause
  }
}

export const board = command({
  name: 'board',
  aliases: ['board list'],
  summary: 'what all sessions of this repository should know',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: (context) =>
    withBoard(context, async (kept, scope) => ({
      ...scope,
      entries: await kept.list(scope),
      proposals: await kept.proposals(scope),
    })),
  say({ repository, entries, proposals }) {
    if (entries.length + proposals.length === 0)
      return `The board is empty. ${code('/board add title: what to know')} keeps something.`
    return [
      `**Board of ${plain(repository)}**`,
      '',
      ...entries.map(({ name, content }) => `- **${plain(name)}** ${plain(content)}`),
      ...proposals.map(
        ({ id, name, content }) =>
          `- proposed ${code(id.slice(0, 8))}: **${plain(name)}** ${plain(content)}`,
      ),
    ].join('\n')
  },
})

export const boardAdd = command({
  name: 'board add',
  summary: 'keep something: a title, a colon and what to know',
  changes: 'store',
  on: 'home',
  args: z.object({ entry: z.string().describe('as "title: what to know"') }),
  words: ['entry…'],
  run: (context, { entry }) =>
    withBoard(context, async (kept, { repository }) => {
      const [, name = '', content = ''] = /^([^:]+):\s*([^]+)$/.exec(entry) ?? []
      if (name === '')
        throw new EngineError('invalid', 'An entry is a title, a colon and what to know.')
      return [await kept.add({ repository, src: 'person', name: name.trim(), content })]
    }),
  say: sayKept,
})

export const boardRemove = command({
  name: 'board remove',
  summary: 'take an entry off, by its title',
  changes: 'store',
  on: 'home',
  args: z.object({ title: z.string().describe('the title of an entry') }),
  words: ['title…'],
  run: (context, { title }) =>
    withBoard(context, async (kept, scope) => {
      const removed = await kept.remove(title, scope)
      if (removed.length === 0)
        throw new EngineError('not_found', `No entry of the board is named "${title}".`)
      return removed
    }),
  say: ([first]) => `Removed: "${plain(first?.name ?? '')}".`,
})

const proposal = z.string().describe('the id of a proposal, or its beginning')

export const boardAccept = command({
  name: 'board accept',
  summary: 'put what a session proposes on the board',
  changes: 'store',
  on: 'home',
  args: z.object({ proposal }),
  words: ['proposal'],
  run: (context, given) =>
    withBoard(context, async (kept, scope) =>
      kept.accept([(await proposalCalled(kept, scope, given.proposal)).id]),
    ),
  say: sayKept,
})

export const boardDismiss = command({
  name: 'board dismiss',
  summary: 'take a proposal away; it is not proposed again',
  changes: 'store',
  on: 'home',
  args: z.object({ proposal }),
  words: ['proposal'],
  run: (context, given) =>
    withBoard(context, async (kept, scope) => {
      const found = await proposalCalled(kept, scope, given.proposal)
      await kept.dismiss([found.id])
      return found
    }),
  say: ({ name }) => `Dismissed: "${plain(name)}". It is not proposed again.`,
})

function sayKept(entries: readonly { readonly name: string }[]): string {
  return `On the board: ${entries.map(({ name }) => `"${plain(name)}"`).join(', ')}.`
}

async function proposalCalled(kept: Board, scope: Scope, word: string): Promise<Proposal> {
  const found = (await kept.proposals(scope)).filter(({ id }) => id.startsWith(word))
  const [only, another] = found
  if (only !== undefined && another === undefined) return only
  throw new EngineError(
    only === undefined ? 'not_found' : 'ambiguous',
    `${counted(found.length, 'proposal')} begin with "${word}". /board lists them.`,
  )
}
