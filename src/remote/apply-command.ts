/**
 * One command from afar, done through the session's handle as a person here would do it. The machine decides what may
 * be done: nothing from afar allows more than once, and no wider mode is set, unless this machine's own configuration
 * says so. The answer names the event that shows what was done, and has what the handle answered.
 */
import { z } from 'zod'
import type { Actor } from '../format/blobs.ts'
import { Attachment } from '../format/events/attachment.ts'
import {
  operationCalled,
  readParams,
  rowOf,
  type OperationName,
} from '../engine/operations/table.ts'
import type { Session } from '../engine/session.ts'
import type { Message } from '../engine/turn/message.ts'
import { defined } from '../lib/defined.ts'
import { planActions, planAnswer } from '../state/plan-approval.ts'
import type { RemoteCommand } from './control-client.ts'

export type Allowance = {
  /** "Always" and wider modes may be given from afar. */
  readonly mayWiden: boolean
}

/** A command that is not done, in words for the person who sent it; `code` for programs. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
  readonly code: string
  constructor(message: string, code = 'invalid') {
    super(message)
    this.code = code
  }
}

const text = z.string()
const Said = z.object({
  content: text.optional(),
  prompt: text.optional(),
  messageId: text.min(1).max(200).optional(),
  displayPrompt: text.optional(),
  attachments: z.array(Attachment).optional(),
  whenBusy: z.enum(['refuse', 'enqueue', 'steer']).optional(),
})
type Said = z.output<typeof Said>
const said = z.union([Said, text.transform((content): Said => ({ content }))])
const Stop = z.object({ queue: z.enum(['hold', 'clear', 'go-on']).optional() })
const stop = z.union([Stop, text.transform((): z.output<typeof Stop> => ({}))])
const mode = z.object({ mode: z.enum(['interactive', 'plan', 'autopilot']) })
const decision = z
  .object({
    promptId: text,
    decision: z.enum(['allow', 'allow-for-session', 'deny']).optional(),
    approved: z.boolean().optional(),
    feedback: text.optional(),
    option: text.optional(),
  })
  .transform(({ promptId: requestId, approved, decision: kind, feedback, option }) => ({
    requestId,
    feedback,
    option,
    kind: kind ?? (approved === true ? ('allow' as const) : ('deny' as const)),
  }))
const answered = z
  .object({ promptId: text, answer: text.nullable() })
  .transform(({ promptId: requestId, answer }) => ({ requestId, answer: answer ?? undefined }))
const approval = z
  .object({
    promptId: text,
    approved: z.boolean(),
    selectedAction: z.enum(planActions).optional(),
    feedback: text.optional(),
  })
  .transform(({ promptId: requestId, ...said }) => ({ requestId, answer: planAnswer(said) }))
/** Parameters stand beside the name, or below it where one of them is called so. */
const operation = z.looseObject({ name: text, params: z.looseObject({}).optional() })

type Doing = {
  readonly session: Session
  readonly command: RemoteCommand
  readonly actor: Actor
  readonly allowance: Allowance
}
type Act = (doing: Doing) => Promise<unknown>

const send =
  (usual: 'enqueue' | 'steer'): Act =>
  async ({ session, command, actor }) => {
    const { content, prompt, whenBusy = usual, ...rest } = read(said, command)
    const message: Message = {
      ...defined(rest),
      prompt: content ?? prompt ?? '',
      source: sourceOf(command.id),
      actor,
    }
    const { messageId, how } = await session.send(message, { whenBusy })
    return { messageId, how }
  }

const ACTS: Readonly<Record<string, Act>> = {
  user_message: send('enqueue'),
  queue: send('enqueue'),
  steer: send('steer'),
  async abort(doing) {
    const { queue } = read(stop, doing.command)
    if (!(await doing.session.cancel({ reason: 'remote_command', queue })))
      throw new CommandRefused('Nothing runs in this session.', 'idle')
  },
  permission_response: (doing) => perform(doing, 'answer', read(decision, doing.command)),
  ask_user_response: (doing) => perform(doing, 'answerQuestion', read(answered, doing.command)),
  plan_approval_response: (doing) =>
    perform(doing, 'answerQuestion', read(approval, doing.command)),
  mode_switch: (doing) => perform(doing, 'setMode', read(mode, doing.command)),
  async operation(doing) {
    const { name, params, ...beside } = read(operation, doing.command)
    const known = operationCalled(name)
    if (known === undefined || !known.operation.may.includes('steer'))
      throw new CommandRefused(`This machine does not know the operation "${name}".`)
    // What is sent bears the name of the person and of the command.
    if (known.name === 'send' || known.name === 'cancel')
      throw new CommandRefused(`"${name}" is a command of its own, not an operation.`)
    return perform(doing, known.name, readParams(name, known.operation, params ?? beside))
  },
}

/** The machine decides: nothing from afar allows more than its own configuration says. */
async function perform(
  { session, allowance }: Doing,
  name: OperationName,
  params: object,
): Promise<unknown> {
  const { widens, toJson } = rowOf(name)
  if (!allowance.mayWiden && (await widens?.(session, params as never)) === true)
    throw new CommandRefused(
      name === 'answer'
        ? 'This machine lets nobody allow more than once from afar.'
        : 'This machine lets nobody switch to autopilot from afar.',
    )
  const result = await session.perform(name, params)
  return toJson === undefined ? result : toJson(result as never)
}

/** By this the server knows the event that shows the command. */
export const sourceOf = (commandId: string): string => `command-${commandId}`

/** The last event after it was done: by then the log shows it. */
export async function applyCommand(
  doing: Doing,
): Promise<{ readonly event: string; readonly result: unknown }> {
  const act = ACTS[doing.command.kind]
  if (act === undefined)
    throw new CommandRefused(`This machine does not know how to do "${doing.command.kind}".`)
  const result = await act(doing)
  const { events } = await doing.session.events({ direction: 'backward', limit: 1 })
  return { event: events[0]?.id ?? '', result }
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
