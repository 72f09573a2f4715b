/**
 * Passes on what happens in a session that is open in the server, to all who are connected to it. It sleeps after a long
 * silence, and wakes when it is used.
 */
import type { CloseOptions } from '../../engine/live/close.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { Notice } from '../../format/notice.ts'
import { tellError } from './client-hooks.ts'
import type { Client } from './client.ts'
import type { HostedSession } from './hosted-session.ts'
import { isToldTo } from './subscription-filter.ts'
import { planAsked, planCompleted } from './plan-questions.ts'
import { toldFor } from './copilot-notifications.ts'
import { wholeEvents } from './hydrate-event.ts'
import { eventFrame, wireEvent, wireNotice, type Told, type WireEvent } from './wire.ts'

/** Opens it again after it slept. */
export async function awake(session: HostedSession): Promise<void> {
  session.lastUsedMs = Date.now()
  if (session.watching !== undefined) return
  session.waking ??= wake(session).finally(() => {
    session.waking = undefined
  })
  await session.waking
}

async function wake(session: HostedSession): Promise<void> {
  // Mission Control acts in it with these parts again.
  session.ops = await session.engine.open(session.id, session.sessionParts)
  const { state } = await session.ops.resume()
  session.watching = new AbortController()
  const feed = session.ops.follow({ fromNow: true, signal: session.watching.signal })
  // From here on nothing is missed.
  await feed.next()
  void passAll(session, feed)
  session.lastEventId ??= state.lastEventId ?? null
  if (state.schedules !== undefined) await session.scheduleTimers.align()
}

export async function sleep(session: HostedSession, options?: CloseOptions): Promise<void> {
  // The call that woke it is told why it could not.
  await session.waking?.catch(() => {})
  session.answerWait.end()
  try {
    await session.ops.close(options)
  } finally {
    session.watching?.abort()
    session.watching = undefined
    session.lastEventId = null
  }
}

async function passAll(session: HostedSession, feed: AsyncIterable<FeedItem>): Promise<void> {
  try {
    for await (const item of feed)
      pass(
        session,
        item.kind === 'event' ? { ...item, event: await whole(session, item.event) } : item,
      )
  } catch (error) {
    const { parts, id } = session
    parts.log('error', `Session ${id}: its events cannot be followed: ${String(error)}`)
  }
}

const whole = ({ ops }: HostedSession, event: Event | Stranger) => wholeEvents(ops)(event)

function pass(session: HostedSession, item: FeedItem): void {
  const { id, members, ops, permissions, questions } = session
  if (item.kind === 'reset' || item.kind === 'live') return
  if (item.kind === 'event') {
    const before = saidBefore(session, item.event)
    if (before !== undefined) tellIdle(session, before)
    session.lastEventId = item.event.id
    const event = wireEvent(item.event)
    if (!('stranger' in item.event) && item.event.type === 'session.error')
      tellError(id, members, item.event.data, ops.now?.cwd ?? session.parts.cwd)
    // What another machine asks its own people may be answered here, too; who is silent here refuses nothing there.
    const isOpen = permissions.saw(item.event) || ops.machine !== undefined
    if (!session.toldAhead.delete(item.event.id)) say(session, isOpen ? event : decided(event))
    return session.answerWait.align()
  }
  const { notice } = item
  // What waits comes next: for a client the session is idle when nothing waits any more.
  const isBetween =
    notice.type === 'session.idle' &&
    !session.idleWait.cameIdle(notice, {
      goesOn: waits(session) || ops.now?.isRunning === true,
      isHeld: ops.now?.isQueueHeld === true,
    })
  if (notice.type === 'user_input.requested') {
    questions.ask(ops, notice.data)
    tell(session, questions.isPlan(notice.data.requestId) ? planAsked(notice.data) : notice)
  } else if (notice.type === 'user_input.completed') {
    const { requestId, answer } = notice.data
    tell(session, questions.isPlan(requestId) ? planCompleted(requestId, answer) : notice)
    questions.ended(requestId)
  } else if (!isBetween) for (const told of toldFor(session, notice)) tell(session, told)
  session.agentCommands.saw(notice)
  if (notice.type === 'session.idle') becameIdle(session)
  session.answerWait.align()
}

