/**
 * Hears an agent: its requests are served for the turn that runs, its updates go to that turn, and a replay is kept
 * aside for whoever asked for it. What comes for a session before it is known to be ours waits until it is.
 */
import type { Desk } from './desk.ts'
import type { Outside } from './outside.ts'
import type { PeerListener } from './peer.ts'
import { rawOf, textIn, without } from './raw.ts'
import type { Raw } from './raw.ts'
import { serve } from './requests.ts'
import type { Terminals } from './terminals.ts'
import type { Updates } from './updates.ts'

export interface Ear {
  readonly listener: PeerListener
  /** From here on everything belongs to this turn. */
  hear(sessionId: string, desk: Desk, updates: Updates): void
  rest(): void
  /** Does something while the updates of a session are kept aside, and gives them. */
  replaying(
    sessionId: string,
    action: () => Promise<unknown>,
  ): Promise<{ result: Raw; updates: readonly Raw[] }>
}

/** An agent that talks without being asked must not fill the memory. */
const MOST_EARLY = 1000

export function createEar(terminals: Terminals, outside: Outside): Ear {
  let turn:
    { readonly sessionId: string; readonly desk: Desk; readonly updates: Updates } | undefined
  let replay: { readonly sessionId: string; readonly updates: Raw[] } | undefined
  let early: Raw[] = []

  function hearUpdate(params: Raw): void {
    const sessionId = textIn(params, 'sessionId')
    const update = rawOf(params['update'])
    if (replay !== undefined && replay.sessionId === sessionId) {
      replay.updates.push(update)
    } else if (turn === undefined) {
      early = [...early, params].slice(-MOST_EARLY)
    } else if (sessionId !== turn.sessionId) {
      turn.updates.aside('session/update', params)
    } else {
      const beside = without(params, 'sessionId', 'update')
      const isPlain = Object.keys(beside).length === 0
      turn.updates.take(isPlain ? update : { ...update, params: beside })
    }
  }

  return {
    listener: {
      request: (method, params, cancelled) =>
        serve({ desk: turn?.desk, terminals, outside, cancelled }, method, params),
      notification(method, params) {
        if (method === 'session/update') hearUpdate(params)
        else {
          turn?.updates.aside(method, params)
          outside.tell(method, params)
        }
      },
      oddLine: (line, why) => turn?.updates.aside('odd_line', { line, why }),
    },
    hear(sessionId, desk, updates) {
      turn = { sessionId, desk, updates }
      const waiting = early.filter((params) => params['sessionId'] === sessionId)
      early = []
      waiting.forEach(hearUpdate)
    },
    rest() {
      turn = undefined
    },
    async replaying(sessionId, action) {
      const updates: Raw[] = []
      replay = { sessionId, updates }
      try {
        return { result: rawOf(await action()), updates }
      } finally {
        replay = undefined
      }
    },
  }
}
