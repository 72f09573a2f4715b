/** Back and forth in time: `/undo`, `/redo`, `/rewind`. What is taken back can be brought back. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { RewindPreview, RewindResult } from '../engine/history/rewind.ts'
import { filesTold } from '../engine/history/rewound-words.ts'
import { isEventId, type EventId } from '../format/ids.ts'
import { ago, counted } from '../lib/quantities.ts'
import type { RewindPoint } from '../state/turns.ts'
import { lineCounts } from './changes.ts'
import { command, type CommandContext, type Wording } from './command.ts'
import { code, fenced, plain } from './markdown.ts'
import { messageAt } from './message-at.ts'
import { rewindDiffs } from './rewind-diffs.ts'

const keepFiles = z.boolean().optional().describe('the conversation only: files stay as they are')

const filesOnly = z.boolean().optional().describe('the files only: the conversation stays as it is')

type Rewound = RewindResult & {
  /** The whole message that was taken back first. */
  readonly message: string
}

export const undo = command({
  name: 'undo',
  summary: 'take the last turn back, with the files it changed',
  changes: 'conversation',
  on: 'session',
  args: z.object({
    turns: z.coerce.number().int().min(1).default(1).describe('how many turns, 1 or more'),
    keepFiles,
  }),
  words: ['turns'],
  async run(context, { turns, keepFiles: keeps }) {
    const session = await context.session()
    const point = (await session.rewindPoints())[turns - 1]
    return givingBack(context, session, point?.eventId, () =>
      session.undo({ turns, ...context.waiting, ...kept(keeps) }),
    )
  },
  say: sayRewound,
})

export const rewind = command({
  name: 'rewind',
  summary: 'go back to before a message; without one, the messages to choose from',
  changes: 'conversation',
  on: 'session',
  args: z.object({
    point: z.string().optional().describe('the number of a turn, or the id of an event'),
    keepFiles,
    filesOnly,
    preview: z.boolean().optional().describe('only say what would be taken back'),
    list: z.boolean().optional().describe('only list the messages'),
  }),
  words: ['point'],
  async run(context, { point, keepFiles: keeps, filesOnly: only, preview, list }) {
    const session = await context.session()
    if (keeps === true && only === true)
      throw new EngineError('invalid', 'Give --keep-files or --files-only. Nothing was changed.')
    if (point === undefined || list === true)
      return { points: (await session.rewindPoints()).map(pointOf) }
    const eventId = await pointCalled(session, point)
    if (preview === true)
      return {
        ...(await session.previewRewind(eventId)),
        diffs: await rewindDiffs(session, eventId),
      }
    if (only === true)
      return {
        ...(await session.rewind(eventId, { ...context.waiting, mode: 'files' })),
        message: '',
      }
    return givingBack(context, session, eventId, () =>
      session.rewind(eventId, { ...context.waiting, ...kept(keeps) }),
    )
  },
  say(result, wording) {
    if ('points' in result && result.points !== undefined) return sayPoints(result.points, wording)
    if (!('files' in result)) return sayRewound(result, wording)
    const [what, ...files] = sayPreview(result)
    const diffs = result.diffs.map(({ path, diff }) => `\n${code(path)}\n\n${fenced(diff, 'diff')}`)
    return [
      `This would take back ${what}.`,
      ...files.map((line) => `- ${plain(line)}`),
      ...diffs,
    ].join('\n')
  },
})

const kept = (keepsFiles = false) => (keepsFiles ? ({ mode: 'conversation' } as const) : {})

type Point = Pick<RewindPoint, 'eventId' | 'at' | 'eventsRemoved' | 'bytesRemoved'> & {
  /** As it is shown, from 1 on. */
  readonly turn: number
  /** The beginning of its message. */
  readonly prompt: string
}

const pointOf = ({ index, preview: prompt, ...point }: RewindPoint): Point => {
  const { eventId, at, eventsRemoved, bytesRemoved } = point
  return { turn: index + 1, eventId, at, prompt, eventsRemoved, bytesRemoved }
}

/** By the number of a turn as it is shown, from 1 on, or by the beginning of the id of its message. */
export async function pointCalled(session: Session, word: string): Promise<EventId> {
  const points = await session.rewindPoints()
  const found = /^\d{1,6}$/.test(word)
    ? points.filter(({ index }) => index === Number(word) - 1)
    : points.filter(({ eventId }) => eventId.startsWith(word.toLowerCase()))
  const [only, another] = found
  if (only !== undefined && another === undefined) return only.eventId
  if (only === undefined && isEventId(word) && word.length > 8) return word
  throw new EngineError(
    only === undefined ? 'not_found' : 'ambiguous',
    `No single turn is meant by "${word}": the session has ${counted(points.length, 'turn')}. Nothing was changed.`,
  )
}

async function givingBack(
  { view }: CommandContext,
  session: Session,
  eventId: EventId | undefined,
  takeBack: () => Promise<RewindResult>,
): Promise<Rewound> {
  const said = eventId && (await messageAt(session, eventId))
  const message = said ? said.prompt : ''
  const result = await takeBack()
  view?.write(message)
  return { ...result, message }
}

function sayRewound(result: RewindResult, { call, now }: Wording): string {
  if (result.mode === 'files')
    return [
      `The conversation is as it was. ${call('redo')} brings the files back.`,
      plain(filesTold(result)),
    ].join('\n')
  const taken = `Took back ${counted(result.turnsRemoved, 'turn')}. ${call('redo')} brings it back.`
  const { alreadyTaken: before } = result
  const twice =
    before &&
    `Turn ${before.turn} had been taken back already ${ago(before.at, now())}, by a process that was killed then; this was turn ${before.turn - result.turnsRemoved}.`
  return [taken, twice, plain(filesTold(result))].filter(Boolean).join('\n')
}

function sayPoints(points: readonly Point[], { now, call }: Wording): string {
  if (points.length === 0) return 'There is nothing to go back to yet.'
  const rows = points.map(
    ({ turn, prompt, at }) => `- turn ${turn}: ${plain(prompt)} · ${ago(at, now())}`,
  )
  return [...rows, '', `${code(call('rewind', '<turn>'))} goes back to before one.`].join('\n')
}

const VERDICTS = {
  restore: 'would be restored',
  already: 'is as it was',
  drifted: 'changed since: would be left alone',
  notCovered: 'no earlier version is known: would be left alone',
} as const

/** What is taken back, then a line for each file. */
export const sayPreview = ({ turnsRemoved, files }: RewindPreview): string[] => [
  counted(turnsRemoved, 'turn'),
  ...files.map(
    ({ path, of, change, verdict, ...lines }) =>
      `${path}${of === 'session' ? ' of the session' : ''} ${[change, ...lineCounts(lines)].join(' ')}, ${change === 'created' && verdict === 'restore' ? 'would be removed' : VERDICTS[verdict]}`,
  ),
]

export const redo = command({
  name: 'redo',
  summary: 'bring back what was taken back',
  changes: 'conversation',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    const before = (await session.state()).turns.length
    const result = await session.redo(context.waiting)
    const turnsRestored = (await session.state()).turns.length - before
    return { ...result, turnsRestored }
  },
  say: (result) =>
    [
      result.eventsRestored === 0
        ? 'Redone: the files are as they were before.'
        : `Redone: ${counted(result.turnsRestored, 'turn')} came back.`,
      plain(filesTold(result)),
    ]
      .filter(Boolean)
      .join('\n'),
})
