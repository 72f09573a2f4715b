/** What each signed-in browser works with, made when it first asks and put away when nobody asked for a while. */
import { createHash } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import { openTeamEngine } from '../remote/team-engine.ts'
import type { Server } from '../remote/server.ts'
import { mountWeb } from '../surfaces/web/mounted.ts'
import type { Mounted, MountedOptions } from '../surfaces/web/mounted.ts'

const IDLE_MS = 30 * 60_000
const LOOK_MS = 60_000

type Held = { readonly engine: Engine; readonly answer: Mounted; open: number; usedAt: number }

type Parts = Pick<MountedOptions, 'version' | 'readAsset' | 'readStyle' | 'onFault'>

export function openPageSessions(parts: Parts) {
  const held = new Map<string, Held>()
  const timer = setInterval(() => void sweep(), LOOK_MS).unref()

  function make(server: Server): Held {
    const engine = openTeamEngine(server)
    // What is exported has left its machine without secrets.
    const answer = mountWeb({ ...parts, engine, redact: async (value) => value })
    return { engine, answer, open: 0, usedAt: Date.now() }
  }

  async function sweep(): Promise<void> {
    for (const [key, each] of held) {
      const { engine, open, usedAt } = each
      if (open > 0 || Date.now() - usedAt < IDLE_MS) continue
      held.delete(key)
      await engine.stop()
    }
  }

  return {
    /** Throws when the token is worth nothing any more. */
    async of(token: string, server: Server): Promise<Mounted> {
      const key = createHash('sha256').update(token).digest('hex')
      // Looked at with every request: a token may have been revoked.
      await server.me()
      const mine = held.get(key) ?? make(server)
      held.set(key, mine)
      return async (request, response) => {
        mine.open += 1
        response.once('close', () => {
          mine.open -= 1
          mine.usedAt = Date.now()
        })
        return mine.answer(request, response)
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      for (const { engine } of held.values()) await engine.stop()
    },
  }
}
