/** Messages to a session, and their end. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { Message, Mode } from '../../../engine/turn/message.ts'
import type { Notice } from '../../../format/notice.ts'
import { defined } from '../../../lib/defined.ts'
import { attachment } from '../attachment.ts'
import type { Client } from '../client.ts'
import { providerFor } from '../client-model.ts'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import type { RequestHeaders } from '../request-headers.ts'
import { errorText } from '../../../lib/error-text.ts'

export const message = {
  prompt: z.string(),
  displayPrompt: z.string().min(1).optional().describe('What people are shown in its place.'),
  attachments: z.array(attachment).optional(),
  source: z.string().optional(),
  messageId: z
    .string()
    .regex(/^[\w.:-]{1,128}$/, 'letters, digits, dots, colons, dashes and underscores')
    .optional()
    .describe('By what the client knows it; one is made when there is none.'),
} as const

const delivery = {
  mode: z
    .enum(['enqueue', 'immediate'])
    .optional()
    .describe('While a turn runs: wait (the default), or join it.'),
  agentMode: z
    .enum(['interactive', 'plan', 'autopilot', 'shell'])
    .optional()
    .describe(
      'The mode in which it is answered; the mode of the session stays. With `shell` the message is a command that is run, and no agent is asked.',
    ),
  wait: z.boolean().optional().describe('Answer when the turn is over.'),
  requestHeaders: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a name of a header'),
      z.string().regex(/^[^\0\r\n]*$/, 'one line'),
    )
    .optional()
    .describe('Goes with the calls of the model in this turn, and is never stored.'),
} as const

export const sessionTurnMethods: Methods = {
  'session.send': sessionMethod(
    'Sends a message. Answers when it is durable, or waits in the queue.',
    { ...message, ...delivery, prepend: z.boolean().optional() },
    async (session, params, { client }) => ({
      messageId: await take(session, params, { ...params, client }),
    }),
  ),
  'session.sendMessages': sessionMethod(
    'Sends several messages, one after another.',
    { messages: z.array(z.looseObject(message)).min(1), ...delivery },
    async (session, { messages, ...how }, { client }) => {
      const messageIds: string[] = []
      for (const each of messages) messageIds.push(await take(session, each, { ...how, client }))
      return { messageIds }
    },
  ),
  'session.abort': sessionMethod(
    'Ends the running turn, in whatever process it runs, and forgets what waits.',
    async (session) => {
      await stop(session, { keepQueue: false })
      tell(session, WAITING)
      return { success: true }
    },
  ),
  'session.interruptMainTurn': sessionMethod(
    'Ends the running turn.',
    { flushQueued: z.boolean().optional().describe('What waits is sent next.') },
    async (session, { flushQueued = false }) => ({
      interrupted: await stop(session, { keepQueue: flushQueued }),
    }),
  ),
  'session.log': sessionMethod(
    'Puts a remark into the session.',
    {
      message: z.string().min(1),
      level: z.enum(['info', 'warning', 'error']).default('info'),
      type: z.string().optional(),
      ephemeral: z.boolean().optional().describe('Told, and not kept.'),
      url: z.string().optional(),
    },
    async (session, { message: text, level, type, ephemeral = false, url }) => {
      const remark = { message: text, ...defined({ type, url }) }
      if (ephemeral) return { eventId: tellRemark(session, level, remark) }
      return { eventId: await session.ops.note({ level, type: REMARK, ...remark }) }
    },
  ),
  'session.suspend': sessionMethod(
    'Closes a session for everybody; nothing is lost, and what waits for an answer stays open in its log.',
    async ({ id }, _params, { server }) => {
      await server.close(id, { leavesQuestions: true })
    },
  ),
  'session.shutdown': sessionMethod(
    'Ends a session for everybody: its turn is cancelled, its log says so.',
    { type: z.string().optional(), reason: z.string().optional() },
    close,
  ),
}

type Sent = {
  readonly prompt: string
  readonly displayPrompt?: string | undefined
  readonly attachments?: unknown
  readonly source?: string | undefined
  readonly messageId?: string | undefined
}
type How = {
  readonly mode?: 'enqueue' | 'immediate' | undefined
  readonly agentMode?: Mode | 'shell' | undefined
  readonly wait?: boolean | undefined
  readonly prepend?: boolean | undefined
  readonly requestHeaders?: RequestHeaders | undefined
  /** Who sends it. */
  readonly client?: Client
}

