import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import type { Aside } from '../../src/agents/model/reasoning-passback.ts'
import { buildRequest } from '../../src/agents/model/build-request.ts'
import type { ModelConfig, Provider } from '../../src/agents/model/config.ts'
import { withPictures } from '../../src/agents/model/pictures.ts'
import { bodyOf, sha256 } from '../support/model-body.ts'
import { ownTools } from '../../src/agents/model/tool-set.ts'
import { offeredAgents } from '../../src/agents/model/subagents/definitions.ts'
import { taskTools } from '../../src/agents/model/subagents/tools.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Payload } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { providerValid } from '../../src/state/provider-valid.ts'
import { endsTurn } from '../../src/state/turn-end.ts'
import { converse, eventsOf } from '../support/engine.ts'
import { MODELS, dataOf, openPlace } from './place.ts'

const providers = Object.keys(MODELS) as Provider[]

/** As a session without custom agents has them; none of them is called. */
const givenTasks = () =>
  taskTools({ agents: offeredAgents([]) } as unknown as Parameters<typeof taskTools>[0])

/** The hash of every request of a session, computed anew from its log alone. */
async function rebuiltHashes(
  engine: Engine,
  id: SessionId,
  config: ModelConfig,
): Promise<string[]> {
  const events = await eventsOf(engine, id)
  const hashes: string[] = []
  let asides = new Map<string, Aside>()
  for (const [index, event] of events.entries()) {
    if ('stranger' in event) continue
    if (endsTurn(event)) asides = new Map()
    if (event.type !== 'assistant.message') continue
    const unheard = event.data.reprise?.unheard ?? []
    const before = events
      .slice(0, index)
      .filter((each) => !isOneOf(each, unheard))
      .map((each, at) => ({ event: each, start: at, end: at + 1 }))
    const readBlob = async (sha256: string) =>
      (await engine.open(id)).readBlob(sha256, { mostBytes: 1 << 30 })
    const request = buildRequest(await withPictures(projectModelContext(before), readBlob), {
      ...config,
      tools: [...ownTools(), ...givenTasks()],
      asides,
    })
    hashes.push(sha256(await bodyOf(config, config.model, request)))
    const call = event.data.toolRequests?.[0]?.toolCallId
    const aside = readAside(event.data)
    if (call !== undefined && aside !== undefined) asides.set(call, aside)
  }
  return hashes
}

/** What was kept with a message; undefined when there was nothing, or another writer kept it in its own way. */
function readAside({
  reasoningText,
  reasoningOpaque,
}: Payload<'assistant.message'>): Aside | undefined {
  if (reasoningOpaque === undefined)
    return reasoningText === undefined ? undefined : { reasoning: [{ text: reasoningText }] }
  try {
    const kept = JSON.parse(reasoningOpaque) as Partial<Aside> | null
    return Array.isArray(kept?.reasoning) ? (kept as Aside) : undefined
  } catch {
    return undefined
  }
}

const isOneOf = (
  event: Awaited<ReturnType<typeof eventsOf>>[number],
  messageIds: readonly string[],
) =>
  !('stranger' in event) &&
  event.type === 'user.message' &&
  messageIds.includes(event.data.messageId ?? '')

async function recordedHashes(engine: Engine, id: SessionId): Promise<(string | undefined)[]> {
  const records = await dataOf(engine, id, 'session.usage_record')
  return records.map(({ reprise }) => reprise?.requestSha256)
}

async function killMidTool(
  here: Awaited<ReturnType<typeof openPlace>>,
  id: SessionId,
  provider: Provider,
): Promise<void> {
  const args = [here.home.path, id, here.cwd, here.server.baseUrl, provider, MODELS[provider]]
  // Whoever is killed leaves its temporary files: here they go with the home.
  const env = { ...process.env, TMPDIR: here.home.path }
  const child = fork(new URL('child.ts', import.meta.url), args, { env })
  const [{ told }] = (await once(child, 'message')) as [{ told: string }]
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  // The command outlives the process that started it.
  process.kill(Number(told), 'SIGKILL')
}

