/** The session on the screen: opened, followed, spoken to. Decides nothing: it asks the engine and tells the screen. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { PermissionDecision } from '../../../engine/agent.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { SendOptions } from '../../../engine/turn/send.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { QueueChange } from '../../../format/inbox.ts'
import { defined } from '../../../lib/defined.ts'
import { permissionAsk, questionAsk } from '../../../state/asks.ts'
import type { Pastes } from '../editor/paste.ts'
import type { Model } from '../model/model.ts'
import type { Message } from '../model/update.ts'
import type { Tone } from '../model/window.ts'
import type { TuiOptions } from '../options.ts'
import { errorText } from '../../../lib/error-text.ts'
import { attach } from './attach.ts'
import type { Attachment } from './attach.ts'
import { isAtWorkElsewhere, readFacts } from './facts.ts'
import { readPage } from './history.ts'
import { lookNowAndThen } from './look-now-and-then.ts'

export type Conversation = {
  /** Undefined until something was said. */
  spokenTo(): SessionId | undefined
  /** The session, made when there is none. */
  live(): Promise<SessionId>
  /** `turn`: where it is opened, in place of its end. */
  open(id: SessionId | undefined, how?: OpenHow): Promise<void>
  /** What begins with `!` is run as a command. `waitMs`: how long another process that is at work is waited for. */
  send(text: string, how: SendOptions): Promise<void>
  cancel(): void
  answer(requestId: string, kind: PermissionDecision['kind']): void
  answerQuestion(requestId: string, answer: string): void
  takeBack(): string | undefined
  resumeQueue(): void
  loadOlder(): Promise<void>
  reload(): void
  refresh(): Promise<void>
  stop(): void
}

export type OpenHow = { readonly isNew?: boolean; readonly turn?: number }

export type ConversationOptions = TuiOptions & {
  readonly model: () => Model
  readonly tell: (message: Message) => void
  readonly pastes: Pastes
  /** The session is busy in another process. */
  readonly onInUse: (text: string, error: EngineError) => Promise<void>
}

/** Of a command that a person runs; escape stops it before that. */
const LONGEST_COMMAND_S = 60 * 60

/** What something that was sent from here begins with. */
const BEGINS: ReadonlySet<string> = new Set(['user.message', 'tool.user_requested'])

export const commandIn = (text: string): string | undefined =>
  text.startsWith('!') ? text.slice(1).trim() : undefined

