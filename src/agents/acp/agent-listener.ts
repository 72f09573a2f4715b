/**
 * Hears an agent: its requests are served for the turn that runs, its updates go to that turn, and a replay is kept
 * aside for the load that asked for it. What comes for a session before it is known to be ours waits until it is.
 */
import type { TurnServices } from './turn-services.ts'
import type { Outside } from './acp-passthrough.ts'
import type { AgentHandlers } from './connection.ts'
import { fieldsOf, listIn, textIn, without, type Fields } from '../../lib/fields.ts'
import { serve } from './requests.ts'
import type { Terminals } from './terminals.ts'
import type { Updates } from './updates.ts'

interface AgentListener {
  readonly handlers: AgentHandlers
  /** Commands that the agent has told last. */
  readonly offered: readonly unknown[] | undefined
  /** From here on everything belongs to this turn. */
  hear(sessionId: string, services: TurnServices, updates: Updates): void
  rest(): void
  /** Does something while the updates of a session are kept aside, and gives them. */
  replaying(
    sessionId: string,
    action: (updates: readonly Fields[]) => Promise<unknown>,
  ): Promise<{ result: Fields; updates: readonly Fields[] }>
}

/** An agent that talks without being asked must not fill the memory. */
const MOST_EARLY = 1000

export function createAgentListener(terminals: Terminals, outside: Outside): AgentListener {
  let turn:
    | { readonly sessionId: string; readonly services: TurnServices; readonly updates: Updates }
    | undefined
  let replay: { readonly sessionId: string; readonly updates: Fields[] } | undefined
  let early: Fields[] = []
  let offered: readonly unknown[] | undefined

  function hearUpdate(params: Fields): void {
    const sessionId = textIn(params, 'sessionId')
    const update = fieldsOf(params['update'])
    const isOffer = update['sessionUpdate'] === 'available_commands_update'
    if (isOffer) offered = listIn(update, 'availableCommands')
    if (replay !== undefined && replay.sessionId === sessionId) {
      replay.updates.push(update)
      // How full it is, and what it cost until now, holds for the turn that comes, too.
      if (update['sessionUpdate'] === 'usage_update') early.push(params)
    } else if (turn === undefined && isTitle(update)) {
      outside.titled(String(update['title']))
    } else if (turn === undefined) {
      early = [...early, params].slice(-MOST_EARLY)
      if (isOffer && offered !== undefined) outside.offers(offered)
    } else if (sessionId !== turn.sessionId) {
      turn.updates.aside('session/update', params)
    } else {
      const beside = without(params, 'sessionId', 'update')
      const isPlain = Object.keys(beside).length === 0
      turn.updates.take(isPlain ? update : { ...update, params: beside })
    }
  }

  const isTitle = (update: Fields): boolean =>
    update['sessionUpdate'] === 'session_info_update' && textIn(update, 'title') !== undefined

  return {
    get offered() {
      return offered
    },
    handlers: {
      request: (method, params, cancelled) =>
        serve({ services: turn?.services, terminals, outside, cancelled }, method, params),
      notification(method, params) {
        if (method === 'session/update') hearUpdate(params)
        else {
          turn?.updates.aside(method, params)
          outside.tell(method, params)
        }
      },
      odd: (line, why) => turn?.updates.aside('odd_line', { line, why }),
    },
    hear(sessionId, services, updates) {
      turn = { sessionId, services, updates }
      const waiting = early.filter((params) => params['sessionId'] === sessionId)
      early = []
      waiting.forEach(hearUpdate)
    },
    rest() {
      turn = undefined
    },
    async replaying(sessionId, action) {
      const updates: Fields[] = []
      replay = { sessionId, updates }
      try {
        return { result: fieldsOf(await action(updates)), updates }
      } finally {
        replay = undefined
      }
    },
  }
}
