/**
 * One session as one client follows it: its history, or nothing of it, then everything that happens, in order and
 * without a gap. Questions of the agent go to the client while it follows.
 */
import type { Engine } from '../../engine/engine.ts'
import type { FeedItem } from '../../engine/feed.ts'
import type { Event, Payload } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { isFields } from '../../lib/rpc-lines.ts'
import type { LinePeer } from '../../lib/rpc-lines.ts'
import { isStranger } from '../../state/placed.ts'
import type { Asks } from './asks.ts'
import { decisionIn, permissionParams } from './asks.ts'
import { ownCommands } from './commands.ts'
import { projectNotice } from './notice-rules.ts'
import { planEntries } from './plan.ts'
import { project, settleTools } from './projection.ts'
import type { Telling } from './projection.ts'
import { configOptionsOf } from './settings.ts'
import type { Update } from './update.ts'

export interface Attached {
  readonly id: SessionId
  readonly telling: Telling
  /** Commands of the agent behind the session, as it names them. */
  readonly theirCommands: readonly Readonly<Record<string, unknown>>[]
  send(update: Update): void
  sendCommands(): void
  /** What this client says itself is not told to it again. Gives the id that the message got. */
  expectOwn(prompt: string): { readonly messageId: () => string | undefined; over(): void }
  /** Resolves when everything up to this place in the log was told. */
  told(size: number): Promise<void>
  stop(): void
}

export type AttachOptions = {
  readonly engine: Engine
  readonly peer: LinePeer
  readonly asks: Asks
  readonly models: readonly string[]
  readonly canFillForms: boolean
  readonly id: SessionId
  readonly telling: Telling
  /** Of the log as it is; what comes after it is no replay. */
  readonly replayTo: number
  /** Without it, from the beginning. */
  readonly after?: EventId
  /** Whoever ran what has no result yet is still at work. */
  readonly isRunning: boolean
}

const GONE = 'Interrupted before a result was recorded.'

