/**
 * What another agent has in a session of its own, and people said through Reprise: it is here already, and is not taken
 * over a second time. Whatever was said there alone is.
 */
import { readInner } from '../agents/acp/agent-file.ts'
import type { Engine } from '../engine/engine.ts'
import { isGoneOnWith } from '../engine/sessions/import.ts'
import { isSessionId, type SessionId } from '../format/ids.ts'
import { logPath, SESSIONS, sessionDir } from '../format/paths.ts'
import type { AgentName, Story } from './convert/port.ts'
import { createTally } from './convert/fidelity-report.ts'
import { readLog } from '../log/read.ts'
import { bytesPath, listRewound } from '../log/undo-log.ts'

/** A session of this home that an agent answered, or one that was deleted from it. */
type Owner = { readonly id: SessionId; readonly dir: string; readonly isDeleted: boolean }

/** Of each agent, asked for once: which sessions of this home were answered in which of its own. */
export type Conducted = (agent: AgentName) => Promise<ReadonlyMap<string, readonly Owner[]>>

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
): Promise<Owner | undefined> {
  const owners = await conducted(agent)
  const wentOn = (await isGoneOnWith(engine, id))
    ? [{ id, dir: sessionDir(id), isDeleted: false }]
    : []
  if (owners.size === 0 && wentOn.length === 0) return undefined
  const stories = await read()
  if (stories.length === 0) return undefined
  for (const owner of [...(owners.get(stories[0]?.facts.resumeId ?? nativeId) ?? []), ...wentOn])
    if (await isSaidIn(engine, owner.dir, stories)) return owner
  return undefined
}

async function conductedWith(engine: Engine, agent: AgentName): ReturnType<Conducted> {
  const { fs } = engine
  const conducted = new Map<string, Owner[]>()
  for (const owner of [...(await here(engine)), ...(await deleted(engine))]) {
    const folder = fs.diskPath(owner.dir)
    const inner = folder === undefined ? undefined : await readInner(folder, agent)
    // In a fork it is that of its origin.
    if (inner?.of !== owner.id) continue
    const own = [...(inner.earlier ?? [])]
    // One that was imported and not gone on with has no turn of ours.
    if (inner.turns.length > 0) own.push(inner.innerSessionId)
    for (const each of own) conducted.set(each, [...(conducted.get(each) ?? []), owner])
  }
  return conducted
}

const here = async ({ fs }: Engine): Promise<Owner[]> =>
  (await fs.list(SESSIONS)).flatMap(({ name }) =>
    isSessionId(name) ? [{ id: name, dir: sessionDir(name), isDeleted: false }] : [],
  )

const deleted = async (engine: Engine): Promise<Owner[]> =>
  (await engine.trash()).map(({ id, path }) => ({ id, dir: path, isDeleted: true }))

/** Each prompt of these stories was sent from this session, be it that it was taken back since. */
async function isSaidIn({ fs }: Engine, dir: string, stories: readonly Story[]): Promise<boolean> {
  const said = new Set<string>()
  const takenBack = (await listRewound(fs, dir)).map(({ entry, lastKeptId }) => ({
    path: bytesPath(dir, entry),
    previousId: lastKeptId,
  }))
  for (const { path, previousId } of [{ path: logPath(dir), previousId: null }, ...takenBack])
    for await (const { records } of readLog(fs, path, { previousId }))
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