export function createConversation(options: ConversationOptions): Conversation {
  const { engine, tell, pastes } = options
  let id: SessionId | undefined
  let making: Promise<SessionId> | undefined
  let opening: Promise<void> | undefined
  let isSpoken = false
  let attachment: Attachment | undefined
  /** How many messages of this terminal the session has not answered. */
  let sent = { pending: 0 }
  let isLoading = false
  /** How many events the screen was told of. */
  let heard = 0

  const say = (text: string, tone: Tone) => tell({ kind: 'say', tone, text })
  const complain = (error: unknown) => say(errorText(error), 'bad')

  const hear = (message: Message) => {
    if (message.kind === 'fed') {
      const { item } = message
      if (item.kind === 'event') {
        isSpoken = true
        heard++
      }
      if (item.kind === 'event' && BEGINS.has(item.event.type) && isSending()) {
        tell({ kind: 'sending' })
      }
      if (item.kind === 'notice' && item.notice.type === 'pending_messages.modified')
        void showQueue().catch(complain)
      tell(message)
      if (item.kind === 'notice' && item.notice.type === 'session.idle') {
        tell({ kind: 'settled' })
        void refresh()
      }
      return
    }
    tell(message)
  }

  /** Of what was sent from here, something does not wait any more. */
  const isSending = () => id !== undefined && sent.pending > options.model().queue.length

  const showQueue = async () => {
    if (id === undefined) return
    const { entries } = await (await engine.open(id)).queue()
    tell({ kind: 'queue', queue: entries })
  }

  async function refresh(): Promise<void> {
    const wanted = id
    if (wanted === undefined || !isSpoken) return
    const facts = await upToDate(wanted, () => readFacts(engine, wanted)).catch(() => undefined)
    if (facts === undefined) return
    tell({ kind: 'facts', facts })
    if (facts.isElsewhere === true) await showAsked(wanted).catch(() => {})
  }

  /** Asks until nothing was told meanwhile: nobody would correct an answer that is older than what is shown. */
  async function upToDate<T>(wanted: SessionId, ask: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      const before = heard
      const answer = await ask()
      // What the asking itself found in the log is told first.
      await nextRound()
      if (wanted !== id) return undefined
      if (before === heard) return answer
    }
  }

  const looking = lookNowAndThen({
    isWanted: () => options.model().turn.theirs && !options.model().turn.mine,
    async look() {
      const wanted = id
      if (wanted === undefined) return
      const isElsewhere = await upToDate(wanted, () => isAtWorkElsewhere(engine, wanted))
      if (isElsewhere !== undefined) tell({ kind: 'facts', facts: { isElsewhere } })
    },
  })

  function follow(wanted: SessionId, { isNew = false, turn }: OpenHow): void {
    attachment?.stop()
    id = wanted
    isSpoken = !isNew
    tell({ kind: 'facts', facts: isNew ? {} : { id: wanted } })
    attachment = attach(engine, {
      id: wanted,
      isNew,
      tell: hear,
      onError: complain,
      ...defined({ turn }),
    })
  }

  async function make(): Promise<SessionId> {
    const { start, cwd } = options
    const wishes = start.kind === 'new' ? start : undefined
    const { id: made } = await engine.create({
      cwd,
      ...(wishes?.name !== undefined && { name: wishes.name }),
      ...(wishes?.model !== undefined && { model: wishes.model }),
    })
    follow(made, { isNew: true })
    const { branch } = await engine.project(cwd)
    tell({ kind: 'facts', facts: { ...defined({ branch }) } })
    return made
  }

  const live = async (): Promise<SessionId> => {
    // What is typed while a session is being opened is meant for it.
    await opening?.catch(() => {})
    if (id !== undefined) return id
    making ??= make().finally(() => (making = undefined))
    return making
  }

  const open = (wanted: SessionId | undefined, how: OpenHow = {}): Promise<void> => {
    const now = change(wanted, how)
    opening = now
    return now.finally(() => {
      if (opening === now) opening = undefined
    })
  }

  async function change(wanted: SessionId | undefined, how: OpenHow): Promise<void> {
    attachment?.stop()
    const unused = isSpoken ? undefined : id
    id = undefined
    isSpoken = false
    sent = { pending: 0 }
    tell({ kind: 'left' })
    if (unused !== undefined) await (await engine.open(unused)).close()
    if (wanted === undefined) {
      await make()
      return
    }
    if (how.isNew !== true) await (await engine.open(wanted)).resume({ cwd: options.cwd })
    follow(wanted, how)
    await refresh()
  }

  async function send(text: string, how: SendOptions): Promise<void> {
    try {
      const wanted = await live()
      const command = commandIn(text)
      if (command !== undefined) return await run(wanted, command, how)
      if (how.whenBusy === 'steer' && options.model().turn.theirs) return await join(wanted, text)
      const message = await pastes.attach(engine, wanted, text)
      const { status, error } = await occupied(how, async () => {
        const taken = await (await engine.open(wanted)).send(message, how)
        return taken.ended
      })
      if (status === 'failed' && error !== undefined) complain(error)
    } catch (error) {
      if (error instanceof EngineError && error.code === 'in_use')
        await options.onInUse(text, error)
      else complain(error)
    }
  }

  async function run(wanted: SessionId, command: string, how: SendOptions): Promise<void> {
    if (command === '') return say('! runs a command: !ls', 'faint')
    if (options.model().turn.mine) say(`${command} is run when the turn has ended.`, 'faint')
    const { whenBusy: _refuse, ...writer } = how
    const { status } = await occupied(how, async () =>
      (await engine.open(wanted)).runTool(
        { toolName: 'bash', arguments: { command, timeout: LONGEST_COMMAND_S } },
        { ...writer, whenBusy: 'wait' },
      ),
    )
    if (status === 'withdrawn') say(`${command} was not run: the turn was cancelled.`, 'faint')
  }

  async function occupied<T>(how: SendOptions, work: () => Promise<T>): Promise<T> {
    const counted = sent
    counted.pending++
    // Whoever waits for another process does not have the turn yet.
    if (how.waitMs === undefined && !options.model().turn.mine) tell({ kind: 'sending' })
    try {
      return await work()
    } catch (error) {
      tell({ kind: 'settled' })
      void refresh()
      throw error
    } finally {
      counted.pending--
    }
  }

  /** What was asked may be settled while the person is thinking. */
  const unlessWithdrawn = (requestId: string, deed: (wanted: SessionId) => Promise<void>) => {
    tell({ kind: 'answered', requestId })
    if (id === undefined) return
    deed(id).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'not_found') return
      complain(error)
      void refresh()
    })
  }

  /** Of the turn of another process: what it waits for is answered there, with the word from here. */
  async function showAsked(wanted: SessionId): Promise<void> {
    const { at, requests, questions } = await (await engine.open(wanted)).pending()
    if (wanted !== id || at !== 'next-door') return
    tell({
      kind: 'asked',
      asks: [
        ...requests.flatMap((event) =>
          event.type === 'permission.requested' ? [permissionAsk(event.data, true)] : [],
        ),
        ...questions.map(questionAsk),
      ],
    })
  }

  async function changeQueue(change: QueueChange): Promise<void> {
    if (id === undefined) return
    await (await engine.open(id)).changeQueue(change).catch(complain)
  }

  async function join(wanted: SessionId, text: string): Promise<void> {
    const message = await pastes.attach(engine, wanted, text)
    const { how } = await (await engine.open(wanted)).send(message, { whenBusy: 'steer' })
    if (how === 'queued') say('The other one sends it when its turn has ended.', 'faint')
  }

  return {
    spokenTo: () => (isSpoken ? id : undefined),
    live,
    open,
    send,
    cancel() {
      const wanted = id
      const { mine, theirs } = options.model().turn
      if (wanted === undefined || (!mine && !theirs)) return
      tell({ kind: 'cancelling' })
      void (async () => (await engine.open(wanted)).cancel())().catch((error: unknown) => {
        tell({ kind: 'settled' })
        complain(error)
        void refresh()
      })
    },
    answer: (requestId, kind) =>
      unlessWithdrawn(requestId, async (wanted) =>
        (await engine.open(wanted)).answer(requestId, { kind }),
      ),
    answerQuestion: (requestId, answer) =>
      unlessWithdrawn(requestId, async (wanted) =>
        (await engine.open(wanted)).answerQuestion(requestId, answer),
      ),
    takeBack() {
      const last = options.model().queue.at(-1)
      if (last === undefined || id === undefined) return undefined
      void changeQueue({ kind: 'remove', messageId: last.id })
      return last.prompt
    },
    resumeQueue() {
      if (options.model().queue.length > 0) void changeQueue({ kind: 'release' })
    },
    async loadOlder() {
      const { olderThan } = options.model().window
      const wanted = id
      if (olderThan === undefined || wanted === undefined || isLoading) return
      isLoading = true
      try {
        const page = await readPage(engine, wanted, olderThan)
        if (wanted === id) tell({ kind: 'older', entries: page.entries, olderThan: page.olderThan })
      } catch (error) {
        complain(error)
      } finally {
        isLoading = false
      }
    },
    reload: () => attachment?.reload(),
    refresh,
    stop() {
      looking[Symbol.dispose]()
      attachment?.stop()
    },
  }
}
