/** One turn as it is seen from the command line: the message is sent, and what becomes durable is shown. */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Session } from '../../engine/session.ts'
import type { TurnOutcome } from '../../engine/turn/message.ts'
import type { Payload } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { ask } from './ask.ts'
import type { Cli } from './command.ts'
import type { Permission } from './permission.ts'
import { yellow } from './render/span.ts'

type TurnRequest = {
  readonly id: SessionId
  /** The last event before this turn; none in a new session. */
  readonly after: EventId | undefined
  readonly prompt: string
  readonly attachments?: Payload<'user.message'>['attachments']
  readonly waitMs: number | undefined
  readonly permission: Permission
  readonly show: (item: FeedItem) => void
}

export async function takeTurn(
  cli: Cli,
  engine: Engine,
  request: TurnRequest,
): Promise<TurnOutcome> {
  const { id, after, prompt, attachments, waitMs } = request
  const session = await engine.open(id)
  const end = new AbortController()
  const watch = showFrom(
    session.follow({ signal: end.signal, ...defined({ after }) }),
    async (item) => {
      request.show(item)
      await answerRequest(cli, session, item, request.permission)
      await answerQuestion(cli, session, item)
    },
  )
  const cancel = () => void session.cancel()
  cli.signal.addEventListener('abort', cancel, { once: true })
  try {
    const sent = await session.send(
      { prompt, ...defined({ attachments }) },
      { signal: cli.signal, ...defined({ waitMs }) },
    )
    const outcome = await watch.orBroken(sent.ended)
    await watch.until(() => isAtRest(session))
    await watch.shown((await session.state()).lastEventId)
    return outcome
  } finally {
    cli.signal.removeEventListener('abort', cancel)
    end.abort()
    await watch.ended
  }
}

/** `shown` resolves when the event has been dealt with, however far behind the writer that is. */
function showFrom(items: AsyncIterable<FeedItem>, deal: (item: FeedItem) => Promise<void>) {
  const seen = new Set<EventId>()
  let onItem = () => {}
  let awaited: { readonly id: EventId; readonly done: () => void } | undefined
  const follow = async () => {
    for await (const item of items) {
      await deal(item)
      onItem()
      if (item.kind !== 'event') continue
      seen.add(item.event.id)
      if (item.event.id === awaited?.id) awaited.done()
    }
  }
  const followed = follow()
  return {
    // What broke it was thrown by the one of the two below that waited.
    ended: followed.catch(() => {}),
    /** A turn whose questions are not heard any more would wait for ever. */
    orBroken: <T>(work: Promise<T>): Promise<T> => Promise.race([work, followed.then(() => work)]),
    /** Looks now and after each item. */
    async until(isSo: () => boolean): Promise<void> {
      const { promise, resolve } = deferred<void>()
      onItem = () => {
        if (isSo()) resolve()
      }
      onItem()
      await Promise.race([promise, followed])
    },
    async shown(id: EventId | undefined): Promise<void> {
      if (id === undefined || seen.has(id)) return
      const { promise, resolve } = deferred<void>()
      awaited = { id, done: resolve }
      await Promise.race([promise, followed])
    },
  }
}

/** What a hook queued behind the message is carried out before the program ends. */
const isAtRest = ({ now }: Session): boolean =>
  now === undefined || (!now.isRunning && (now.queued === 0 || now.isQueueHeld))

async function answerRequest(
  cli: Cli,
  session: Session,
  item: FeedItem,
  permission: Permission,
): Promise<void> {
  if (item.kind !== 'event' || item.event.type !== 'permission.requested') return
  if ('stranger' in item.event) return
  const { requestId, permissionRequest, reprise } = item.event.data
  if (session.machine === undefined) {
    const decision = await permission.answer(permissionRequest, reprise?.always)
    if (decision !== undefined) await unlessWithdrawn(() => session.answer(requestId, decision))
    return
  }
  for (let always = reprise?.always; ; always = undefined) {
    const decision = await permission.answerFar(permissionRequest, always)
    if (decision === undefined) return
    try {
      return await unlessWithdrawn(() => session.answer(requestId, decision))
    } catch (error) {
      if (decision.kind !== 'allow-for-session' || !(error instanceof EngineError)) throw error
      // Its machine may let nobody allow more than once from afar.
      cli.out.note(yellow('! '), error.message)
    }
  }
}

async function answerQuestion(cli: Cli, session: Session, item: FeedItem): Promise<void> {
  if (item.kind !== 'notice' || item.notice.type !== 'user_input.requested') return
  const { requestId, question, choices } = item.notice.data
  choices?.forEach((choice, index) => cli.out.note(`  ${index + 1}. `, choice))
  const said = await ask(cli, question)
  const answer = choices?.[Number(said) - 1] ?? said
  await unlessWithdrawn(() => session.answerQuestion(requestId, answer === '' ? undefined : answer))
}

/** What was asked may be settled while the person is thinking. */
async function unlessWithdrawn(tell: () => Promise<void>): Promise<void> {
  try {
    await tell()
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'not_found')) throw error
  }
}
