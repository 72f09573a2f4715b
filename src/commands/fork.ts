/** Copies of a session: `/fork` makes one, `/tree` shows where they come from. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { EventId } from '../format/ids.ts'
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
    checkpoint: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('the last thing that is taken along: a compaction, by its number'),
  }),
  words: ['name…'],
  async run(context, { name, before: point, checkpoint }) {
    const session = await context.session()
    if (point !== undefined && checkpoint !== undefined)
      throw new EngineError('invalid', 'Give --before or --checkpoint. Nothing was forked.')
    const before =
      checkpoint === undefined
        ? await startOf(session, point)
        : await afterCheckpoint(session, checkpoint)
    const forked = await session.fork(defined({ name, before }))
    await context.view?.open(forked.sessionId)
    return forked
  },
  say: ({ name, sessionId, source, sourceNoted }) =>
    `"${plain(name)}" is session ${code(sessionId.slice(0, 8))}, forked from ${code(source.slice(0, 8))}. ` +
    `The other one is as it was${sourceNoted ? '' : ', and was not told: it is busy elsewhere'}.`,
})

const startOf = async (session: Session, point: string | undefined) =>
  point === undefined ? undefined : pointCalled(session, point)

/** The event that follows a checkpoint; undefined when it is the last one. */
async function afterCheckpoint(session: Session, number: number): Promise<EventId | undefined> {
  const { checkpoints } = (await session.state()).compaction
  const found = checkpoints.findLast((each) => each.number === number)
  if (found === undefined) {
    const known = checkpoints.map((each) => each.number).join(', ')
    throw new EngineError(
      'not_found',
      `There is no checkpoint ${number}: ${known === '' ? 'the session has none' : `the session has ${known}`}. Nothing was forked.`,
    )
  }
  const { events } = await session.events({ cursor: found.eventId, limit: 1 })
  return events[0]?.id
}

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
