/**
 * What the Claude Agent SDK wants of a SessionStore, contract by contract, on a disk and in memory; and that what it
 * keeps is a session of the home. The genuine SDK runs against it in `npm run interop`.
 */
import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openMemory } from '../../src/fs/memory.ts'
import {
  createClaudeSessionStore,
  type ClaudeSessionStore,
  type SessionStoreEntry,
  type SessionSummaryEntry,
} from '../../src/importers/claude-session-store.ts'
import { eventsOf, openHome, promptsOf } from '../support/engine.ts'

const KEY = { projectKey: 'proj', sessionId: 'sess' }
const SUB = { ...KEY, subpath: 'subagents/agent-1' }
const entry = (fields: Record<string, unknown> = {}): SessionStoreEntry => ({
  type: 'x',
  ...fields,
})
/** In the manner of the SDK's own, which is opaque to a store. */
const fold = (
  before: SessionSummaryEntry | undefined,
  { sessionId }: { sessionId: string },
  entries: SessionStoreEntry[],
  { mtime = before?.mtime ?? 0 }: { mtime?: number } = {},
): SessionSummaryEntry => ({
  sessionId,
  mtime,
  data: {
    ...before?.data,
    ...entries.findLast((each) => 'customTitle' in each),
    count: Number(before?.data['count'] ?? 0) + entries.length,
  },
})

async function withStore(
  kind: 'disk' | 'memory',
  check: (store: ClaudeSessionStore) => Promise<void>,
): Promise<void> {
  await using home = await openHome()
  const engine = home.engine(kind === 'memory' ? { fs: openMemory() } : {})
  await check(createClaudeSessionStore(engine, { foldSessionSummary: fold }))
}

const CONTRACTS: Readonly<Record<string, (store: ClaudeSessionStore) => Promise<void>>> = {
  async 'gives back what was appended, in the order of the calls'(store) {
    await store.append(KEY, [entry({ uuid: 'z', n: 1 })])
    await store.append(KEY, [entry({ uuid: 'a', n: { deep: ['\u2028', null] } }), entry({ n: 3 })])
    await store.append(KEY, [])
    assert.deepEqual(await store.load(KEY), [
      entry({ uuid: 'z', n: 1 }),
      entry({ uuid: 'a', n: { deep: ['\u2028', null] } }),
      entry({ n: 3 }),
    ])
  },
  async 'has nothing for a key that was never written'(store) {
    assert.equal(await store.load(KEY), null)
    await store.append(KEY, [entry()])
    assert.equal(await store.load({ ...KEY, subpath: 'nope' }), null)
    assert.deepEqual(await store.listSessions('never'), [])
    assert.deepEqual(await store.listSubkeys({ ...KEY, sessionId: 'never' }), [])
  },
  async 'takes an entry with a uuid once, and one without each time'(store) {
    await store.append(KEY, [entry({ uuid: 'a' }), entry({ n: 1 })])
    await store.append(KEY, [entry({ uuid: 'a' }), entry({ uuid: 'b' }), entry({ n: 1 })])
    const loaded = await store.load(KEY)
    assert.deepEqual(
      loaded?.map(({ uuid }) => uuid),
      ['a', undefined, 'b', undefined],
    )
  },
  async 'keeps sub-agents apart from their session, and projects from each other'(store) {
    const other = { ...KEY, projectKey: 'other' }
    await store.append(KEY, [entry({ n: 'main' })])
    await store.append(SUB, [entry({ n: 'sub' })])
    await store.append(other, [entry({ n: 'other' })])
    assert.deepEqual(await store.load(KEY), [entry({ n: 'main' })])
    assert.deepEqual(await store.load(SUB), [entry({ n: 'sub' })])
    assert.deepEqual(await store.load(other), [entry({ n: 'other' })])
  },
  async 'lists the sessions of a project with their time, sub-agents left out'(store) {
    const before = Date.now() - 2_000
    await store.append(KEY, [entry()])
    await store.append(SUB, [entry()])
    await store.append({ ...KEY, sessionId: 'second' }, [entry()])
    await store.append({ projectKey: 'other', sessionId: 'c' }, [entry()])
    const listed = await store.listSessions('proj')
    assert.deepEqual(listed.map(({ sessionId }) => sessionId).sort(), ['second', 'sess'])
    assert.ok(listed.every(({ mtime }) => Number.isInteger(mtime) && mtime > before))
    assert.deepEqual(await store.listSubkeys(KEY), ['subagents/agent-1'])
    assert.deepEqual(await store.listSubkeys({ ...KEY, sessionId: 'second' }), [])
  },
  async 'keeps summaries as the SDK folds them, with the time of the list'(store) {
    await store.append(KEY, [entry({ customTitle: 'first' }), entry()])
    await store.append(KEY, [entry({ customTitle: 'second' })])
    const [summary] = (await store.listSessionSummaries?.('proj')) ?? []
    const [listed] = await store.listSessions('proj')
    assert.equal(summary?.mtime, listed?.mtime)
    assert.deepEqual(summary?.data, { type: 'x', customTitle: 'second', count: 3 })
    await store.delete(KEY)
    assert.deepEqual(await store.listSessionSummaries?.('proj'), [])
  },
  async 'deletes a session with its sub-agents, and a sub-agent alone'(store) {
    const second = { ...KEY, subpath: 'subagents/agent-2' }
    const others = [
      { ...KEY, sessionId: 'sess2' },
      { ...KEY, projectKey: 'other' },
    ]
    await store.delete({ ...KEY, sessionId: 'never' })
    for (const key of [KEY, SUB, second, ...others]) await store.append(key, [entry({ uuid: 'u' })])
    await store.delete(SUB)
    assert.equal(await store.load(SUB), null)
    assert.deepEqual(await store.listSubkeys(KEY), ['subagents/agent-2'])
    await store.delete(KEY)
    assert.deepEqual([await store.load(KEY), await store.load(second)], [null, null])
    for (const key of others) assert.equal((await store.load(key))?.length, 1)
    // What was deleted may be written again.
    await store.append(KEY, [entry({ uuid: 'u' })])
    assert.equal((await store.load(KEY))?.length, 1)
  },
  async 'takes any text for a key, and none of them leads elsewhere'(store) {
    const keys = ['../../etc', '.', '..', 'a/b', 'ü %41', 'A', 'C:\\x'].map((projectKey) => ({
      projectKey,
      sessionId: `${projectKey} s`,
      subpath: '../up/agent-x',
    }))
    for (const key of keys) await store.append(key, [entry({ of: key.projectKey })])
    for (const key of keys) {
      assert.deepEqual(await store.load(key), [entry({ of: key.projectKey })])
      assert.deepEqual(await store.listSubkeys(key), ['../up/agent-x'])
    }
    await assert.rejects(store.append({ projectKey: '', sessionId: 's' }, [entry()]), TypeError)
  },
}

