/** What can be done with the session of this terminal. Decides nothing: it asks the engine and tells the model. */
import type { PermissionDecision } from '../../../engine/agent.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { QueueChange } from '../../../format/inbox.ts'
import { isBusy } from '../model/model.ts'
import { answerPermission, answerQuestion, cancelTurn } from './answer.ts'
import {
  complain,
  createContext,
  type SessionContext,
  type SessionOptions,
} from './session-context.ts'
import { readPage } from './history.ts'
import { liveSession, openSession, type OpenHow } from './open-session.ts'
import { look } from './note-seen.ts'
import { answererOf, refresh, watchOtherProcess, watchRemote } from './refresh.ts'
import { send, type SendHow } from './send.ts'

const MOST_PICTURE_BYTES = 4 * 1024 * 1024

export type Conversation = ReturnType<typeof createConversation>

export function createConversation(options: SessionOptions) {
  const context = createContext(options)
  const watching = [watchOtherProcess(context), watchRemote(context)]
  return {
    /** Undefined until something was said. */
    spokenTo: () => (context.isSpoken ? context.id : undefined),
    live: () => liveSession(context),
    open: (id: SessionId | undefined, how?: OpenHow) => openSession(context, id, how),
    send: (text: string, how: SendHow) => send(context, text, how),
    beginning: (work: () => Promise<void>) => beginning(context, work),
    cancel: () => cancelTurn(context),
    answer: (
      requestId: string,
      decision: Pick<PermissionDecision, 'kind' | 'feedback' | 'option'>,
    ) => answerPermission(context, requestId, decision),
    answerQuestion: (requestId: string, answer: string | undefined) =>
      answerQuestion(context, requestId, answer),
    /** Another agent was chosen for this session. */
    chose(name: string, how?: { readonly inAll: true }) {
      context.chosen = name
      if (how?.inAll === true) context.usual = name
      return refresh(context)
    },
    takeBack: () => takeBack(context),
    resumeQueue() {
      if (context.model().queue.length > 0) changeQueue(context, { kind: 'release' })
    },
    loadOlder: () => loadOlder(context),
    /** Reads the end again, after the reader left it. */
    reload: () => context.following?.reload(),
    refresh: () => refresh(context),
    /** Of the session on the screen; undefined when it is gone. */
    async readBlob(sha256: string): Promise<Uint8Array | undefined> {
      const { engine, id } = context
      return id && (await engine.open(id)).readBlob(sha256, { mostBytes: MOST_PICTURE_BYTES })
    },
    answerer: () => answererOf(context),
    /** A person is back. */
    look: () => look(context),
    stop() {
      for (const each of watching) each[Symbol.dispose]()
      context.following?.stop()
    },
  }
}

/** Does what may begin a turn; one that it begins is of this terminal. */
async function beginning(context: SessionContext, work: () => Promise<void>): Promise<void> {
  if (isBusy(context.model())) return work()
  const { engine, id, sent, tell } = context
  sent.pending++
  await work().finally(() => sent.pending--)
  const session = id && (await engine.open(id))
  const isRunning = session?.machine === undefined && session?.now?.isRunning === true
  if (isRunning && id === context.id) tell({ kind: 'sending' })
}

/** Takes the last message that waits out of the queue. */
function takeBack(context: SessionContext): string | undefined {
  const last = context.model().queue.at(-1)
  if (last !== undefined) changeQueue(context, { kind: 'remove', messageId: last.id })
  return last?.prompt
}

function changeQueue(context: SessionContext, change: QueueChange): void {
  const { engine, id } = context
  if (id === undefined) return
  const changed = async () => (await engine.open(id)).changeQueue(change)
  changed().catch((error: unknown) => complain(context, error))
}

async function loadOlder(context: SessionContext): Promise<void> {
  const { engine, tell, id } = context
  const { olderThan } = context.model().window
  if (olderThan === undefined || id === undefined || context.isLoadingOlder) return
  context.isLoadingOlder = true
  try {
    const page = await readPage(engine, id, olderThan)
    if (id === context.id) tell({ kind: 'older', entries: page.entries, olderThan: page.olderThan })
  } catch (error) {
    complain(context, error)
  } finally {
    context.isLoadingOlder = false
  }
}
