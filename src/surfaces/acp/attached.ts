/**
 * One session as one client follows it: its history, or nothing of it, then everything that happens, in order and
 * without a gap. Questions of the agent go to the client while it follows.
 */
import type { Offered } from '../../commands/offered.ts'
import { userCommandsOf } from '../../commands/user-commands.ts'
import type { AgentOptions, OptionChoice } from '../../engine/agent.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Event, Payload } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { deferred, type Deferred } from '../../lib/deferred.ts'
import { objectsOf, type Fields } from '../../lib/fields.ts'
import { isStranger } from '../../state/positioned-event.ts'
import { askPermission, askQuestion, withdrawPermission, type Asking } from './ask-client.ts'
import { availableCommands } from './commands.ts'
import { projectNotice } from './notice-rules.ts'
import { planEntries } from './plan.ts'
import { project, settleTools, type AcpProjection } from './projection.ts'
import { optionsWith } from './agent-choices.ts'
import { openTheirOptions } from './their-options.ts'
import { openProgress } from './progress.ts'
import type { Update } from './update.ts'

export interface Attached {
  readonly id: SessionId
  readonly projection: AcpProjection
  /** That the model agent may answer with. */
  readonly models: readonly string[]
  /** Commands of the agent behind the session, as it names them. */
  readonly theirCommands: readonly Fields[]
  /** Those of the user's files. */
  readonly userCommands: readonly Offered[]
  /** What can be chosen in the agent itself, once it has come up. */
  readonly theirs: AgentOptions | undefined
  /** Brings the agent up, and tells what can be chosen in it when that was not known. */
  reachAgent(): Promise<void>
  choose(choice: OptionChoice): Promise<void>
  send(update: Update): void
  sendCommands(): void
  /** What this client says itself; `told` resolves when it is in the log. */
  expectOwn(messageId: string): Disposable & { readonly told: Promise<void> }
  /** Resolves when everything up to this place in the log was told. */
  told(size: number): Promise<void>
  stop(): void
}

type AttachOptions = Omit<Asking, 'tell' | 'open'> & {
  readonly models: readonly string[]
  /** The length of the log as it is; what comes after it is no replay. */
  readonly replayTo: number
  /** Without it, from the beginning. */
  readonly after?: EventId
  /** Until then nothing is told or asked: the client does not know of the session. */
  readonly known?: Promise<void>
  /** A turn is under way. */
  readonly isBusy: boolean
  /** The process that runs what has no result yet is still at work. */
  readonly isRunning: boolean
  /** Ended with the rest. */
  readonly following: Disposable
}

/** What the log says of the agent's own choices. */
const OFFERS: ReadonlySet<string> = new Set(['agent_mode', 'agent_options', 'agent_option'])

const GONE = 'Interrupted before a result was recorded.'

