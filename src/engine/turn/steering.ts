/**
 * Messages for the turn that runs. Each is durable at once and given to the agent once. An answer that was begun
 * before one of them came names it, so that the log tells of every answer what it was given.
 */
import type { Draft, Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { answering } from './resolve-agent.ts'
import { promptHook } from './hooks.ts'
import { alongWith } from './mentions.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { Message, RunningTurn, Steering, TurnOutcome } from './message.ts'

/** Undefined when the turn was over before the message could reach it: nothing was recorded. */
export async function steer(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  message: Message,
): Promise<TurnOutcome | undefined> {
  const { prompt: given, displayPrompt, messageId = engine.newId() } = message
  const { turnId } = running
  const { promise: recorded, resolve } = deferred<void>()
  const steering: Steering = { messageId, recorded }
  session.work.steering.push(steering)
  try {
    // In the order in which they came: that is the order in which the agent is given them.
    return await inTurn(running, async () => {
      await running.begun.promise
      if (session.work.state !== 'taking') return undefined
      const hooked = await promptHook(engine, session, given, running.abort.signal)
      const { prompt } = hooked
      const agent = await answering(engine, session)
      const along = await alongWith(engine, session, agent, { ...message, prompt })
      const notes = [...along.notes, ...hooked.notes]
      const said: Payload<'user.message'> = {
        content: displayPrompt ?? prompt,
        messageId,
        delivery: 'steering',
        turnId,
        ...((notes.length > 0 || displayPrompt !== undefined) && {
          transformedContent: [prompt, ...notes].join('\n\n'),
        }),
        ...saidBy({ ...message, attachments: [...along.attachments] }),
      }
      const [record] = await commit(engine, session, [{ type: 'user.message', data: said }])
      steering.message = said
      if (record !== undefined) steering.eventId = record.event.id
      return { status: 'steered', turnId }
    })
  } finally {
    if (steering.message === undefined)
      session.work.steering = session.work.steering.filter((each) => each !== steering)
    resolve()
  }
}

/** What a message has besides its text. */
export const saidBy = ({
  attachments,
  source,
  actor,
  mode: agentMode,
}: Message): Pick<Payload<'user.message'>, 'attachments' | 'source' | 'agentMode' | 'reprise'> => ({
  ...(attachments?.length && { attachments }),
  ...defined({ source, agentMode }),
  ...(actor !== undefined && { reprise: { actor } }),
})

/** What came since the last time and is in the log. */
export function takeSteering(session: LiveSession): Payload<'user.message'>[] {
  const taken: Payload<'user.message'>[] = []
  for (
    let [first] = session.work.steering;
    first?.message !== undefined;
    [first] = session.work.steering
  ) {
    taken.push(first.message)
    session.work.steering.shift()
  }
  return taken
}

/** Undefined when none is on its way into the log. */
export function comingSteering({ work: { steering } }: LiveSession): Promise<unknown> | undefined {
  const coming = steering.filter(({ message }) => message === undefined)
  return coming.length === 0 ? undefined : Promise.all(coming.map(({ recorded }) => recorded))
}

export type Late = { readonly message: Payload<'user.message'>; readonly eventId: EventId }

/** What the agent did not take before it ended, as one message. */
export function takeLate(session: LiveSession): Late | undefined {
  const { eventId } = session.work.steering[0] ?? {}
  const late = takeSteering(session)
  const [message] = late
  if (message === undefined || eventId === undefined) return undefined
  const attachments = late.flatMap((each) => each.attachments ?? [])
  return {
    eventId,
    message: {
      ...message,
      content: late.map((each) => each.transformedContent ?? each.content).join('\n\n'),
      ...(attachments.length > 0 && { attachments }),
    },
  }
}

/** Given right before the append, when nothing can come in between any more. */
export function namingUnheard(session: LiveSession, drafts: readonly Draft[]): readonly Draft[] {
  if (session.work.steering.length === 0) return drafts
  const unheard = session.work.steering.map(({ messageId }) => messageId)
  return drafts.map((draft) =>
    draft.type === 'assistant.message'
      ? { ...draft, data: { ...draft.data, reprise: { unheard } } }
      : draft,
  )
}
