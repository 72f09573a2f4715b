/** Copies of a session: `/fork` makes one, `/tree` shows where they come from. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { EventId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import type { RewoundBranch } from '../engine/history/rewound-branches.ts'
import { ago, counted } from '../lib/quantities.ts'
import { forkTree } from '../state/fork-tree.ts'
import { sessionTitle } from '../state/session-title.ts'
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
    rewound: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('what was taken back, by its number in the tree: the copy has it again'),
  }),
  words: ['name…'],
  async run(context, { name, before: point, checkpoint, rewound }) {
    const session = await context.session()
    if ([point, checkpoint, rewound].filter((each) => each !== undefined).length > 1)
      throw new EngineError(
        'invalid',
        'Give one of --before, --checkpoint and --rewound. Nothing was forked.',
      )
    const before =
      checkpoint === undefined
        ? await startOf(session, point)
        : await afterCheckpoint(session, checkpoint)
    const forked = await session.fork(defined({ name, before, rewound }))
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
  summary: 'the forks of the session, and what was taken back in it',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    const { id } = session
    const rows = forkTree(await context.engine.list(), id)
    return {
      here: id,
      rows: rows.map(({ session: { name, summary, ...each }, depth }) => ({
        sessionId: each.id,
        depth,
        title: sessionTitle({ name, summary }),
        modifiedAt: each.modifiedAt,
      })),
      rewound: await session.rewoundBranches(),
    }
  },
  say({ here, rows, rewound }, { now, call }) {
    if (rows.length < 2 && rewound.length === 0)
      return `This session has no forks. ${call('fork')} makes one.`
    const sessions = rows.flatMap(({ sessionId, depth, title, modifiedAt }) => {
      const isHere = sessionId === here
      const row = `${'  '.repeat(depth)}- ${code(sessionId.slice(0, 8))} ${plain(title)} · ${ago(modifiedAt, now())}${isHere ? ' ← here' : ''}`
      const taken = rewound.map(
        (branch) =>
          `${'  '.repeat(depth + 1)}- ${aboutBranch(branch, now())}: ${plain(branch.prompt)}`,
      )
      return isHere ? [row, ...taken] : [row]
    })
    if (rewound.length === 0) return sessions.join('\n')
    return [
      ...sessions,
      '',
      `${code(call('fork', '--rewound <number>'))} brings one back as a fork.`,
    ].join('\n')
  },
})

/** What was taken back, without its words. */
export const aboutBranch = ({ number, turns, rewoundAt }: RewoundBranch, now: Date): string =>
  `taken back ${number}, ${counted(turns, 'turn')}, ${ago(rewoundAt, now)}`
