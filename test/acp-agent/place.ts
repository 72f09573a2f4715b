/** A home, a project and the scripted agent as a process, for tests through the real engine. */
import { mkdir, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acpAgent, type AcpOptions } from '../../src/agents/acp/acp.ts'
import type { Fields } from '../../src/lib/fields.ts'
import type { PermissionPolicy } from '../../src/engine/agent.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Event } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, eventsOf, openHome } from '../support/engine.ts'
import type { Remembered } from './orders.ts'

export const AGENT = fileURLToPath(new URL('./agent.ts', import.meta.url))

export type Scripted = Partial<AcpOptions> & {
  readonly can?: string
  readonly lie?: string
  readonly more?: readonly string[]
  readonly policy?: PermissionPolicy
  readonly answersQuestions?: boolean
}

export interface Place extends AsyncDisposable {
  readonly project: string
  /** Where the agent keeps what it remembers. */
  readonly agentHome: string
  readonly sessions: string
  /** An engine of its own on the same home, with a scripted agent behind it. */
  engine(given?: Scripted): Engine
  begin(engine: Engine): Promise<SessionId>
  /** Another engine, as another process would have it, with the session open in the same project. */
  again(id: SessionId, given?: Scripted): Promise<Engine>
  /** What the agent was asked, one request each. */
  asked(): Promise<readonly { readonly method: string; readonly params: Fields }[]>
  /** The sessions that the agent itself keeps. */
  remembered(): Promise<readonly Remembered[]>
}

const allowAll: PermissionPolicy = () => ({ kind: 'allow', by: 'policy' })

export async function openPlace(): Promise<Place> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'reprise-acp-')))
  const [project, agentHome, trace] = [
    join(base, 'project'),
    join(base, 'agent'),
    join(base, 'trace'),
  ]
  await mkdir(project)
  await mkdir(agentHome)
  const home = await openHome()
  const place: Place = {
    project,
    agentHome,
    sessions: join(home.path, 'session-state'),
    engine({
      can = '',
      lie = '',
      more = [],
      policy = allowAll,
      answersQuestions = false,
      ...options
    } = {}) {
      const agent = acpAgent({
        name: 'scripted',
        command: process.execPath,
        args: ['--no-warnings', AGENT, '--can', can, '--lie', lie, ...more],
        env: { HOME: agentHome, SCRIPTED_TRACE: trace },
        ...options,
        limits: {
          firstRetryMs: 1,
          cancelMs: 300,
          replayMs: 200,
          startMs: 20_000,
          ...options.limits,
        },
      })
      return home.engine({ agent, policy, answersQuestions })
    },
    begin: async (engine) => (await engine.create({ cwd: project })).id,
    async again(id, given) {
      const engine = place.engine(given)
      await (await engine.open(id)).resume({ cwd: project })
      return engine
    },
    async asked() {
      const text = await readFile(trace, 'utf8').catch(() => '')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { method: string; params: Fields })
    },
    async remembered() {
      const folder = join(agentHome, '.scripted-agent')
      const files = await readdir(folder)
      const texts = files.map((file) => readFile(join(folder, file), 'utf8'))
      return (await Promise.all(texts)).map((text) => JSON.parse(text) as Remembered)
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]()
      await rm(base, { recursive: true, force: true })
    },
  }
  return place
}

/** Sends a prompt and gives what the agent said to it. */
export async function ask(engine: Engine, id: SessionId, prompt: string): Promise<string> {
  const before = (await (await engine.open(id)).events().catch(() => ({ events: [] }))).events
    .length
  const outcome = await converse(engine, id, { prompt })
  if (outcome.status !== 'completed') throw new Error(`${outcome.status}: ${outcome.error ?? ''}`)
  return said((await known(engine, id)).slice(before))
}

export const said = (events: readonly Event[]): string =>
  events.map((event) => (event.type === 'assistant.message' ? event.data.content : '')).join('')

export const known = async (engine: Engine, id: SessionId): Promise<readonly Event[]> =>
  (await eventsOf(engine, id)).filter((event): event is Event => !('stranger' in event))

export type AgentInfo = {
  readonly rung: string
  readonly tried: readonly { readonly rung: string; readonly why: string }[]
  readonly innerSessionId: string
  readonly given?: { readonly sha256: string; readonly messages: number }
}

/** How the agent came to know the conversation, each time that it had to. */
export const rungs = async (engine: Engine, id: SessionId): Promise<AgentInfo[]> =>
  (await known(engine, id)).flatMap((event) =>
    event.type === 'session.info' && event.data.infoType === 'agent'
      ? [(event.data as unknown as { agent: AgentInfo }).agent]
      : [],
  )
