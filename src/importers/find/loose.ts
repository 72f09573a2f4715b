/**
 * Files of sessions that lie somewhere else than where their agent keeps them, under whatever name: one that is named, or
 * those of a folder. What a file is of, and which session it is, is told by its first lines.
 */
import { basename, dirname, join } from 'node:path'
import { isFields, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { AgentName } from '../convert/port.ts'
import type { FoundSession, Heeding, Surroundings } from '../found.ts'
import { fileAt, firstLines, listOf, sessionOf } from '../scan-folders.ts'
import { subAgents, UUID } from './lines.ts'

/** The id of the session that a line of this agent belongs to; undefined for a line that is none of its. */
const IDS: Readonly<Partial<Record<AgentName, (line: Fields) => string | undefined>>> = {
  codex: (line) =>
    line['type'] === 'session_meta' ? textIn(fieldsOf(line['payload']), 'id') : undefined,
  gemini: (line) => ('projectHash' in line ? textIn(line, 'sessionId') : undefined),
  pi: (line) => (line['type'] === 'session' && 'cwd' in line ? textIn(line, 'id') : undefined),
  qwen: (line) =>
    'parentUuid' in line && Array.isArray(fieldsOf(line['message'])['parts'])
      ? textIn(line, 'sessionId')
      : undefined,
  claude: (line) =>
    'parentUuid' in line && 'content' in fieldsOf(line['message'])
      ? textIn(line, 'sessionId')
      : undefined,
}

const SAFE = /^[\w-]{1,100}$/
const MOST_LINES = 200
const MOST_LOOKED_AT = 20

/** Whose they are; undefined when it is nobody's that is known. A file that is named is of whom it is said to be. */
export async function looseAgent(
  root: string,
  asked: AgentName | undefined,
): Promise<AgentName | undefined> {
  const names = (Object.keys(IDS) as AgentName[]).filter(
    (name) => asked === undefined || name === asked,
  )
  for (const path of (await filesAt(root)).slice(0, MOST_LOOKED_AT)) {
    const agent = path === root && asked !== undefined ? names[0] : told(path, names)?.agent
    if (agent !== undefined) return agent
  }
  return undefined
}

export async function* looseSessions(
  agent: AgentName,
  around: Surroundings,
): AsyncGenerator<FoundSession, void, void> {
  for (const path of await filesAt(around.root ?? '', around)) {
    const nativeId = nativeIdOf(path, agent, idIn(path, agent))
    const beside = agent === 'claude' ? join(dirname(path), nativeId, 'subagents') : undefined
    yield sessionOf({ agent, nativeId }, [
      await fileAt(path, 'main', 'lines'),
      ...(beside === undefined ? [] : await subAgents(beside, around)),
    ])
  }
}

/** As it would be called where its agent keeps it, where that can be told. */
function nativeIdOf(path: string, agent: AgentName, told: string | undefined): string {
  const name = basename(path, '.jsonl')
  const [, project, chat] = /([^/\\]+)[/\\]chats[/\\]session-(.+)\.jsonl$/.exec(path) ?? []
  if (agent === 'gemini' && project !== undefined) return `${project}/${chat}`
  if (agent === 'claude' && UUID.test(name)) return name
  return told !== undefined && SAFE.test(told) ? told : name
}

/** The file itself, or those of a folder; what a sub-agent of Claude Code wrote belongs to another. */
async function filesAt(root: string, around: Heeding = {}): Promise<readonly string[]> {
  if ((await fileAt(root, 'main', 'lines')) !== undefined) return [root]
  const files = (await listOf(root, around)).filter(
    (each) => !each.isFolder && /^(?!agent-).*\.jsonl$/.test(each.name),
  )
  return files.map(({ path }) => path)
}

function idIn(path: string, agent: AgentName): string | undefined {
  return told(path, [agent])?.id
}

/** What the first of its lines that is one of these agents' says. */
function told(
  path: string,
  agents: readonly AgentName[],
): { readonly agent: AgentName; readonly id: string } | undefined {
  let lines = 0
  for (const line of firstLines(path)) {
    const fields = fieldsIn(line)
    for (const agent of agents) {
      const id = IDS[agent]?.(fields)
      if (id !== undefined) return { agent, id }
    }
    if (++lines === MOST_LINES) return undefined
  }
  return undefined
}

function fieldsIn(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) ? value : {}
  } catch {
    // What is damaged is told by the import.
    return {}
  }
}