/** The idle that stands between what was answered and a message of another process. */
const saidBefore = ({ idleWait }: HostedSession, event: Event | Stranger): Notice | undefined =>
  'stranger' in event || event.type !== 'user.message' || event.data.delivery === 'steering'
    ? undefined
    : idleWait.said(event.data.messageId)

export function tellIdle(session: HostedSession, idle: Notice): void {
  for (const told of toldFor(session, idle)) tell(session, told)
}

/** Messages wait that are sent without anybody's doing. */
export function waits({ ops }: Pick<HostedSession, 'ops'>): boolean {
  const { now } = ops
  return now !== undefined && !now.isQueueHeld && now.queued > 0
}

/** Says it to all who are connected, as the event that it becomes. */
export const tell = (session: HostedSession, notice: Notice | Told): WireEvent =>
  say(session, wireNotice(masked(notice, session.parts.secrets), session.lastEventId))

/** The same to one of them alone: it is the one who has to act. */
export const tellOne = (session: HostedSession, client: Client, notice: Notice | Told): void =>
  client.peer.notifyFrame(
    eventFrame(session.id, wireNotice(masked(notice, session.parts.secrets), session.lastEventId)),
  )

/** What is told as it comes has no word that a client wants hidden. */
function masked(notice: Notice | Told, secrets: ReadonlySet<string>): Told {
  if (secrets.size === 0) return notice
  let text = JSON.stringify(notice.data)
  for (const secret of secrets)
    text = text.replaceAll(JSON.stringify(secret).slice(1, -1), '******')
  return { ...notice, data: JSON.parse(text) as unknown }
}

/** Tells what will be in the log before the next thing that happens, once. */
export function tellUnwritten(session: HostedSession): void {
  if (session.members.size === 0) return
  for (const event of session.ops.now?.unwritten ?? []) {
    if (session.toldAhead.has(event.id)) continue
    session.toldAhead.add(event.id)
    session.lastEventId = event.id
    say(session, event)
  }
}

/** A session in which nothing happened leaves nothing in its log; its clients are told of its end all the same. */
export async function end(session: HostedSession, options?: CloseOptions): Promise<void> {
  const told = await unwrittenEnd(session)
  try {
    await sleep(session, options)
    if (told !== undefined) say(session, told)
  } finally {
    session.scheduleTimers.end()
    session.shells.end()
    await session.extensions.close()
    await session.agent.close()
    await session.servers.close()
  }
}

async function unwrittenEnd(session: HostedSession): Promise<WireEvent | undefined> {
  const { ops, members, startedAt, lastEventId: parentId } = session
  if (members.size === 0 || !ops.now?.unwritten.length) return undefined
  const sessionStartTime = startedAt.getTime()
  return {
    type: 'session.shutdown',
    data: { shutdownType: 'routine', ...(await ops.metrics()), sessionStartTime },
    id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    parentId,
  }
}

function say(session: HostedSession, event: WireEvent): WireEvent {
  const { id, members } = session
  session.lastUsedMs = Date.now()
  let frame: Buffer | undefined
  for (const member of members.all()) {
    if (!isToldTo(member, id, event.type)) continue
    member.client.peer.notifyFrame((frame ??= eventFrame(id, event)))
  }
  for (const listener of session.listeners) listener(event)
  session.onTold(session, event)
  return event
}

/** A client that could decide need not ask its user: it is too late. */
const decided = (event: WireEvent): WireEvent => ({
  ...event,
  data: { ...(event.data as object), resolvedByHook: true },
})

function becameIdle({ onIdle, ops, commands }: HostedSession): void {
  const waiting = [...onIdle]
  onIdle.clear()
  for (const act of waiting) act()
  if (ops.now?.isRunning !== true) commands.next()
}