for (const [name, check] of Object.entries(CONTRACTS))
  for (const kind of ['disk', 'memory'] as const)
    test(`a store of the Claude Agent SDK ${name} (${kind})`, () => withStore(kind, check))

const GOLDEN = fileURLToPath(new URL('golden/claude-2.1.197/projects', import.meta.url))
const NATIVE = '5e551000-0000-4000-8000-00000000c1a0'
const PROJECT = '-tmp-reprise-golden-project'

const hasUuid = ({ uuid }: SessionStoreEntry): boolean => uuid !== undefined

async function goldenEntries(name: string): Promise<SessionStoreEntry[]> {
  const text = await readFile(join(GOLDEN, PROJECT, name), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SessionStoreEntry)
}

test('what the SDK keeps is a session of the home, with its sub-agents, and grows with it', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const key = { projectKey: PROJECT, sessionId: NATIVE }
  const entries = await goldenEntries(`${NATIVE}.jsonl`)
  const half = entries.findIndex(({ type }, at) => at > 20 && type === 'user')
  await using store = createClaudeSessionStore(engine)
  await store.append(key, entries.slice(0, half))
  const [first] = await store.settle()
  assert.ok(first !== undefined)
  const before = (await eventsOf(engine, first)).length
  await store.append(key, [...entries.slice(0, half).filter(hasUuid), ...entries.slice(half)])
  await store.append({ ...key, subpath: 'subagents/agent-a3751ad4ecff5c4d3' }, [
    ...(await goldenEntries(`${NATIVE}/subagents/agent-a3751ad4ecff5c4d3.jsonl`)),
    { type: 'agent_metadata', agentType: 'general-purpose', toolUseId: 'toolu_13_0' },
  ])
  const sessions = await store.settle()
  assert.equal(sessions[0], first)
  assert.ok((await eventsOf(engine, first)).length > before)
  // What a rewind left there is a fork here.
  const all = (await Promise.all(sessions.map((id) => eventsOf(engine, id)))).flat()
  assert.ok(all.some(({ type }) => type === 'subagent.started'))
  assert.deepEqual(await store.load(key), entries)
  const [listed] = await engine.list()
  assert.ok(listed !== undefined)
  assert.ok((await promptsOf(engine, first)).length > 2)
  await store.delete(key)
  assert.ok(!(await engine.list()).some(({ id }) => id === first))
})

test('entries of two processes never mix, and half a line of a killed one is closed', async () => {
  await using home = await openHome()
  const stores = [0, 1, 2, 3].map(() => createClaudeSessionStore(home.engine()))
  const some = (of: number) =>
    Array.from({ length: 20 }, (_, n) => entry({ uuid: `${of}-${n}`, text: 'x'.repeat(9_000) }))
  await Promise.all(
    stores.map(async (store, of) => {
      for (const each of some(of)) await store.append(KEY, [each])
    }),
  )
  await appendFile(join(home.path, '.reprise/claude-store/proj/sess.jsonl'), '{"type":"x","uu')
  await stores[0]?.append(KEY, [entry({ uuid: 'after' })])
  const loaded = await createClaudeSessionStore(home.engine()).load(KEY)
  assert.deepEqual(
    loaded?.map(({ uuid }) => uuid).sort(),
    [...stores.flatMap((_, of) => some(of).map(({ uuid }) => uuid)), 'after'].sort(),
  )
})
