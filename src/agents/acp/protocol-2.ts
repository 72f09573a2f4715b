/**
 * An agent that speaks version 2 of the protocol, for those who speak version 1: requests go out in its words, what it
 * tells comes in ours. A prompt is answered when the agent is idle again, not when it has taken the message.
 */
import { deferred, type Deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { AgentHandlers, Connection } from './connection.ts'
import { translateUpdates, withOptions, type UpdateTranslation } from './protocol-2-updates.ts'
import { listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

export type Translated = {
  readonly connection: Connection
  readonly handlers: AgentHandlers
  /** Nothing more comes. */
  closed(reason: Error): void
}

/** The end of the work on a prompt, as the agent tells it. */
type Idle = Deferred<Fields>

export function speakVersion2(connection: Connection, handlers: AgentHandlers): Translated {
  const translations = new Map<string, UpdateTranslation>()
  /** By session: what the agent said of itself since a prompt was sent. */
  const working = new Map<string, { last: Fields | undefined; idle: Idle | undefined }>()

  function hear(params: Fields): void {
    const sessionId = textIn(params, 'sessionId') ?? ''
    const update = fieldsOf(params['update'])
    if (update['sessionUpdate'] === 'state_update') return hearState(sessionId, update)
    let translate = translations.get(sessionId)
    if (translate === undefined) translations.set(sessionId, (translate = translateUpdates()))
    for (const each of translate(update))
      handlers.notification('session/update', { ...params, update: each })
  }

  function hearState(sessionId: string, update: Fields): void {
    const work = working.get(sessionId)
    if (work === undefined) return
    work.last = update
    if (update['state'] === 'idle') work.idle?.resolve(update)
  }

  async function prompt(params: Fields): Promise<Fields> {
    const sessionId = textIn(params, 'sessionId') ?? ''
    const work: { last: Fields | undefined; idle: Idle | undefined } = {
      last: undefined,
      idle: undefined,
    }
    working.set(sessionId, work)
    try {
      await connection.request('session/prompt', params)
      // It may have been done before it said that it had taken the message.
      if (work.last?.['state'] === 'idle') return stopOf(work.last)
      work.idle = deferred<Fields>()
      return stopOf(await orClosed(work.idle.promise))
    } finally {
      working.delete(sessionId)
    }
  }

  const ended = deferred<never>()
  // A prompt that waits hears of it; without one there is nothing to hear.
  ended.promise.catch(() => {})
  const orClosed = (idle: Promise<Fields>): Promise<Fields> => Promise.race([idle, ended.promise])

  return {
    connection: {
      request: (method, params) => request(method, params),
      notify: connection.notify,
      close: connection.close,
      get isClosed() {
        return connection.isClosed
      },
    },
    closed: ended.reject,
    handlers: {
      ...handlers,
      notification(method, params) {
        if (method === 'session/update') hear(params)
        else handlers.notification(method, params)
      },
      request: (method, params, cancelled) =>
        handlers.request(method, method === PERMISSION ? askedFor(params) : params, cancelled),
    },
  }

  async function request(method: string, params: Fields): Promise<unknown> {
    if (method === 'session/prompt') return prompt(params)
    if (method === 'session/set_mode' || method === 'session/set_model')
      throw new RpcFailure(rpcCodes.unknownMethod, `${method} is not part of version 2.`)
    return withOptions(fieldsOf(await connection.request(...inItsWords(method, params))))
  }
}

const PERMISSION = 'session/request_permission'

function inItsWords(method: string, params: Fields): [string, Fields] {
  if (method === 'session/set_config_option') {
    const type = typeof params['value'] === 'boolean' ? 'boolean' : 'id'
    return [method, { type, ...params }]
  }
  if (!Array.isArray(params['mcpServers'])) return [method, params]
  const mcpServers = listIn(params, 'mcpServers').map((server) => ({ type: 'stdio', ...server }))
  if (method !== 'session/load') return [method, { ...params, mcpServers }]
  return ['session/resume', { ...params, mcpServers, replayFrom: { type: 'start' } }]
}

function stopOf(idle: Fields): Fields {
  const error = fieldsOf(idle['error'])
  if (idle['stopReason'] === 'error') {
    const code = typeof error['code'] === 'number' ? error['code'] : rpcCodes.internal
    throw new RpcFailure(code, textIn(error, 'message') ?? 'No reason was given.', error['data'])
  }
  return { ...idle, stopReason: textIn(idle, 'stopReason') ?? 'end_turn' }
}

/** A question has a title and says what it is about; a command may be asked for without a call around it. */
function askedFor(params: Fields): Fields {
  const title = textIn(params, 'title')
  const { toolCall, command, cwd, toolCallId } = fieldsOf(params['subject'])
  const call =
    toolCall !== undefined
      ? fieldsOf(toolCall)
      : {
          toolCallId: toolCallId ?? `permission-${crypto.randomUUID()}`,
          kind: command === undefined ? 'other' : 'execute',
          rawInput: {
            ...defined({ command, cwd }),
          },
        }
  return { ...params, toolCall: { ...defined({ title }), ...call } }
}