test('a process killed in the middle of a tool: the session goes on, with a valid history and the same bytes', async () => {
  for (const provider of providers) {
    await using here = await openPlace(
      [
        {
          text: 'One.',
          reasoning: 'Hm.',
          calls: [{ name: 'bash', arguments: { command: 'echo 1 é😀' } }],
        },
        { calls: [{ name: 'bash', arguments: { command: 'echo $$; exec sleep 300' } }] },
        { text: 'I am back.' },
      ],
      provider,
    )
    const id = crypto.randomUUID() as SessionId
    await killMidTool(here, id, provider)

    const engine = here.engine()
    await (await engine.open(id)).resume({ cwd: here.cwd })
    assert.deepEqual(await recordedHashes(engine, id), await rebuiltHashes(engine, id, here.config))
    assert.equal((await converse(engine, id, { prompt: 'go on' })).status, 'completed')

    const recorded = await recordedHashes(engine, id)
    assert.deepEqual(
      recorded,
      here.server.requests.map(({ raw }) => sha256(raw)),
    )
    assert.deepEqual(recorded, await rebuiltHashes(engine, id, here.config))

    const events = await eventsOf(engine, id)
    const records = events.map((event, at) => ({ event, start: at, end: at + 1 }))
    const { messages } = projectModelContext(records)
    assert.deepEqual(providerValid(messages), messages)
    assert.deepEqual(
      // What the tool had printed is kept when it was written before the kill.
      messages.map(({ role, content }) =>
        `${role}: ${content}`.replace(/\d+\n\n\[(interrupted.*)\]$/, '$1'),
      ),
      [
        'user: go',
        'assistant: One.',
        'tool: 1 é😀',
        'assistant: ',
        'tool: interrupted before a result was recorded',
        'user: go on',
        'assistant: I am back.',
      ],
    )
  }
})

test('the system prompt of a resumed session is the one in its log', async () => {
  await using here = await openPlace([{ text: 'a' }, { text: 'b' }])
  const before = here.engine()
  const { id } = await before.create({ cwd: here.cwd })
  await converse(before, id, { prompt: '1' })
  await before.stop()
  const after = here.engine()
  await (await after.open(id)).resume({ cwd: here.cwd })
  await converse(after, id, { prompt: '2' })
  assert.equal((await dataOf(after, id, 'system.message')).length, 1)
  const [first, second] = here.server.requests.map(({ body }) => body['messages'] as unknown[])
  assert.deepEqual(second?.slice(0, first?.length), first)
})

test('what was said while the model spoke is answered next, and every request can be told from the log', async () => {
  for (const provider of providers) {
    const steered = Promise.withResolvers<void>()
    const speaking = Promise.withResolvers<void>()
    await using here = await openPlace(({ index }) => {
      if (index === 0) speaking.resolve()
      const look = { name: 'bash', arguments: { command: 'echo seen' } }
      if (index === 0) return { text: 'Looking.', calls: [look], until: steered.promise }
      return { text: `Answer ${index}.` }
    }, provider)
    const before = here.engine()
    const { id } = await before.create({ cwd: here.cwd })
    const sent = converse(before, id, { prompt: 'look' })
    await speaking.promise
    for (const prompt of ['rather there', 'and be quick'])
      await converse(before, id, { prompt }, { whenBusy: 'steer' })
    steered.resolve()
    assert.equal((await sent).status, 'completed')
    await before.stop()

    const engine = here.engine()
    await (await engine.open(id)).resume({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'thanks' })
    const recorded = await recordedHashes(engine, id)
    assert.equal(recorded.length, 3)
    assert.deepEqual(
      recorded,
      here.server.requests.map(({ raw }) => sha256(raw)),
    )
    assert.deepEqual(recorded, await rebuiltHashes(engine, id, here.config))
    const records = (await eventsOf(engine, id)).map((event, at) => ({
      event,
      start: at,
      end: at + 1,
    }))
    assert.deepEqual(
      projectModelContext(records).messages.map(({ role, content }) => `${role}: ${content}`),
      [
        'user: look',
        'assistant: Looking.',
        'tool: seen',
        'user: rather there\n\nand be quick',
        'assistant: Answer 1.',
        'user: thanks',
        'assistant: Answer 2.',
      ],
    )
  }
})

test('a picture reaches the model in later turns and after a resume', async () => {
  const data = Buffer.from('not really a picture').toString('base64')
  for (const provider of providers) {
    await using here = await openPlace(() => ({ text: 'I see.' }), provider)
    const before = here.engine()
    const { id } = await before.create({ cwd: here.cwd })
    const picture = { type: 'blob', mimeType: 'image/png', data, displayName: 'a.png' } as const
    await converse(before, id, { prompt: 'look', attachments: [picture] })
    await converse(before, id, { prompt: 'again' })
    await before.stop()
    const engine = here.engine()
    await (await engine.open(id)).resume({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'and again' })
    const { requests } = here.server
    assert.deepEqual(
      requests.map(({ raw }) => raw.split(data).length - 1),
      [1, 1, 1],
      provider,
    )
    const recorded = await recordedHashes(engine, id)
    assert.deepEqual(
      recorded,
      requests.map(({ raw }) => sha256(raw)),
    )
    assert.deepEqual(recorded, await rebuiltHashes(engine, id, here.config))
  }
})