/** Resolves when the history was told. */
export async function attach(options: AttachOptions): Promise<Attached> {
  const { engine, peer, asks, id, telling, replayTo } = options
  const ending = new AbortController()
  const waiting = new Set<{ readonly size: number; readonly resolve: () => void }>()
  const asking = new Map<string, AbortController>()
  const own: { readonly prompt: string; messageId: string | undefined }[] = []
  const history = Promise.withResolvers<void>()
  let theirCommands: readonly Readonly<Record<string, unknown>>[] = []
  let position = options.after === undefined ? 0 : replayTo
  let isOver = false
  telling.isReplay = options.after === undefined && replayTo > 0

  const notify = (update: unknown) => peer.notify('session/update', { sessionId: id, update })

  function send(update: Update): void {
    if (update.sessionUpdate === 'passed on') return notify(update.update)
    if (update.sessionUpdate !== 'config_option_update') return notify(update)
    notify({ ...update, configOptions: configOptionsOf(telling.settings, options.models) })
  }

  function sendCommands(): void {
    const theirs = new Set(theirCommands.map(({ name }) => name))
    const ours = ownCommands.filter(({ name }) => !theirs.has(name))
    send({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...ours, ...theirCommands],
    })
  }

  async function sendPlan(): Promise<void> {
    if (!telling.planChanged || telling.isReplay) return
    telling.planChanged = false
    const markdown = await engine.readPlan(id).catch(() => undefined)
    send({ sessionUpdate: 'plan', entries: planEntries(markdown ?? '') })
  }

  async function endReplay(): Promise<void> {
    if (!options.isRunning) for (const update of settleTools(telling, GONE)) send(update)
    telling.isReplay = false
    await sendPlan()
    history.resolve()
  }

  function isOwn(event: Event): boolean {
    if (event.type !== 'user.message' || telling.isReplay) return false
    const mine = own.find(
      (each) => each.messageId === undefined && each.prompt === event.data.content,
    )
    if (mine === undefined) return false
    mine.messageId = event.data.messageId ?? event.id
    return true
  }

  async function takeEvent({ event, end }: Extract<FeedItem, { kind: 'event' }>): Promise<void> {
    if (isStranger(event) || !isOwn(event)) {
      for (const update of project(telling, event)) send(update)
    }
    if (!isStranger(event)) {
      if (event.type === 'permission.requested') void ask(event.data)
      if (event.type === 'permission.completed') withdraw(event.data)
    }
    reach(end)
    if (telling.isReplay && end >= replayTo) await endReplay()
    else if (telling.planChanged) await sendPlan()
  }

  function reach(end: number, releaseAll = false): void {
    position = end
    for (const each of waiting) {
      if (each.size > position && !releaseAll) continue
      waiting.delete(each)
      each.resolve()
    }
  }

  async function take(item: FeedItem): Promise<void> {
    if (item.kind === 'event') return takeEvent(item)
    if (item.kind === 'reset') {
      if (telling.isReplay) await endReplay()
      peer.notify('_reprise/session/rewound', {
        sessionId: id,
        upToEventId: item.upToEventId ?? null,
      })
      telling.calls.clear()
      return reach(item.end, true)
    }
    const { notice } = item
    if (notice.type === 'user_input.requested') return void question(notice.data)
    if (notice.type === 'user_input.completed') return asking.get(notice.data.requestId)?.abort()
    if (notice.type === 'commands.changed') {
      const { commands } = notice.data
      theirCommands = Array.isArray(commands) ? commands.filter(isFields) : []
      return sendCommands()
    }
    for (const update of projectNotice(telling, notice)) send(update)
  }

  async function ask(data: Payload<'permission.requested'>): Promise<void> {
    const { requestId, permissionRequest } = data
    if (!asks.waits(permissionRequest.toolCallId)) return
    const controller = new AbortController()
    asking.set(requestId, controller)
    const call = telling.calls.get(permissionRequest.toolCallId ?? '')
    const params = permissionParams(id, data, call, telling.cwd)
    const answer = await peer
      .request('session/request_permission', params, controller.signal)
      .catch(() => undefined)
    if (controller.signal.aborted) return
    const decision =
      answer === undefined ? ({ kind: 'deny', by: 'nobody' } as const) : decisionIn(answer)
    asks.settled(permissionRequest.toolCallId)
    answered(() => engine.answer(id, requestId, decision))
  }

  function withdraw({ requestId, toolCallId }: Payload<'permission.completed'>): void {
    asks.settled(toolCallId)
    asking.get(requestId)?.abort()
    asking.delete(requestId)
  }

  async function question(data: NoticePayload<'user_input.requested'>): Promise<void> {
    const { requestId, toolCallId } = data
    const controller = new AbortController()
    asking.set(requestId, controller)
    const answer = options.canFillForms
      ? await peer
          .request(
            'elicitation/create',
            {
              sessionId: id,
              mode: 'form',
              message: data.question,
              requestedSchema: {
                type: 'object',
                properties: {
                  answer: { type: 'string', title: 'Answer', ...choices(data.choices) },
                },
                required: ['answer'],
              },
              ...(toolCallId !== undefined && { toolCallId }),
            },
            controller.signal,
          )
          .catch(() => undefined)
      : undefined
    asking.delete(requestId)
    if (!controller.signal.aborted)
      answered(() => engine.answerQuestion(id, requestId, textIn(answer)))
  }

  void (async () => {
    const from = options.after === undefined ? {} : { after: options.after }
    try {
      if (!telling.isReplay) history.resolve()
      for await (const item of engine.follow(id, { ...from, signal: ending.signal })) {
        if (ending.signal.aborted) break
        await take(item)
        await peer.ready()
      }
    } catch (error) {
      history.reject(error)
    } finally {
      isOver = true
      reach(position, true)
    }
  })()
  await history.promise

  return {
    id,
    telling,
    get theirCommands() {
      return theirCommands
    },
    send,
    sendCommands,
    expectOwn(prompt) {
      const mine = { prompt, messageId: undefined }
      own.push(mine)
      return { messageId: () => mine.messageId, over: () => void own.splice(own.indexOf(mine), 1) }
    },
    async told(size) {
      if (position >= size || isOver || ending.signal.aborted) return
      await new Promise<void>((resolve) => waiting.add({ size, resolve }))
    },
    stop() {
      ending.abort()
      for (const controller of asking.values()) controller.abort()
      reach(position, true)
    },
  }
}

/** Somebody else may have been quicker. */
function answered(answer: () => void): void {
  try {
    answer()
  } catch {
    // It was answered or taken back meanwhile, and that is all there is to know.
  }
}

const choices = (given: readonly string[] | undefined) =>
  given === undefined || given.length === 0 ? {} : { enum: given }

function textIn(answer: unknown): string | undefined {
  if (!isFields(answer) || answer['action'] !== 'accept' || !isFields(answer['content']))
    return undefined
  const text = answer['content']['answer']
  return typeof text === 'string' ? text : undefined
}
