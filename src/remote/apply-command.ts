/**
 * One command from afar, done through the session's handle as a person here would do it. The machine decides what may
 * be done: nothing from afar allows more than once, and no wider mode is set, unless this machine's own configuration
 * says so. The answer names the event that shows what was done.
 */
import { z } from 'zod'
import type { Actor } from '../format/blobs.ts'
import { asEventId } from '../format/ids.ts'
import type { Session } from '../engine/session.ts'
import type { Message } from '../engine/turn/message.ts'
import { defined } from '../lib/defined.ts'
import type { RemoteCommand } from './server.ts'

export type Allowance = {
  /** "Always" and wider modes may be given from afar. */
  readonly mayWiden: boolean
}

/** A command that is not done, in words for the person who sent it. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

const text = z.string()
const said = z.union([
  z.object({ content: text.optional(), prompt: text.optional() }),
  text.transform((content) => ({ content, prompt: undefined })),
])
const decision = z
  .object({
    promptId: text,
    decision: z.enum(['allow', 'allow-for-session', 'deny']).optional(),
    approved: z.boolean().optional(),
    feedback: text.optional(),
  })
  .transform(({ promptId, approved, feedback, ...given }) => ({
    promptId,
    feedback,
    kind: given.decision ?? (approved === true ? ('allow' as const) : ('deny' as const)),
  }))
const answered = z.object({ promptId: text, answer: text.nullable() })
const mode = z.object({ mode: z.enum(['interactive', 'plan', 'autopilot']) })
const rewindMode = z.enum(['conversation', 'conversation-and-files']).optional()
const operation = z.discriminatedUnion('name', [
  z.object({ name: z.literal('undo'), turns: z.int().min(1).optional(), mode: rewindMode }),
  z.object({ name: z.literal('rewind'), eventId: text, mode: rewindMode }),
  z.object({ name: z.literal('redo') }),
  z.object({ name: z.literal('fork'), title: text.optional() }),
  z.object({ name: z.literal('compact'), instructions: text.optional() }),
  z.object({ name: z.literal('rename'), title: text }),
  z.object({ name: z.literal('model'), model: text, reasoningEffort: text.optional() }),
  z.object({ name: z.literal('queue-release') }),
  z.object({ name: z.literal('queue-clear') }),
])

type Doing = {
  readonly session: Session
  readonly command: RemoteCommand
  readonly actor: Actor
  readonly allowance: Allowance
}
type Act = (doing: Doing) => Promise<void>

const send =
  (whenBusy: 'enqueue' | 'steer'): Act =>
  async ({ session, command, actor }) => {
    const { content, prompt } = read(said, command)
    const message: Message = {
      prompt: content ?? prompt ?? '',
      source: sourceOf(command.id),
      actor,
    }
    await session.send(message, { whenBusy })
  }

const ACTS: Readonly<Record<string, Act>> = {
  user_message: send('enqueue'),
  queue: send('enqueue'),
  steer: send('steer'),
  async abort({ session }) {
    if (!(await session.cancel({ reason: 'remote_command' })))
      throw new CommandRefused('Nothing runs in this session.')
  },
  async permission_response({ session, command, allowance }) {
    const { promptId, kind, feedback } = read(decision, command)
    if (kind === 'allow-for-session' && !allowance.mayWiden)
      throw new CommandRefused('This machine lets nobody allow more than once from afar.')
    await session.answer(promptId, { kind, ...defined({ feedback }) })
  },
  async ask_user_response({ session, command }) {
    const { promptId, answer } = read(answered, command)
    await session.answerQuestion(promptId, answer ?? undefined)
  },
  async mode_switch({ session, command, allowance }) {
    const { mode: wanted } = read(mode, command)
    if (wanted === 'autopilot' && !allowance.mayWiden)
      throw new CommandRefused('This machine lets nobody switch to autopilot from afar.')
    await session.setMode(wanted)
  },
  operation: ({ session, command }) => operate(session, read(operation, command)),
}

async function operate(session: Session, wish: z.output<typeof operation>): Promise<void> {
  switch (wish.name) {
    case 'undo':
      return void (await session.undo(defined({ turns: wish.turns, mode: wish.mode })))
    case 'rewind':
      return void (await session.rewind(asEventId(wish.eventId), defined({ mode: wish.mode })))
    case 'redo':
      return void (await session.redo())
    case 'fork':
      return void (await session.fork(defined({ name: wish.title })))
    case 'compact':
      return void (await session.compact(defined({ instructions: wish.instructions })))
    case 'rename':
      return void (await session.rename(wish.title))
    case 'model':
      return session.setModel({
        model: wish.model,
        ...defined({ reasoningEffort: wish.reasoningEffort }),
      })
    case 'queue-release':
      return void (await session.changeQueue({ kind: 'release' }))
    case 'queue-clear':
      return void (await session.changeQueue({ kind: 'clear' }))
  }
}

/** By this the server knows the event that shows the command. */
export const sourceOf = (commandId: string): string => `command-${commandId}`

/** The id of the last event after it was done: by then the log shows it. */
export async function applyCommand(doing: Doing): Promise<string> {
  const act = ACTS[doing.command.kind]
  if (act === undefined)
    throw new CommandRefused(`This machine does not know how to do "${doing.command.kind}".`)
  await act(doing)
  const { events } = await doing.session.events({ direction: 'backward', limit: 1 })
  return events[0]?.id ?? ''
}

/** The content is JSON, or for messages plain text. */
function read<T>(schema: z.ZodType<T>, { content, kind }: RemoteCommand): T {
  const parsed = schema.safeParse(valueOf(content))
  if (parsed.success) return parsed.data
  throw new CommandRefused(`The content of "${kind}" is not as this machine understands it.`)
}

function valueOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    // Plain text.
    return content
  }
}
