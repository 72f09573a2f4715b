/**
 * What killed turns told and the log does not have: of a session that was not opened since, and of turns after which
 * another program went on. A reader of the log in order is given it where it belongs. Nothing is written.
 */
import type { Draft, Event, Stranger } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { sessionFolder } from '../../format/paths.ts'
import { readLease } from '../../log/lease.ts'
import { INTERRUPTED } from '../../state/provider-valid.ts'
import { startsTurn } from '../../state/turns.ts'
import type { EngineContext } from '../engine-context.ts'
import { readStreamed, streamPath } from './stream-lines.ts'
import type { Streamed } from '../../state/streamed.ts'

interface LeftBehind {
  /** What goes before this event, as events of the turn that it ends. */
  before(event: Event | Stranger): readonly Event[]
  /** What goes behind the last one. */
  rest(): readonly Event[]
}

type Left = Streamed & {
  isWithin: boolean
  readonly tools: Set<string>
  timestamp: string
}

export async function leftBehind(engine: EngineContext, dir: string): Promise<LeftBehind> {
  const found = await findAll(engine, dir)
  const take = (left: Left): Event[] => {
    left.isWithin = false
    return draftsOf(left).map((draft) => ({
      ...draft,
      id: engine.newId() as EventId,
      parentId: null,
      timestamp: left.timestamp,
    })) as Event[]
  }
  const notice = (left: Left, event: Event | Stranger) => {
    if (event.id === left.owner.after) left.isWithin = true
    if (!left.isWithin) return
    left.timestamp = event.timestamp
    left.pieces.settle(event)
    if (!('stranger' in event) && event.type === 'tool.execution_start')
      left.tools.add(event.data.toolCallId)
  }
  return {
    before(event) {
      const ended = found.filter((left) => left.isWithin && endsTurn(event)).flatMap(take)
      for (const left of found) notice(left, event)
      return ended
    },
    rest: () => found.filter(({ isWithin }) => isWithin).flatMap(take),
  }
}

async function findAll({ fs }: EngineContext, dir: string): Promise<Left[]> {
  const folder = sessionFolder(dir, 'unfinished')
  const paths = (await fs.list(folder)).map(({ name }) => `${folder}/${name}`)
  // While its writer lives, a turn tells its words itself.
  if ((await readLease(fs, dir))?.alive !== true) paths.push(streamPath(dir))
  const found = await Promise.all(paths.map((path) => readStreamed(fs, path)))
  return found.flatMap((streamed) =>
    streamed === undefined
      ? []
      : [{ ...streamed, isWithin: false, tools: new Set<string>(), timestamp: '' }],
  )
}

const endsTurn = (event: Event | Stranger): boolean =>
  !('stranger' in event) &&
  (event.type === 'session.resume' || (event.type === 'user.message' && startsTurn(event)))

function draftsOf({ pieces, owner, tools }: Left): Draft[] {
  const outputs = [...tools].flatMap((toolCallId): Draft[] => {
    const content = pieces.outputOf(toolCallId)
    if (content === undefined) return []
    const error = { message: INTERRUPTED, code: 'interrupted' }
    const reprise = { unfinished: 'killed' }
    const data = { toolCallId, success: false, result: { content }, error, reprise }
    return [{ type: 'tool.execution_complete', data }]
  })
  return [...pieces.drafts('killed', { turnId: owner.turn }), ...outputs]
}
