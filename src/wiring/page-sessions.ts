/** What each signed-in browser works with, made when it first asks and put away when nobody asked for a while. */
import { createHash } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import { asSessionId } from '../format/ids.ts'
import { openTeamEngine } from '../remote/team-engine.ts'
import type { Me, Server } from '../remote/control-client.ts'
import { mountWeb, type Mounted, type MountedOptions } from '../surfaces/web/mounted.ts'

const IDLE_MS = 30 * 60_000
const LOOK_MS = 60_000

type Held = { readonly engine: Engine; readonly answer: Mounted; open: number; usedAt: number }

type Parts = Pick<MountedOptions, 'version' | 'readAsset' | 'readStyle' | 'onFault'>

export function openPageSessions(parts: Parts) {
  const held = new Map<string, Held>()
  const timer = setInterval(() => void sweep(), LOOK_MS).unref()

  function make(server: Server, me: Me): Held {
    const engine = openTeamEngine(server, { guestOf: me.guestOf })
    // What is exported has left its machine without secrets, and a guest is told it redacted once more.
    const web = {
      ...parts,
      engine,
      redact: async <T>(value: T) => value,
      guestLink: linkBy(server),
    }
    const answer = mountWeb({ ...web, ...whoOf(server, me) })
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
      const me = await server.me()
      const mine = held.get(key) ?? make(server, me)
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

/** A person of the team, or a guest of one session. */
function whoOf(
  server: Server,
  { person, name, role = 'viewer', scopes, guestOf, endsAt = '' }: Me,
): Pick<MountedOptions, 'team' | 'guest'> {
  if (guestOf === undefined) return { team: { person, name, role, scopes } }
  const expiresAtMs = Date.parse(endsAt)
  // Asked anew: its person may have ended the link before its time.
  const leftMs = async () => Date.parse((await server.me()).endsAt ?? '') - Date.now()
  return { guest: { sessionId: asSessionId(guestOf), expiresAtMs, leftMs } }
}

const linkBy =
  (server: Server): MountedOptions['guestLink'] =>
  async (id, hours) => {
    const { fragment, ends } = await server.guestLink(id, hours)
    return { link: `${server.url}/${fragment}`, expiresAt: ends }
  }
