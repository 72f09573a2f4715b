/**
 * One command from afar, done through the session's handle as a person here would do it. The machine decides what may
 * be done: nothing from afar allows more than once, and no wider mode is set, unless this machine's own configuration
 * says so. The answer names the event that shows what was done, and has what the handle answered.
 */
import { z } from 'zod'
import type { Actor } from '../format/blobs.ts'
import { Attachment } from '../format/events/attachment.ts'
import type { Session } from '../engine/session.ts'
import type { Message } from '../engine/turn/message.ts'
import { defined } from '../lib/defined.ts'
import { planActionOf, planActions, planAnswer, planWords } from '../state/plan-approval.ts'
import { isOperation, operations } from './operations.ts'
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
const modes = z.enum(['interactive', 'plan', 'autopilot'])
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
const decision = z
  .object({
    promptId: text,
    decision: z.enum(['allow', 'allow-for-session', 'deny']).optional(),
    approved: z.boolean().optional(),
    feedback: text.optional(),
    option: text.optional(),
  })
  .transform(({ promptId, approved, feedback, option, ...given }) => ({
    promptId,
    feedback,
    option,
    kind: given.decision ?? (approved === true ? ('allow' as const) : ('deny' as const)),
  }))
const answered = z.object({ promptId: text, answer: text.nullable() })
const approval = z.object({
  promptId: text,
  approved: z.boolean(),
  selectedAction: z.enum(planActions).optional(),
  feedback: text.optional(),
})
const mode = z.object({ mode: modes })
const operation = z.looseObject({ name: text })

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
  async abort({ session, command }) {
    const { queue } = read(stop, command)
    if (!(await session.cancel({ reason: 'remote_command', ...defined({ queue }) })))
      throw new CommandRefused('Nothing runs in this session.', 'idle')
  },
  async permission_response({ session, command, allowance }) {
    const { promptId, kind, feedback, option } = read(decision, command)
    const isWide = kind === 'allow-for-session' || (await isWider(session, promptId, option))
    if (isWide && !allowance.mayWiden)
      throw new CommandRefused('This machine lets nobody allow more than once from afar.')
    await session.answer(promptId, { kind, ...defined({ feedback, option }) })
  },
  async ask_user_response(doing) {
    const { promptId, answer } = read(answered, doing.command)
    await answerQuestion(doing, promptId, answer ?? undefined)
  },
  async plan_approval_response(doing) {
    const { promptId, ...said } = read(approval, doing.command)
    await answerQuestion(doing, promptId, planAnswer(said))
  },
  async mode_switch({ session, command, allowance }) {
    const { mode: wanted } = read(mode, command)
    if (wanted === 'autopilot' && !allowance.mayWiden) throw noAutopilot()
    await session.setMode(wanted)
  },
  async operation({ session, command }) {
    const { name, ...wish } = read(operation, command)
    if (!isOperation(name))
      throw new CommandRefused(`This machine does not know the operation "${name}".`)
    const { takes, run } = operations[name]
    const parsed = takes.safeParse(wish)
    if (!parsed.success)
      throw new CommandRefused(`"${name}" is not asked for as this machine understands it.`)
    return run(session, parsed.data)
  },
}

const noAutopilot = () =>
  new CommandRefused('This machine lets nobody switch to autopilot from afar.')

/** The answer to a plan may choose the mode that follows. */
async function answerQuestion(
  { session, allowance }: Doing,
  promptId: string,
  answer: string | undefined,
): Promise<void> {
  const isAutopilot = answer !== undefined && planActionOf(answer) === 'autopilot'
  if (isAutopilot && !allowance.mayWiden && (await asksForPlan(session, promptId)))
    throw noAutopilot()
  await session.answerQuestion(promptId, answer)
}

/** Of what is not known to be another question, it is taken to be. */
async function asksForPlan(session: Session, promptId: string): Promise<boolean> {
  const { questions } = await session.pending()
  const asked = questions.find(({ requestId }) => requestId === promptId)
  return asked === undefined || asked.choices?.includes(planWords('autopilot')) === true
}

/** An answer of the agent's own that allows more than this once. */
async function isWider(
  session: Session,
  promptId: string,
  option: string | undefined,
): Promise<boolean> {
  if (option === undefined) return false
  const asked = (await session.pending()).requests
    .flatMap((event) => (event.type === 'permission.requested' ? [event.data] : []))
    .find(({ requestId }) => requestId === promptId)
  const kind = asked?.reprise?.options?.find(({ id }) => id === option)?.kind
  return kind !== undefined && kind !== 'allow_once' && !kind.startsWith('reject')
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
