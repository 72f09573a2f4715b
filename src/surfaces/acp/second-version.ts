/**
 * The second version of the protocol, a draft, made from the first: calls are told by their changes alone, options have
 * another name for their id, and the state of a session is told instead of the end of a request.
 */
import type { FeedItem } from '../../engine/live/feed.ts'
import { isFields, objectsOf, type Fields } from '../../lib/fields.ts'
import { rpcCodes } from '../../lib/json-rpc/failure.ts'
import { isRoot, isStranger } from '../../state/positioned-event.ts'
import type { Dialect } from './dialect.ts'

/** One entry for each kind that has changed; the others are the same in both. */
const KINDS: Readonly<Record<string, (update: Fields) => readonly Fields[]>> = {
  tool_call: (update) => [{ ...toolCall(update), sessionUpdate: 'tool_call_update' }],
  tool_call_update: (update) => [toolCall(update)],
  plan: ({ entries, ...rest }) => [
    { ...rest, sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'plan', entries } },
  ],
  // The mode is one of the options.
  current_mode_update: () => [],
  config_option_update: (update) => [
    { ...update, configOptions: optionsOf(update['configOptions']) },
  ],
  available_commands_update: (update) => [
    {
      ...update,
      availableCommands: objectsOf(update['availableCommands']).map(command),
    },
  ],
}

const command = ({ input, ...rest }: Fields): Fields => ({
  type: 'command',
  ...rest,
  ...(isFields(input) && { input: { type: 'text', ...input } }),
})

function toolCall(update: Fields): Fields {
  const { content, ...rest } = update
  return Array.isArray(content) ? { ...rest, content: objectsOf(content).flatMap(shown) } : update
}

function shown(content: Fields): readonly Fields[] {
  // A terminal of this version belongs to the agent, and ours are its client's.
  if (content['type'] === 'terminal') return []
  if (content['type'] !== 'diff') return [content]
  const { path, oldText } = content
  const operation = oldText === undefined || oldText === null ? 'add' : 'modify'
  return [{ type: 'diff', changes: [{ operation, path }] }]
}

const optionsOf = (options: unknown): readonly Fields[] =>
  objectsOf(options).map(({ id, ...rest }) => ({ configId: id, ...rest }))

/** Results have no modes, and options as above. */
export function resultInSecond(result: unknown): unknown {
  if (!isFields(result)) return result
  const { modes: _modes, configOptions, ...rest } = result
  return configOptions === undefined ? rest : { ...rest, configOptions: optionsOf(configOptions) }
}

/** `answerTo` gives what another agent answered to a message, when one did. */
export function secondVersion(
  answerTo: (messageId: string | undefined) => Fields | undefined,
): Dialect {
  let state = 'idle'
  let messageId: string | undefined
  let failure: string | undefined

  const become = (next: string, more: Fields = {}): readonly Fields[] => {
    if (state === next) return []
    state = next
    return [{ sessionUpdate: 'state_update', state, ...more }]
  }

  function stopReason(aborted: boolean): Fields {
    if (aborted) return { stopReason: 'cancelled' }
    if (failure !== undefined)
      return { stopReason: 'error', error: { code: rpcCodes.internal, message: failure } }
    return { stopReason: answerTo(messageId)?.['stopReason'] ?? 'end_turn' }
  }

  return {
    echoes: true,
    updates: (update) => KINDS[String(update['sessionUpdate'])]?.(update) ?? [update],
    permission: ({ sessionId, toolCall: call, options }) => {
      const subject = toolCall({ ...call })
      const title = call.title ?? 'Permission'
      return { sessionId, title, subject: { type: 'tool_call', toolCall: subject }, options }
    },
    after(item: FeedItem) {
      if (item.kind === 'notice' && item.notice.type === 'session.idle')
        return become('idle', stopReason(item.notice.data.aborted === true))
      if (item.kind !== 'event' || isStranger(item.event) || !isRoot(item.event)) return []
      const { event } = item
      if (event.type === 'user.message') {
        messageId = event.data.messageId
        failure = undefined
      }
      if (event.type === 'session.error') failure = event.data.message
      return event.type === 'assistant.turn_start' ? become('running') : []
    },
    asking: (isAsked) => (state === 'idle' ? [] : become(isAsked ? 'requires_action' : 'running')),
    now: (isRunning) => {
      state = isRunning ? 'running' : 'idle'
      return [{ sessionUpdate: 'state_update', state }]
    },
  }
}
