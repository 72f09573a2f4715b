/** All sessions of some agents, a few at a time: what is found, what became of it, and how far it is. */
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Engine } from '../engine/engine.ts'
import { AGENT_NAMES, type AgentName } from './convert/port.ts'
import { defined } from '../lib/defined.ts'
import { importFolder } from './import-folder.ts'
import { finders } from './finders.ts'
import { looseAgent, looseSessions } from './find/loose.ts'
import { isUnreadable, type FoundSession, type Surroundings, type Unreadable } from './found.ts'
import { importOne, type Came, type ImportOptions } from './import.ts'
import { conductedIn } from './import-dedupe.ts'

type ImportAll = ImportOptions & {
  readonly agents: readonly AgentName[]
  readonly around: Surroundings
  readonly signal?: AbortSignal
  readonly onCame?: (came: Came, done: number) => void | Promise<void>
}

const LANES = 8

/** Each is told when it is done; none is kept. Gives what could not even be looked at. */
export async function importAll(
  engine: Engine,
  { agents, around, signal, onCame, ...given }: ImportAll,
): Promise<readonly Unreadable[]> {
  const options = { ...given, conducted: conductedIn(engine) }
  const unreadable: Unreadable[] = []
  let done = 0
  const found = sessionsOf(agents, around, unreadable)
  /** One at a time is asked for; rows of a database are taken before the next is. */
  let asking: Promise<unknown> = Promise.resolve()
  async function next(): Promise<(() => Promise<Came>) | undefined> {
    const mine = asking.then(async () => {
      if (signal?.aborted === true) return undefined
      const { value, done: isOver } = await found.next()
      if (isOver === true || value === undefined) return undefined
      const session = value
      if (session.folder !== undefined) return () => importFolder(engine, session, options)
      if (session.rows === undefined) return () => importOne(engine, session, options)
      const came = await importOne(engine, session, options)
      return async () => came
    })
    asking = mine.catch(() => {}) // told to the one who asked
    return mine
  }
  async function lane(): Promise<void> {
    for (let work = await next(); work !== undefined; work = await next()) {
      const came = await work()
      done += 1
      await onCame?.(came, done)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await found.return()
  return unreadable
}

async function* sessionsOf(
  agents: readonly AgentName[],
  around: Surroundings,
  unreadable: Unreadable[],
): AsyncGenerator<FoundSession, void, void> {
  const onUnreadable = (found: Unreadable) => void unreadable.push(found)
  const heeding = { ...around, onUnreadable }
  for (const agent of agents) {
    const all =
      around.isLoose === true ? looseSessions(agent, heeding) : finders[agent].find(heeding)
    for await (const found of all) {
      if (isUnreadable(found)) onUnreadable(found)
      else if (around.sinceMs === undefined || found.modifiedMs >= around.sinceMs) yield found
    }
  }
}

/** Which agents have left something here. */
export function agentsHere(around: Surroundings): readonly AgentName[] {
  return AGENT_NAMES.filter((name) => finders[name].roots(around).some(isThere))
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** What lies at a path: a home of an agent, a folder of sessions, or one file. `asked`: of no other agent. */
export async function agentAt(
  path: string,
  around: Surroundings,
  asked?: AgentName,
): Promise<{ readonly agent: AgentName; readonly around: Surroundings } | undefined> {
  // What stands in a file says more than how it is called.
  const agent = await looseAgent(path, asked)
  if (agent !== undefined) return { agent, around: { ...around, root: path, isLoose: true } }
  for (const name of asked === undefined ? AGENT_NAMES : [asked])
    for (const root of placesOf(path, name)) {
      const inside = { ...around, root, ...defined({ sinceMs: undefined }) }
      for await (const found of finders[name].find(inside))
        if (!isUnreadable(found)) return { agent: name, around: { ...around, root } }
    }
  return undefined
}

/** The path itself, folders in it, and the one around it where the path is what an agent keeps its sessions in. */
const placesOf = (path: string, agent: AgentName): readonly string[] => [
  path,
  ...INSIDE[agent].map((part) => join(path, part)),
  ...(STORES.test(basename(path)) ? [dirname(path)] : []),
]
const STORES = /^(?:sessions|session-state|.+\.db|state\.vscdb)$/

/** Where the sessions are in what people call the folder of an agent. */
const INSIDE: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['projects', '.claude/projects'],
  codex: ['.codex'],
  copilot: ['.copilot'],
  gemini: ['tmp', '.gemini/tmp'],
  qwen: ['projects', '.qwen/projects'],
  opencode: ['.local/share/opencode'],
  pi: ['sessions', 'agent/sessions', '.pi/agent/sessions'],
  cursor: ['User'],
  aider: [],
  cline: ['tasks', 'data/tasks'],
  goose: ['sessions', '.local/share/goose/sessions'],
}
