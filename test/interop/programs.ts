/**
 * One program of the Copilot SDK, with the genuine CLI and with Reprise behind it in turn: what it sets on a session
 * without a message it reads back alike; and a session in its own store is gone on with by either, with calls that are
 * counted.
 */
import assert from 'node:assert/strict'
import {
  CopilotClient,
  RuntimeConnection,
  approveAll,
  type CopilotClientOptions,
  type CopilotSession,
} from '@github/copilot-sdk'
import { PROGRAM } from '../support/program.ts'
import { memoryProvider, type MemoryProvider } from '../support/memory-provider.ts'
import type { Checks } from './checks.ts'
import { MODEL } from './model.ts'
import type { Place } from './place.ts'

type Side = 'genuine' | 'ours'

export async function checkPrograms(checks: Checks, place: Place): Promise<void> {
  const model = {
    model: MODEL,
    provider: { type: 'openai' as const, baseUrl: place.model.baseUrl },
  }
  const config = { ...model, onPermissionRequest: approveAll }

  const chosen = { genuine: {}, ours: {} }
  for (const side of ['genuine', 'ours'] as const) {
    await using client = startClient(place, side)
    const session = await client.it.createSession(config)
    chosen[side] = await choose(session)
  }
  await checks.check('what is chosen before the first message is read back alike', () =>
    assert.deepEqual(chosen.ours, chosen.genuine),
  )

  const counts = { genuine: 0, ours: 0 }
  for (const side of ['genuine', 'ours'] as const) {
    const provider = memoryProvider({ renames: true })
    await using client = startClient(place, side, store(place))
    const owned = { ...config, createSessionFsProvider: () => provider }
    const session = await client.it.createSession(owned)
    await session.sendAndWait('<<answer one>>')
    await session.rpc.plan.update({ content: '# plan' })
    await session.rpc.workspaces.createFile({ path: 'a.txt', content: 'x' })
    await session.disconnect()
    counts[side] = provider.calls.length
    await checkOther(checks, place, { side, provider, id: session.sessionId, config: owned })
  }
  await checks.check('a session in the store of a program takes at most 1.5 times the calls', () =>
    assert.ok(counts.ours <= 1.5 * counts.genuine, JSON.stringify(counts)),
  )
}

async function choose(session: CopilotSession): Promise<object> {
  const { rpc } = session
  await rpc.mode.set({ mode: 'plan' })
  await session.setModel(`${MODEL}-2`)
  await rpc.model.setReasoningEffort({ reasoningEffort: 'high' })
  return {
    mode: await rpc.mode.get(),
    model: await rpc.model.getCurrent(),
    events: (await session.getEvents()).map(({ type }) => type),
  }
}

type Begun = {
  readonly side: Side
  readonly provider: MemoryProvider
  readonly id: string
  readonly config: object
}

/** The other program reads what one wrote, goes on, and its words are in the same log. */
async function checkOther(
  checks: Checks,
  place: Place,
  { side, provider, id, config }: Begun,
): Promise<void> {
  const other: Side = side === 'ours' ? 'genuine' : 'ours'
  await using client = startClient(place, other, store(place))
  const session = await client.it.resumeSession(id, {
    ...config,
    onPermissionRequest: approveAll,
  })
  const answer = await session.sendAndWait('<<answer two>>')
  const said = (await session.getEvents()).flatMap(({ type, data }) =>
    type === 'assistant.message' ? [data.content] : [],
  )
  const { content: plan } = await session.rpc.plan.read()
  await session.disconnect()
  await checks.check(`a session that ${side} wrote into a store is gone on with by ${other}`, () =>
    assert.deepEqual(
      [
        answer?.data.content,
        said,
        plan,
        (provider.files.get('/state/events.jsonl') ?? '').includes('two'),
      ],
      ['two', ['one', 'two'], '# plan', true],
    ),
  )
}

const store = ({ project }: Place): Partial<CopilotClientOptions> => ({
  sessionFs: { initialCwd: project, sessionStatePath: '/state', conventions: 'posix' },
})

export function startClient(
  { home, project, program, model }: Place,
  side: Side,
  options: Partial<CopilotClientOptions> = {},
): AsyncDisposable & { readonly it: CopilotClient } {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: program.cache,
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: model.baseUrl,
    COPILOT_MODEL: MODEL,
  }
  const path = side === 'ours' ? PROGRAM : program.copilot
  const it = new CopilotClient({
    connection: RuntimeConnection.forStdio({ path, env }),
    baseDirectory: home,
    workingDirectory: project,
    useLoggedInUser: false,
    ...options,
  })
  return { it, [Symbol.asyncDispose]: async () => void (await it.stop()) }
}
