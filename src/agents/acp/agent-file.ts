/**
 * What is known of the agents' own sessions behind one session of ours: `.reprise/agent.json`, for its owner alone.
 * It helps an agent to find its own memory again; without it the conversation is given anew, so a file that is
 * missing, damaged or cannot be written is no trouble.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { EventId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { fileName, inSession, sessionFolder } from '../../format/paths.ts'
import { kindOf } from '../tools/paths.ts'

const eventId = z.string().transform((id) => id as EventId)

/** A message of ours that an agent was given, and what the agent itself calls the end of its answer. */
const GivenTurn = z.object({
  eventId,
  /** With those that came while it was answered. */
  prompts: z.number(),
  lastMessageId: z.string().optional(),
  /** All that its session had cost by then, in dollars, where it tells. */
  cost: z.number().optional(),
})
export type GivenTurn = z.output<typeof GivenTurn>

const InnerSession = z.object({
  /** The session of ours. In a fork it is another one: then the inner session is not its own to go on with. */
  of: z.string(),
  innerSessionId: z.string(),
  cwd: z.string(),
  /** The message with which the inner session began. */
  since: eventId,
  /** The last message that it was given. */
  knows: eventId,
  /** It answered that message to the end. */
  isSettled: z.boolean(),
  /** Hash of what it answered, blanks apart. */
  answered: z.string().optional(),
  /** How it came to know what was said before `since`. */
  rung: z.string(),
  /** Of what was given to it in its first prompt. */
  mark: z.string().optional(),
  /** A look has shown that it keeps that. */
  isKept: z.boolean().optional(),
  turns: z.array(GivenTurn),
  capabilities: z.record(z.string(), z.unknown()),
  /** Those that it answered in before, and left. */
  earlier: z.array(z.string()).optional(),
})
export type InnerSession = z.output<typeof InnerSession>

const Chosen = z.record(z.string(), z.union([z.string(), z.boolean()]))
type Chosen = z.output<typeof Chosen>

const AgentFile = z.object({
  version: z.literal(1),
  agents: z.record(z.string(), InnerSession),
  /** What people chose among the options of each. */
  chosen: z.record(z.string(), Chosen).optional(),
})
type AgentFile = z.output<typeof AgentFile>

export async function readInner(
  workspacePath: string,
  agent: string,
): Promise<InnerSession | undefined> {
  return (await read(workspacePath)).agents[agent]
}

export const readChosen = async (workspacePath: string, agent: string): Promise<Chosen> =>
  (await read(workspacePath)).chosen?.[agent] ?? {}

export const keepInner = (
  workspacePath: string,
  agent: string,
  inner: InnerSession,
): Promise<void> =>
  change(workspacePath, (file) => ({
    ...file,
    agents: { ...file.agents, [agent]: withEarlier(inner, file.agents[agent]) },
  }))

const MOST_EARLIER = 200

/** Its own sessions that were left are known, so that an import does not take them for news. */
function withEarlier(inner: InnerSession, before: InnerSession | undefined): InnerSession {
  if (before?.of !== inner.of) return inner
  const left = new Set([...(before.earlier ?? []), ...(inner.earlier ?? [])])
  if (before.turns.length > 0) left.add(before.innerSessionId)
  left.delete(inner.innerSessionId)
  return left.size === 0 ? inner : { ...inner, earlier: [...left].slice(-MOST_EARLIER) }
}

export const keepChosen = (workspacePath: string, agent: string, chosen: Chosen): Promise<void> =>
  change(workspacePath, (file) => ({ ...file, chosen: { ...file.chosen, [agent]: chosen } }))

async function change(
  workspacePath: string,
  changed: (file: AgentFile) => AgentFile,
): Promise<void> {
  // The session may live in memory or with a client.
  if ((await kindOf(workspacePath)) !== 'folder') return
  const file = changed(await read(workspacePath))
  const path = pathOf(workspacePath)
  const hex = randomBytes(8).toString('hex')
  const temporary = fileName(layout.anywhere.temporary, { pid: process.pid, hex })
  const written = `${sessionFolder(workspacePath, 'agent')}/${temporary}`
  try {
    await mkdir(sessionFolder(workspacePath, 'agent'), { recursive: true, mode: 0o700 })
    await writeFile(written, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(written, path)
  } catch {
    // The next turn gives the conversation anew; a rest that cannot be removed is swept as any temporary file is.
    await rm(written, { force: true }).catch(() => {})
  }
}

async function read(workspacePath: string): Promise<AgentFile> {
  try {
    return AgentFile.parse(JSON.parse(await readFile(pathOf(workspacePath), 'utf8')))
  } catch {
    // Missing or damaged: nothing is known, and the conversation is given anew.
    return { version: 1, agents: {} }
  }
}

const pathOf = (workspacePath: string) => inSession(workspacePath, 'agent')
