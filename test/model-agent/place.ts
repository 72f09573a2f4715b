/** A home, a project and a model on the loopback, for tests of the model agent through the real engine. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelConfig, ModelParts, Provider } from '../../src/agents/model/config.ts'
import { modelAgent } from '../../src/agents/model/model.ts'
import type { PermissionPolicy } from '../../src/engine/agent.ts'
import type { Engine, EngineOptions } from '../../src/engine/engine.ts'
import type { EventOf, EventType } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import type { Notice } from '../../src/format/notice.ts'
import { startModelServer, type ModelServer, type Script } from '../model-server/server.ts'
import { eventsOf, openHome, type Home } from '../support/engine.ts'

export type Place = AsyncDisposable & {
  readonly home: Home
  readonly cwd: string
  readonly server: ModelServer
  readonly config: ModelConfig
  engine(more?: Partial<ModelConfig>, options?: EngineMore): Engine
}

export type EngineMore = Partial<EngineOptions> & { readonly parts?: Partial<ModelParts> }

export const MODELS: Readonly<Record<Provider, string>> = {
  'openai-compatible': 'test-model',
  openai: 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
}

export const allowAll: PermissionPolicy = () => ({ kind: 'allow', by: 'policy' })

export async function openPlace(
  script: Script,
  provider: Provider = 'openai-compatible',
  options: Parameters<typeof startModelServer>[1] = {},
): Promise<Place> {
  const home = await openHome()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'reprise-project-')))
  const server = await startModelServer(script, options)
  const config: ModelConfig = {
    provider,
    baseUrl: server.baseUrl,
    model: MODELS[provider],
    apiKey: () => 'test-key',
  }
  return {
    home,
    cwd,
    server,
    config,
    engine: (more = {}, { parts, ...options } = {}) =>
      home.engine({
        agent: modelAgent({ ...config, ...more }, { wait: () => Promise.resolve(), ...parts }),
        policy: allowAll,
        ...options,
      }),
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

export async function dataOf<T extends EventType>(
  engine: Engine,
  id: SessionId,
  type: T,
): Promise<EventOf<T>['data'][]> {
  const events = await eventsOf(engine, id)
  return events.flatMap((event) =>
    !('stranger' in event) && event.type === type ? [(event as EventOf<T>).data] : [],
  )
}

/** What is told while something goes on. */
export async function noticesDuring(
  engine: Engine,
  id: SessionId,
  work: () => Promise<unknown>,
): Promise<readonly Notice[]> {
  const told: Notice[] = []
  const items = (await engine.open(id)).follow()
  const listening = (async () => {
    for await (const item of items) {
      if (item.kind !== 'notice') continue
      told.push(item.notice)
      if (item.notice.type === 'session.idle') return
    }
  })()
  await work()
  await listening
  return told
}

/** Chat messages of a request, in short. */
export function spoken(body: Readonly<Record<string, unknown>> | undefined): string[] {
  const messages = (body?.['messages'] ?? []) as readonly {
    role: string
    content: unknown
    tool_calls?: readonly { function: { name: string } }[]
  }[]
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content, tool_calls: calls = [] }) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      return `${role}: ${[content === null ? '' : text, ...calls.map((call) => `[${call.function.name}]`)].join('')}`
    })
}