export async function take(session: HostedSession, sent: Sent, how: How): Promise<string> {
  const { ops } = session
  const { agentMode } = how
  if (agentMode === 'shell') return runCommand(session, sent, how)
  await refuseStray(session, how)
  await session.agent.ready()
  const known = {
    messageId: crypto.randomUUID(),
    ...messageOf(sent),
    ...defined({ mode: agentMode }),
  }
  const { requestHeaders, client } = how
  const headers =
    requestHeaders && client && session.headers.keep(known.messageId, requestHeaders, client.key)
  // For a moment it waits, as any other: lists of what waits are drawn anew.
  tell(session, WAITING)
  const over = session.idleWait.sent(known.messageId)
  const sending = ops.send(known, { whenBusy: how.mode === 'immediate' ? 'steer' : 'enqueue' })
  const forget = () => {
    headers?.[Symbol.dispose]()
    over()
  }
  sending.then(({ ended }) => ended).then(forget, forget)
  const { messageId, how: taken, ended } = await sending
  if (taken !== 'queued') tell(session, WAITING)
  if (taken === 'queued' && how.prepend === true)
    await ops.changeQueue({ kind: 'move', messageId, position: 0 })
  const end = endOf(session, ended)
  if (how.wait === true) await end
  return messageId
}

/** What a client wants to be sent along goes to no provider that another one brought. */
async function refuseStray({ config, ops }: HostedSession, { requestHeaders, client }: How) {
  if (requestHeaders === undefined || client === undefined) return
  const provider = providerFor(config, (await ops.state()).model)
  if (provider?.by === undefined || provider.by === client.key) return
  throw new EngineError(
    'invalid',
    `requestHeaders: the model of this session is at ${new URL(provider.baseUrl).host}, which another client brought; your headers do not go there. Nothing was sent. Leave them out, or bring a provider of your own.`,
  )
}

const WAITING: Notice = { type: 'pending_messages.modified', data: {} }

/** A person's own command: no agent is asked. It waits until the session is idle. */
async function runCommand(
  session: HostedSession,
  { prompt: command, messageId = crypto.randomUUID() }: Sent,
  { wait = false }: How,
): Promise<string> {
  const call = { toolName: 'bash', arguments: { command } }
  const over = endOf(session, session.ops.runTool(call, { whenBusy: 'wait' }))
  if (wait) await over
  return messageId
}

/** What was taken in and could not be carried out is told in the feed, to the client that waits for the turn. */
const endOf = (session: HostedSession, done: Promise<unknown>): Promise<void> =>
  done.then(
    () => {},
    (error: unknown) =>
      void tell(session, {
        type: 'session.error',
        data: {
          errorType: 'turn',
          message: errorText(error),
        },
      }),
  )

function messageOf({ prompt, displayPrompt, attachments, source, messageId }: Sent): Message {
  return {
    prompt,
    ...defined({ displayPrompt }),
    ...(Array.isArray(attachments) &&
      attachments.length > 0 && {
        attachments: attachments as NonNullable<Message['attachments']>,
      }),
    ...defined({ source, messageId }),
  }
}

function stop(session: HostedSession, { keepQueue }: { keepQueue: boolean }): Promise<boolean> {
  if (!keepQueue) session.commands.clear()
  // A program has said what it wants: what waits is not held for a person to look at.
  return session.ops.cancel({ queue: keepQueue ? 'go-on' : 'clear' })
}

/** Told as it would be kept. */
function tellRemark(
  session: HostedSession,
  level: 'info' | 'warning' | 'error',
  { type = REMARK, ...remark }: { readonly message: string; readonly type?: string },
): string {
  const data = { [`${level}Type`]: type, ...remark }
  return tell(session, { type: `session.${level}`, data }).id
}

/** What a remark is when its program does not say. */
const REMARK = 'notification'

async function close(
  { id }: HostedSession,
  _params: unknown,
  { server }: { server: { close(id: HostedSession['id']): Promise<boolean> } },
): Promise<null> {
  await server.close(id)
  return null
}
