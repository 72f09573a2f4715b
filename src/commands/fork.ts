/** Copies of a session: `/fork` makes one, `/tree` shows where they come from. */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { ago } from '../lib/quantities.ts'
import { forkTree } from '../state/fork-tree.ts'
import { command } from './command.ts'
import { code, plain } from './markdown.ts'
import { pointCalled } from './time.ts'

export const fork = command({
  name: 'fork',
  summary: 'go on in a copy of the session',
  changes: 'sessions',
  on: 'session',
  args: z.object({
    name: z.string().optional().describe('what the copy is called'),
    before: z.string().optional().describe('the first turn or event that is left out'),
  }),
  words: ['name…'],
  async run(context, { name, before: point }) {
    const session = await context.session()
    const before = point === undefined ? undefined : await pointCalled(session, point)
    const forked = await session.fork(defined({ name, before }))
    await context.view?.open(forked.sessionId)
    return forked
  },
  say: ({ name, sessionId, source, sourceNoted }) =>
    `"${plain(name)}" is session ${code(sessionId.slice(0, 8))}, forked from ${code(source.slice(0, 8))}. ` +
    `The other one is as it was${sourceNoted ? '' : ', and was not told: it is busy elsewhere'}.`,
})

export const tree = command({
  name: 'tree',
  summary: 'the forks of the session',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const { id } = await context.session()
    const rows = forkTree(await context.engine.list(), id)
    return {
      here: id,
      rows: rows.map(({ session: { name, summary, ...session }, depth }) => ({
        sessionId: session.id,
        depth,
        title: name || summary || '(no name)',
        modifiedAt: session.modifiedAt,
      })),
    }
  },
  say({ here, rows }, { now, call }) {
    if (rows.length < 2) return `This session has no forks. ${call('fork')} makes one.`
    return rows
      .map(({ sessionId, depth, title, modifiedAt }) => {
        const mark = sessionId === here ? ' ← here' : ''
        return `${'  '.repeat(depth)}- ${code(sessionId.slice(0, 8))} ${plain(title)} · ${ago(modifiedAt, now())}${mark}`
      })
      .join('\n')
  },
})
