/** Engines for tests: a home on a real disk, and an agent that does what a script says. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent, AgentItem, PermissionPolicy, Turn } from '../../src/engine/agent.ts'
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts'
import type { Message, TurnOutcome } from '../../src/engine/turn/message.ts'
import type { SendOptions } from '../../src/engine/turn/send.ts'
import type { Event, Stranger } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'

export type Script = (turn: Turn, signal: AbortSignal) => AsyncIterable<AgentItem>

/** Answers "echo: <prompt>". */
export const echo: Script = async function* (turn) {
  yield say(`echo: ${turn.message.content}`)
}

export const say = (content: string, messageId: string = crypto.randomUUID()): AgentItem => ({
  draft: { type: 'assistant.message', data: { messageId, content } },
})

export const startTool = (
  toolCallId: string,
  toolName = 'bash',
  args: unknown = {},
): AgentItem => ({
  draft: { type: 'tool.execution_start', data: { toolCallId, toolName, arguments: args } },
})

export const endTool = (toolCallId: string, content = 'ok'): AgentItem => ({
  draft: {
    type: 'tool.execution_complete',
    data: { toolCallId, success: true, result: { content } },
  },
})

export const callTool = (toolCallId: string, name = 'bash'): AgentItem => ({
  draft: {
    type: 'assistant.message',
    data: {
      messageId: crypto.randomUUID(),
      content: '',
      toolRequests: [{ toolCallId, name, arguments: {} }],
    },
  },
})

export const scripted = (script: Script = echo): Agent => ({ name: 'scripted', run: script })

export type Home = AsyncDisposable & {
  readonly path: string
  /** Another engine on the same home, as another process would have it. */
  engine(options?: Partial<EngineOptions> & { script?: Script; policy?: PermissionPolicy }): Engine
}

export async function openHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'reprise-test-'))
  const engines: Engine[] = []
  return {
    path,
    engine({ script, ...options } = {}) {
      const engine = createEngine({
        fs: openDisk(path),
        cwd: path,
        agent: scripted(script),
        ...options,
      })
      engines.push(engine)
      return engine
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(engines.map((engine) => engine.stop()))
      // Somebody may still close its last file.
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

export async function eventsOf(
  engine: Engine,
  id: SessionId,
): Promise<readonly (Event | Stranger)[]> {
  return (await (await engine.open(id)).events()).events
}

export async function typesOf(engine: Engine, id: SessionId): Promise<string[]> {
  return (await eventsOf(engine, id)).map(({ type }) => type)
}

/** Prompts still in the session, oldest first. */
export async function promptsOf(engine: Engine, id: SessionId): Promise<string[]> {
  return (await eventsOf(engine, id)).flatMap((event) =>
    !('stranger' in event) && event.type === 'user.message' ? [event.data.content] : [],
  )
}

/** Sends a message and waits for the end of its turn. */
export async function converse(
  engine: Engine,
  id: SessionId,
  message: Message,
  options?: SendOptions,
): Promise<TurnOutcome> {
  const { ended } = await (await engine.open(id)).send(message, options)
  return ended
}
