/** Sessions in the store of a program: the layout of the Copilot CLI, few calls, and no habit of a store that hurts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { memoryProvider, type MemoryProvider } from '../support/memory-provider.ts'
import { makeRpcPlace, portOf, type RpcPlace } from './place.ts'

const owned = (place: RpcPlace, provider: MemoryProvider) => ({
  client: place.client({
    sessionFs: {
      initialCwd: place.project,
      sessionStatePath: '/state',
      conventions: 'posix' as const,
    },
  }),
  config: { onPermissionRequest: approveAll, createSessionFsProvider: () => provider },
})

/** The Copilot CLI 1.0.102 makes 53 for the same (`npm run interop`); ours keep undo of files as well, with its checks. */
const MOST_CALLS = 1.6 * 53

for (const renames of [true, false]) {
  test(`a session in a store that ${renames ? 'renames' : 'cannot rename'} takes few calls and has the layout of the Copilot CLI`, async () => {
    await using model = await startModelServer([{ text: 'Done.' }])
    await using place = makeRpcPlace()
    const provider = memoryProvider({ renames })
    const { client, config } = owned(place, provider)
    const session = await client.createSession({
      ...config,
      model: 'test-model',
      provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
    })
    await session.sendAndWait('Hello')
    await session.rpc.plan.update({ content: '# plan' })
    await session.rpc.workspaces.createFile({ path: 'a.txt', content: 'x' })
    await session.disconnect()
    if (renames) assert.ok(provider.calls.length <= MOST_CALLS, `${provider.calls.length} calls`)
    const paths = [...provider.files.keys()]
    assert.deepEqual(paths.filter((path) => !path.startsWith('/state/.reprise/')).toSorted(), [
      '/state/checkpoints/index.md',
      '/state/events.jsonl',
      '/state/files/a.txt',
      '/state/plan.md',
      '/state/workspace.yaml',
    ])
    assert.deepEqual(
      paths.filter((path) => /catalogue|store\.db|lease|inuse|touched|replacing/.test(path)),
      [],
      'what is of a home, or of this process alone, never goes to a client',
    )

    const again = await client.resumeSession(session.sessionId, config)
    const types = (await again.getEvents()).map(({ type }) => type)
    assert.ok(types.includes('assistant.message'))
    assert.equal(types.at(-1), 'session.resume')
    await assert.rejects(
      client.rpc.sessions.fork({ sessionId: session.sessionId }),
      /a place for this session alone.*Nothing was changed/,
    )
    provider.files.set('/state/plan.md', '# changed in the store')
    assert.equal((await again.rpc.plan.read()).content, '# changed in the store')
  })
}

test('a rewind in a store that cannot rename is whole, though the store fails in the middle of it', async () => {
  await using place = makeRpcPlace()
  const provider = memoryProvider({ renames: false })
  const { client, config } = owned(place, provider)
  const session = await client.createSession(config)
  await session.sendAndWait('run echo one')
  await session.sendAndWait('run echo two')
  const { points } = await session.rpc.history.listRewindPoints()
  const second = points.at(-1)
  provider.tears = (path) => path === '/state/events.jsonl'
  const rewound = session.rpc.history.rewind({
    eventId: second?.eventId ?? '',
    mode: 'conversation',
  })
  await rewound.catch(() => {}) // the store is gone in the middle of it
  assert.ok(provider.files.has('/state/.reprise/replacing.json'), 'what is meant is written first')
  await client.forceStop()

  provider.tears = undefined
  const { client: next } = owned(place, provider)
  const again = await next.resumeSession(session.sessionId, config)
  const prompts = (await again.getEvents()).flatMap(({ type, data }) =>
    type === 'user.message' ? [data.content] : [],
  )
  assert.deepEqual(prompts, ['run echo one'])
  assert.equal(provider.files.has('/state/.reprise/replacing.json'), false)
})

test('where files live cannot be said by a second client while sessions are open', async () => {
  await using place = makeRpcPlace()
  const first = place.tcpClient('secret')
  await first.createSession({ onPermissionRequest: approveAll })
  const second = place.join(portOf(first), 'secret')
  await second.start()
  await assert.rejects(
    second.rpc.sessionFs.setProvider({
      initialCwd: '/',
      sessionStatePath: '/state',
      conventions: 'posix',
    }),
    /while sessions are active/,
  )
})
