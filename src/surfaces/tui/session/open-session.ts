/** Which session the terminal shows: made when something is typed, opened, followed, and left for another one. */
import type { SessionId } from '../../../format/ids.ts'
import type { QueueView } from '../../../engine/turn/queue.ts'
import { defined } from '../../../lib/defined.ts'
import { counted } from '../../../lib/quantities.ts'
import type { Message } from '../model/message.ts'
import { isBusy } from '../model/model.ts'
import { complain, say, type SessionContext } from './session-context.ts'
import { followIntoModel } from './follow-into-model.ts'
import { look } from './note-seen.ts'
import { refresh } from './refresh.ts'

/** `turn`: where it is opened, in place of its end. */
export type OpenHow = { readonly isNew?: boolean; readonly turn?: number }

/** The session, made when there is none. */
export async function liveSession(context: SessionContext): Promise<SessionId> {
  // What is typed while a session is being opened is meant for it. That it could not be opened was said already.
  await context.opening?.catch(() => {})
  if (context.id !== undefined) return context.id
  context.making ??= make(context).finally(() => (context.making = undefined))
  return context.making
}

export function openSession(
  context: SessionContext,
  id: SessionId | undefined,
  how: OpenHow = {},
): Promise<void> {
  const opening = change(context, id, how)
  context.opening = opening
  return opening.finally(() => {
    if (context.opening === opening) context.opening = undefined
  })
}

async function change(
  context: SessionContext,
  id: SessionId | undefined,
  how: OpenHow,
): Promise<void> {
  const { engine, tell } = context
  context.following?.stop()
  const unused = context.isSpoken ? undefined : context.id
  context.id = undefined
  context.isSpoken = false
  context.chosen = undefined
  context.sent = { pending: 0 }
  tell({ kind: 'left', to: id })
  if (unused !== undefined) await (await engine.open(unused)).close()
  if (id === undefined) {
    await make(context)
    return
  }
  if (how.isNew !== true) await resume(context, id)
  show(context, id, how)
  if (how.isNew === true) await tellFresh(context, id)
  else await showHeld(context)
  look(context)
  await refresh(context)
  await tellCutShort(context, id)
}

/** Nothing is read of a session that has said nothing: its mode was chosen before. */
async function tellFresh({ engine, cwd, tell }: SessionContext, id: SessionId): Promise<void> {
  const { mode } = await (await engine.open(id)).state()
  const { branch } = await engine.project(cwd)
  tell({ kind: 'facts', facts: { mode, ...defined({ branch }) } })
}

/** Messages that an earlier process left wait for a word of the person. */
async function showHeld(context: SessionContext): Promise<void> {
  const queue = await showQueue(context)
  if (queue?.isHeld !== true || queue.entries.length === 0) return
  const count = counted(queue.entries.length, 'message')
  say(
    context,
    `${count} waited when it was left: /queue release sends, /queue clear drops.`,
    'plain',
  )
}

/** A turn that ended with its process and left nothing behind: its message would stand there as if it were answered. */
async function tellCutShort(context: SessionContext, id: SessionId): Promise<void> {
  const session = await context.engine.open(id)
  const { openTurns, pendingTools, openRequests } = await session.state()
  const isOpen = openTurns.length > 0 && pendingTools.length === 0 && openRequests.length === 0
  if (!isOpen || id !== context.id || isBusy(context.model()) || session.machine !== undefined)
    return
  say(context, 'Reprise ended before this turn did. /retry sends the message again.', 'plain')
}

/** A session works in the project of its log. Started in another directory, the person is asked. */
async function resume(
  { engine, cwd, onOtherProject }: SessionContext,
  id: SessionId,
): Promise<void> {
  const session = await engine.open(id)
  const { state } = await session.resume()
  if (session.machine !== undefined) return
  const { cwd: there = cwd } = state.project
  if (there !== cwd && (await onOtherProject(there))) await session.moveTo(cwd)
}

async function make(context: SessionContext): Promise<SessionId> {
  const { start, cwd, engine, tell, agents, usual } = context
  const { name, model } = start.kind === 'new' ? start : {}
  const { id } = await engine.create({ cwd, ...defined({ name, model }) })
  show(context, id, { isNew: true })
  if (usual !== undefined) {
    await (await engine.open(id)).setAgent(await agents.make(usual))
    context.chosen = usual
  }
  const { branch } = await engine.project(cwd)
  tell({ kind: 'facts', facts: defined({ branch }) })
  await refresh(context)
  return id
}

function show(context: SessionContext, id: SessionId, { isNew = false, turn }: OpenHow): void {
  context.following?.stop()
  context.id = id
  context.isMade = isNew
  context.isSpoken = !isNew
  context.tell({ kind: 'facts', facts: isNew ? {} : { id } })
  context.following = followIntoModel(context.engine, {
    id,
    isNew,
    tell: (message) => hear(context, message),
    onError: (error) => complain(context, error),
    ...defined({ turn }),
  })
}

/** What something that was sent from here begins with. */
const BEGINS: ReadonlySet<string> = new Set(['user.message', 'tool.user_requested'])

/** What the session tells, with what it means for this terminal. */
function hear(context: SessionContext, message: Message): void {
  const { tell } = context
  const item = message.kind === 'fed' ? message.item : undefined
  if (item?.kind === 'event') {
    context.isSpoken = true
    context.eventsTold++
    // Something that was sent from here does not wait any more.
    const isSending = context.sent.pending > context.model().queue.length
    if (isSending && BEGINS.has(item.event.type)) {
      tell({ kind: 'sending' })
      context.sent.begun?.()
    }
  }
  const notice = item?.kind === 'notice' ? item.notice.type : undefined
  if (notice === 'pending_messages.modified') void showQueue(context)
  tell(message)
  if (notice === 'session.idle') {
    tell({ kind: 'settled' })
    look(context)
    void refresh(context)
  }
}

async function showQueue({ engine, id, tell }: SessionContext): Promise<QueueView | undefined> {
  if (id === undefined) return undefined
  // The queue of a process that does not answer now is shown with its next change.
  const queue = await (await engine.open(id)).queue().catch(() => undefined)
  if (queue !== undefined) tell({ kind: 'queue', queue: queue.entries })
  return queue
}