/** Resolves when the history was told. */
export async function attach(options: AttachOptions): Promise<Attached> {
  const { engine, peer, id, projection, replayTo, dialect } = options
  const ending = new AbortController()
  const own = new Map<string, Deferred<void>>()
  const history = deferred<void>()
  const userCommands = await userCommandsOf(engine, await engine.open(id))
  let theirCommands: readonly Fields[] = []
  /** Questions of the history that may still wait. */
  const unanswered = new Map<string, Payload<'permission.requested'>>()
  const progress = openProgress(options.after === undefined ? 0 : replayTo)
  projection.isReplay = options.after === undefined && replayTo > 0

  const tell = (update: unknown) => peer.notify('session/update', { sessionId: id, update })
  const asking: Asking = { ...options, tell, open: new Map() }
  const notify = (update: Fields) => dialect.updates(update).forEach(tell)

  function send(update: Update): void {
    if (update.sessionUpdate === 'raw') return notify(update.update)
    if (update.sessionUpdate !== 'config_option_update') return notify(update)
    notify({
      ...update,
      configOptions: optionsWith(projection.settings, options.models, theirs.now()),
    })
  }

  const theirs = openTheirOptions(engine, id, ending.signal, () =>
    send({ sessionUpdate: 'config_option_update', configOptions: [] }),
  )

  function sendCommands(): void {
    notify({
      sessionUpdate: 'available_commands_update',
      availableCommands: availableCommands(theirCommands, userCommands),
    })
  }

  async function endReplay(): Promise<void> {
    if (!options.isRunning) for (const update of settleTools(projection, GONE)) send(update)
    projection.isReplay = false
    for (const request of unanswered.values()) void askPermission(asking, request)
    unanswered.clear()
    await tellPlan(options, send)
    dialect.now(options.isBusy).forEach(tell)
    history.resolve()
  }

  /** It came from this client, which knows it. */
  function isOwn(event: Event): boolean {
    const mine = event.type === 'user.message' ? own.get(event.data.messageId ?? '') : undefined
    mine?.resolve()
    return mine !== undefined && !dialect.echoes
  }

  async function takeEvent({ event, end }: Extract<FeedItem, { kind: 'event' }>): Promise<void> {
    const updates = project(projection, event)
    if (isStranger(event) || !isOwn(event)) for (const update of updates) send(update)
    if (!isStranger(event)) {
      if (event.type === 'permission.requested') {
        if (projection.isReplay) unanswered.set(event.data.requestId, event.data)
        else void askPermission(asking, event.data)
      }
      if (event.type === 'permission.completed') {
        unanswered.delete(event.data.requestId)
        withdrawPermission(asking, event.data)
      }
      const isOffer = event.type === 'session.info' && OFFERS.has(event.data.infoType)
      if (isOffer && !projection.isReplay) await theirs.refresh()
    }
    progress.reach(end)
    if (projection.isReplay && end >= replayTo) await endReplay()
    else if (projection.planChanged) await tellPlan(options, send)
  }

  async function take(item: FeedItem): Promise<void> {
    if (item.kind === 'event') return takeEvent(item)
    if (item.kind === 'reset') {
      if (projection.isReplay) await endReplay()
      peer.notify('_reprise/session/rewound', {
        sessionId: id,
        upToEventId: item.upToEventId ?? null,
      })
      projection.calls.clear()
      progress.reach(item.end)
      return progress.releaseAll()
    }
    if (item.kind === 'live') return undefined
    const { notice } = item
    if (notice.type === 'user_input.requested') return void askQuestion(asking, notice.data)
    if (notice.type === 'user_input.completed')
      return asking.open.get(notice.data.requestId)?.abort()
    if (notice.type === 'commands.changed') {
      theirCommands = objectsOf(notice.data.commands)
      return sendCommands()
    }
    for (const update of projectNotice(projection, notice)) send(update)
  }

  void (async () => {
    const from = options.after === undefined ? {} : { after: options.after }
    try {
      await options.known
      if (!projection.isReplay) {
        dialect.now(options.isBusy).forEach(tell)
        history.resolve()
      }
      for await (const item of (await engine.open(id)).follow({ ...from, signal: ending.signal })) {
        if (ending.signal.aborted) break
        await take(item)
        if (!projection.isReplay) dialect.after(item).forEach(tell)
        await peer.ready()
      }
    } catch (error) {
      options.following[Symbol.dispose]()
      history.reject(error)
    } finally {
      progress.end()
    }
  })()
  await (options.known === undefined ? history.promise : void history.promise.catch(() => {})) // told later; a failure ends it

  return {
    id,
    projection,
    models: options.models,
    userCommands,
    get theirCommands() {
      return theirCommands
    },
    get theirs() {
      return theirs.now()
    },
    reachAgent: theirs.reach,
    choose: theirs.choose,
    send,
    sendCommands,
    expectOwn(messageId) {
      const told = deferred<void>()
      own.set(messageId, told)
      return { told: told.promise, [Symbol.dispose]: () => void own.delete(messageId) }
    },
    told: progress.until,
    stop() {
      options.following[Symbol.dispose]()
      ending.abort()
      for (const controller of asking.open.values()) controller.abort()
      progress.end()
    },
  }
}

/** The plan, where it changed since it was last told. */
async function tellPlan(
  { engine, id, projection }: AttachOptions,
  send: (update: Update) => void,
): Promise<void> {
  if (!projection.planChanged || projection.isReplay) return
  projection.planChanged = false
  try {
    const markdown = await (await engine.open(id)).readPlan()
    send({ sessionUpdate: 'plan', entries: planEntries(markdown ?? '') })
  } catch {
    // A plan that cannot be read now is not an empty one: it is read again with the next event.
    projection.planChanged = true
  }
}
