/** A message of this terminal to its session: sent, queued, said in the turn that runs; behind a `!`, run as a command. */
import { EngineError } from '../../../engine/errors.ts'
import type { Message } from '../../../engine/turn/message.ts'
import type { SendOptions } from '../../../engine/turn/send.ts'
import type { SessionId } from '../../../format/ids.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { Stages } from '../commands/in-order.ts'
import { complain, say, type SessionContext } from './session-context.ts'
import { liveSession, openSession } from './open-session.ts'
import { refresh } from './refresh.ts'

/** How long a command that a person runs may take; a cancel stops it before that. */
const LONGEST_COMMAND_S = 60 * 60

/** The stages are told here as far as it comes; one that waits for another process, or cannot be sent, is taken. */
export type SendHow = SendOptions & Partial<Stages>

/** Resolves when it was answered. `waitMs`: how long another process that is at work is waited for. */
export async function send(
  context: SessionContext,
  text: string,
  { handed = () => {}, taken = () => {}, ...how }: SendHow,
): Promise<void> {
  try {
    const id = await liveSession(context)
    // What is said next is said at the end: it is shown again.
    if (context.model().window.isDetached) context.following?.reload()
    const stages = { handed, taken }
    if (text.startsWith('!'))
      return await runCommand(context, id, text.slice(1).trim(), how, stages)
    const message = await context.pastes.attach(context.engine, id, text)
    const hand = async () => {
      const sent = (await context.engine.open(id)).send(message, how)
      handed()
      return sent
    }
    // The process that is at work takes it; what becomes of it is told by the feed.
    if (how.waitMs === undefined && context.model().turn.theirs) {
      const sent = await hand()
      if (sent.how === 'queued')
        say(context, 'The other terminal sends it when its turn has ended.', 'faint')
      return
    }
    const { status, error, isUnsent } = await occupied(context, how, async () => {
      const { ended } = await hand()
      context.isSpoken = true
      taken()
      return ended
    })
    if (isUnsent === true && isAllThereIs(context, message))
      return await leaveNothing(context, id, text, error ?? '')
    if (status === 'failed' && error !== undefined && !isTold(context, error))
      complain(context, error)
  } catch (error) {
    handed()
    taken()
    if (error instanceof EngineError && error.code === 'in_use') await context.onInUse(text, error)
    else complain(context, error)
  }
}

/** Nothing stands in a session that was made here but this message, and nothing was attached to it. */
const isAllThereIs = (
  { model, isMade, chosen, usual }: SessionContext,
  message: Message,
): boolean =>
  isMade &&
  chosen === usual &&
  message.attachments === undefined &&
  model().queue.length === 0 &&
  model().window.items.filter(({ entry }) => entry.kind === 'user').length === 1

/** Nobody could be asked: the session goes, and the message comes back. */
async function leaveNothing(
  context: SessionContext,
  id: SessionId,
  text: string,
  error: string,
): Promise<void> {
  await openSession(context, undefined)
  await context.engine.remove([id], { now: true })
  complain(context, error)
  context.giveBack(text)
}

/** What the log tells of a turn that failed is not said a second time. */
const isTold = (context: SessionContext, error: unknown): boolean =>
  context
    .model()
    .window.items.slice(-5)
    .some(({ entry }) => entry.kind === 'error' && entry.text.includes(errorText(error)))

async function runCommand(
  context: SessionContext,
  id: SessionId,
  command: string,
  { whenBusy: _whenBusy, ...writer }: SendOptions,
  { handed, taken }: Stages,
): Promise<void> {
  if (command === '') return say(context, '! runs a command: !ls', 'faint')
  if (context.model().turn.mine) {
    say(context, `${command} is run when the turn has ended.`, 'faint')
    taken()
  }
  context.sent.begun = taken
  const wanted = { toolName: 'bash', arguments: { command, timeout: LONGEST_COMMAND_S } }
  const { status } = await occupied(context, writer, async () => {
    const ran = (await context.engine.open(id)).runTool(wanted, { ...writer, whenBusy: 'wait' })
    handed()
    return ran
  })
  if (status === 'withdrawn')
    say(context, `${command} was not run: the turn was cancelled.`, 'faint')
}

/** Counts what is sent for as long as it is not answered. */
async function occupied<T>(
  context: SessionContext,
  { waitMs }: SendOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { sent, tell } = context
  sent.pending++
  // While another process is waited for, the turn is not ours yet.
  if (waitMs === undefined && !context.model().turn.mine) tell({ kind: 'sending' })
  try {
    return await work()
  } catch (error) {
    tell({ kind: 'settled' })
    void refresh(context)
    throw error
  } finally {
    sent.pending--
  }
}
