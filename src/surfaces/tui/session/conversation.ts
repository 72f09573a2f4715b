/** The session on the screen: opened, followed, spoken to. Decides nothing: it asks the engine and tells the screen. */
import type { PermissionDecision } from '../../../engine/agent.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { Message as Outgoing, SendOptions } from '../../../engine/send.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { Pastes } from '../editor/paste.ts'
import type { Model } from '../model/model.ts'
import type { Message } from '../model/update.ts'
import type { TuiOptions } from '../options.ts'
import { attach } from './attach.ts'
import type { Attachment } from './attach.ts'
import { readFacts } from './facts.ts'
import { readPage } from './history.ts'

export type Conversation = {
  /** Undefined until something was said. */
  spokenTo(): SessionId | undefined
  /** The session, made when there is none. */
  live(): Promise<SessionId>
  open(id: SessionId | undefined, isNew?: boolean): Promise<void>
  /** `waitMs`: how long another process that is at work is waited for. */
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

export type ConversationOptions = TuiOptions & {
  readonly model: () => Model
  readonly tell: (message: Message) => void
  readonly pastes: Pastes
  /** The session is busy in another process. */
  readonly onInUse: (text: string, error: EngineError) => Promise<void>
}

export function createConversation(options: ConversationOptions): Conversation {
  const { engine, tell, pastes } = options
  let id: SessionId | undefined
  let making: Promise<SessionId> | undefined
  let isSpoken = false
  let attachment: Attachment | undefined
  /** How many messages of this terminal the session has not answered. */
  let sent = { pending: 0 }
  let isLoading = false

  const complain = (error: unknown) =>
    tell({ kind: 'say', tone: 'bad', text: error instanceof Error ? error.message : String(error) })

  const hear = (message: Message) => {
    if (message.kind === 'fed') {
      const { item } = message
      if (item.kind === 'event') isSpoken = true
      if (item.kind === 'event' && item.event.type === 'user.message' && isSending()) {
        tell({ kind: 'sending' })
      }
      if (item.kind === 'notice' && item.notice.type === 'pending_messages.modified') showQueue()
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
  const isSending = () => id !== undefined && sent.pending > engine.queue(id).length

  const showQueue = () => {
    if (id !== undefined) tell({ kind: 'queue', queue: engine.queue(id) })
  }

  async function refresh(): Promise<void> {
    const wanted = id
    if (wanted === undefined || !isSpoken) return
    const facts = await readFacts(engine, wanted).catch(() => undefined)
    if (facts !== undefined && wanted === id) tell({ kind: 'facts', facts })
  }

  function follow(wanted: SessionId, isNew: boolean): void {
    attachment?.stop()
    id = wanted
    isSpoken = !isNew
    tell({ kind: 'facts', facts: isNew ? {} : { id: wanted } })
    attachment = attach(engine, { id: wanted, isNew, tell: hear, onError: complain })
  }

  async function make(): Promise<SessionId> {
    const { start, cwd } = options
    const wishes = start.kind === 'new' ? start : undefined
    const made = await engine.create({
      cwd,
      ...(wishes?.name !== undefined && { name: wishes.name }),
      ...(wishes?.model !== undefined && { model: wishes.model }),
    })
    follow(made, true)
    const { branch } = await engine.project(cwd)
    tell({ kind: 'facts', facts: { ...(branch !== undefined && { branch }) } })
    return made
  }

  const live = async (): Promise<SessionId> => {
    if (id !== undefined) return id
    making ??= make().finally(() => (making = undefined))
    return making
  }

  async function open(wanted: SessionId | undefined, isNew = false): Promise<void> {
    attachment?.stop()
    const unused = isSpoken ? undefined : id
    id = undefined
    isSpoken = false
    sent = { pending: 0 }
    tell({ kind: 'left' })
    if (unused !== undefined) await engine.close(unused)
    if (wanted === undefined) {
      await live()
      return
    }
    if (!isNew) await engine.resume(wanted, { cwd: options.cwd })
    follow(wanted, isNew)
    await refresh()
  }

  async function send(text: string, how: SendOptions): Promise<void> {
    try {
      const wanted = await live()
      const message = await pastes.attach(engine, wanted, text)
      await deliver(wanted, message, how)
    } catch (error) {
      if (error instanceof EngineError && error.code === 'in_use')
        await options.onInUse(text, error)
      else complain(error)
    }
  }

  async function deliver(wanted: SessionId, message: Outgoing, how: SendOptions): Promise<void> {
    const counted = sent
    counted.pending++
    // Whoever waits for another process does not have the turn yet.
    if (how.waitMs === undefined && !options.model().turn.mine) tell({ kind: 'sending' })
    try {
      const { status, error } = await engine.send(wanted, message, how)
      if (status === 'failed' && error !== undefined) complain(error)
    } catch (error) {
      tell({ kind: 'settled' })
      throw error
    } finally {
      counted.pending--
    }
  }

  /** What was asked may be settled while the person is thinking. */
  const unlessWithdrawn = (requestId: string, deed: (wanted: SessionId) => void) => {
    tell({ kind: 'answered', requestId })
    try {
      if (id !== undefined) deed(id)
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'not_found')) complain(error)
    }
  }

  return {
    spokenTo: () => (isSpoken ? id : undefined),
    live,
    open,
    send,
    cancel() {
      if (id !== undefined && engine.cancel(id)) tell({ kind: 'cancelling' })
    },
    answer: (requestId, kind) =>
      unlessWithdrawn(requestId, (wanted) =>
        engine.answer(wanted, requestId, { kind, by: 'person' }),
      ),
    answerQuestion: (requestId, answer) =>
      unlessWithdrawn(requestId, (wanted) => engine.answerQuestion(wanted, requestId, answer)),
    takeBack() {
      const last = options.model().queue.at(-1)
      if (last === undefined || id === undefined) return undefined
      engine.removeQueued(id, last.id)
      return last.prompt
    },
    resumeQueue() {
      if (id !== undefined && options.model().queue.length > 0) engine.resumeQueue(id)
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
    stop: () => attachment?.stop(),
  }
}
