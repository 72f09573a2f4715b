/**
 * What another agent has in a session of its own, and people said through Reprise: it is here already, and is not taken
 * over a second time. Whatever was said there alone is.
 */
import { readInner } from '../agents/acp/agent-file.ts'
import type { Engine } from '../engine/engine.ts'
import { isGoneOnWith } from '../engine/home/import.ts'
import { isSessionId } from '../format/ids.ts'
import type { SessionId } from '../format/ids.ts'
import { logPath, SESSIONS, sessionDir } from '../format/paths.ts'
import type { AgentName, Story } from '../interchange/port.ts'
import { createTally } from '../interchange/tally.ts'
import { readLog } from '../log/read.ts'

/** Of each agent, asked for once: which session of this home is answered in which of its own. */
export type Conducted = (agent: AgentName) => Promise<ReadonlyMap<string, SessionId>>

export function conductedIn(engine: Engine): Conducted {
  const known = new Map<AgentName, ReturnType<Conducted>>()
  return (agent) => {
    const all = known.get(agent) ?? conductedWith(engine, agent)
    known.set(agent, all)
    return all
  }
}

/** The session of this home in which all of this was said; undefined when there is none. `id`: as it was imported. */
export async function whereSaid(
  engine: Engine,
  { agent, nativeId, id }: { agent: AgentName; nativeId: string; id: SessionId },
  conducted: Conducted,
  read: () => Promise<readonly Story[]>,
): Promise<SessionId | undefined> {
  const owners = await conducted(agent)
  const wentOn = (await isGoneOnWith(engine, id)) ? id : undefined
  if (owners.size === 0 && wentOn === undefined) return undefined
  const stories = await read()
  const owner = owners.get(stories[0]?.facts.resumeId ?? nativeId) ?? wentOn
  if (owner === undefined || stories.length === 0) return undefined
  return (await isSaidIn(engine, owner, stories)) ? owner : undefined
}

async function conductedWith({ fs }: Engine, agent: AgentName): ReturnType<Conducted> {
  const conducted = new Map<string, SessionId>()
  for (const { name } of await fs.list(SESSIONS)) {
    if (!isSessionId(name)) continue
    const folder = fs.diskPath(sessionDir(name))
    const inner = folder === undefined ? undefined : await readInner(folder, agent)
    // In a fork it is that of its origin.
    if (inner?.of !== name) continue
    for (const left of inner.earlier ?? []) conducted.set(left, name)
    // One that was imported and not gone on with has no turn of ours.
    if (inner.turns.length > 0) conducted.set(inner.innerSessionId, name)
  }
  return conducted
}

/** Each prompt of these stories was sent from this session. */
async function isSaidIn(
  { fs }: Engine,
  id: SessionId,
  stories: readonly Story[],
): Promise<boolean> {
  const said = new Set<string>()
  for await (const { records } of readLog(fs, logPath(sessionDir(id))))
    for (const { event } of records)
      if (!('stranger' in event) && event.type === 'user.message')
        said.add(event.data.content.trim())
  for (const story of stories)
    for await (const { draft } of story.tell(createTally()))
      if (draft.type === 'user.message' && draft.agentId === undefined)
        if (!isKnown(draft.data.content.trim(), said)) return false
  return true
}

/** The first prompt of a session that was begun in the middle holds the earlier part, as it is given to an agent. */
const isKnown = (prompt: string, said: ReadonlySet<string>): boolean =>
  said.has(prompt) || prompt.includes('<conversation trust="untrusted" id="')
